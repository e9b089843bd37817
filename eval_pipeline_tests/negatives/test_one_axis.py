"""Pools of one axis, against sorting by hand."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from eval_pipeline.embeddings.vectors import normalise_rows
from eval_pipeline.negatives.one_axis import Reasons, fill_pool, rank_allowed, without_vector

REASONS = Reasons(alone="alone", none="none", no_further="no further")


@settings(max_examples=40, deadline=None)
@given(n=st.integers(1, 14), places=st.integers(1, 5), seed=st.integers(0, 99))
def test_the_nearest_allowed_come_first_and_ties_fall_to_the_smaller_row(n: int, places: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    matrix = normalise_rows(rng.integers(-1, 2, size=(n, 3)) + 0.5)  # few directions: many ties
    allowed = rng.random((n, n)) < 0.6
    found = rank_allowed(matrix=matrix, allow=lambda block: allowed[block], places=places)
    for row in range(n):
        scores = np.float32(matrix.astype(float) @ matrix[row].astype(float))
        expected = sorted((column for column in range(n) if allowed[row, column]), key=lambda c: (-scores[c], c))
        assert [column for column, _ in found[row]] == expected[:places]


def test_a_full_pool_has_no_shortfall_and_a_short_one_says_why() -> None:
    full = fill_pool([(4, 0.9), (2, 0.8), (7, 0.1)], axis="object", k=2, n_others=5, reasons=REASONS)
    assert [(place.rank, place.negative) for place in full.places] == [(1, 4), (2, 2)]
    assert full.shortfalls == []
    for nearest, n_others, reason in (([], 0, "alone"), ([], 3, "none"), ([(1, 0.5)], 3, "no further")):
        (short,) = fill_pool(nearest, axis="object", k=2, n_others=n_others, reasons=REASONS).shortfalls
        assert (short.n_wanted, short.n_found, short.reason) == (2, len(nearest), reason)
    (told,) = fill_pool([], axis="object", k=2, n_others=3, reasons="missing facet type").shortfalls
    assert told.reason == "missing facet type"


def test_without_vector() -> None:
    assert [(short.axis, short.n_wanted, short.n_found, short.reason) for short in without_vector("object", 3)] == [
        ("object", 3, 0, "no vector")
    ]
