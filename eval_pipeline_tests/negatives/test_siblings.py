"""Places per axis, and large templates worked through in blocks."""

import numpy as np
import pytest

from eval_pipeline.embeddings.vectors import normalise_rows
from eval_pipeline.negatives import nearest
from eval_pipeline.negatives.facts import read_facts
from eval_pipeline.negatives.siblings import TemplateMembers, iterate_lists, list_negatives, split_places


@pytest.mark.parametrize(
    ("k", "expected"),
    [(6, [2, 2, 2]), (7, [3, 2, 2]), (8, [3, 3, 2]), (2, [1, 1, 0]), (1, [1, 0, 0])],
)
def test_places_are_split_and_the_remainder_goes_in_declared_order(k: int, expected: list[int]) -> None:
    assert list(split_places(k, ("period", "metric", "entity")).values()) == expected


def test_no_axes_have_no_places() -> None:
    assert split_places(6, ()) == {}


@pytest.mark.parametrize("backfill", [False, True])
def test_blocks_leave_no_trace(monkeypatch: pytest.MonkeyPatch, backfill: bool) -> None:
    rng = np.random.default_rng(0)
    facets = [f'{{"entity":"e{rng.integers(4)}","period":"q{rng.integers(5)}"}}' for _ in range(50)]
    facets[7] = '{"entity":"e1"}'
    members = TemplateMembers(
        unit_ids=tuple(f"u{k:02d}" for k in range(50)),
        pictures=rng.integers(0, 45, 50),
        facts=read_facts(facets, ("period", "entity")),
        matrix=normalise_rows(rng.normal(size=(50, 16))),
    )
    whole = list_negatives(members, k=5, backfill=backfill)
    monkeypatch.setattr(nearest, "MAX_BLOCK_ROWS", 7)
    for (axis, one), (_, other) in zip(
        iterate_lists(whole), iterate_lists(list_negatives(members, k=5, backfill=backfill)), strict=True
    ):
        assert one.columns.tolist() == other.columns.tolist(), axis
        assert one.similarities.tolist() == other.similarities.tolist(), axis
    some = np.array([3, 7, 30])
    asked = list_negatives(members, k=5, backfill=backfill, rows=some)
    assert (asked.counts[some] == whole.counts[some]).all()
    assert asked.counts.sum() == asked.counts[some].sum() > 0
