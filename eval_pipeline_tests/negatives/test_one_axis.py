"""Pools of one axis, against sorting by hand."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from eval_pipeline.embeddings.index import score_rows
from eval_pipeline.embeddings.vectors import normalise_rows
from eval_pipeline.negatives.one_axis import Reasons, fill_pools, rank_allowed, without_vector

REASONS = Reasons(alone="alone", none="none", no_further="no further")


@settings(max_examples=40, deadline=None)
@given(n=st.integers(1, 14), places=st.integers(1, 5), seed=st.integers(0, 99))
def test_the_nearest_allowed_come_first_and_ties_fall_to_the_smaller_row(n: int, places: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    matrix = normalise_rows(rng.integers(-1, 2, size=(n, 3)) + 0.5)  # few directions: many ties
    allowed = rng.random((n, n)) < 0.6
    found = rank_allowed(matrix=matrix, allow=lambda block: allowed[block], places=places)
    for row in range(n):
        scores = score_rows(matrix, np.full(n, row), np.arange(n))
        expected = sorted((column for column in range(n) if allowed[row, column]), key=lambda c: (-scores[c], c))
        assert [column for column, _ in found[row]] == expected[:places]


def test_a_full_pool_has_no_shortfall_and_a_short_one_says_why() -> None:
    nearest = [[(4, 0.9), (2, 0.8), (7, 0.1)], [], [(1, 0.5)], []]
    filled = fill_pools(nearest, axis="object", k=2, reasons=[REASONS, REASONS, REASONS, "missing facet type"])
    places = zip(filled.rows.tolist(), filled.ranks.tolist(), filled.columns.tolist(), strict=True)
    assert list(places) == [(0, 1, 4), (0, 2, 2), (2, 1, 1)]
    told = zip(filled.short_rows.tolist(), filled.shortfalls, strict=True)
    assert [(row, short.n_wanted, short.n_found, short.reason) for row, short in told] == [
        (1, 2, 0, "none"),
        (2, 2, 1, "no further"),
        (3, 2, 0, "missing facet type"),
    ]
    (alone,) = fill_pools([[]], axis="object", k=2, reasons=[REASONS]).shortfalls
    assert alone.reason == "alone"


def test_without_vector() -> None:
    assert [(short.axis, short.n_wanted, short.n_found, short.reason) for short in without_vector("object", 3)] == [
        ("object", 3, 0, "no vector")
    ]
