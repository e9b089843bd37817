"""Every place of a pool holds a negative or a reason."""

from collections.abc import Callable
from typing import Any

import polars as pl
from hypothesis import given, settings
from hypothesis import strategies as st

from eval_pipeline.foundation.config import NegativesConfig
from eval_pipeline.foundation.protocols import UnitVectors
from eval_pipeline.negatives.completeness import unrecorded_shortfalls
from eval_pipeline.negatives.pools import draw_hard_negatives

AXES = ("period", "metric", "entity")


def missing(
    *, filled: dict[str, int], short: dict[str, tuple[int, int]], k: int = 6, axes: tuple[str, ...] = AXES
) -> list[tuple[str, str, int]]:
    pools = pl.DataFrame({"pool_id": ["p", "q"], "unit_id": ["u", "v"]})
    negatives = pl.DataFrame(
        {"pool_id": [name for name, n in filled.items() for _ in range(n)]}, schema={"pool_id": pl.String}
    )
    shortfalls = pl.DataFrame(
        [(name, *numbers) for name, numbers in short.items()],
        schema={"pool_id": pl.String, "n_wanted": pl.Int64, "n_found": pl.Int64},
        orient="row",
    )
    found = unrecorded_shortfalls(unit_pools=pools, negatives=negatives, shortfalls=shortfalls, axes=axes, k=k)
    return found.rows()


def test_full_pools_and_told_shortfalls_are_complete() -> None:
    assert missing(filled={"p": 6, "q": 4}, short={"q": (2, 0)}) == []


def test_a_place_without_negative_and_without_reason_is_named() -> None:
    assert missing(filled={"p": 5, "q": 4}, short={"q": (2, 1)}) == [("p", "u", 1), ("q", "v", 1)]


def test_an_empty_pool_lacks_every_place() -> None:
    assert missing(filled={"p": 6}, short={}) == [("q", "v", 6)]


def test_more_than_enough_is_no_gap() -> None:
    assert missing(filled={"p": 6, "q": 6}, short={"q": (2, 0)}) == []


def test_without_axes_there_are_no_places() -> None:
    assert missing(filled={}, short={}, axes=()) == []


@settings(deadline=None)  # a loaded machine makes no test wrong
@given(
    st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from("xy"), st.sampled_from(["1", "2", "3", ""])), min_size=1),
    st.integers(1, 7),
    st.sampled_from(["none", "nearest"]),
)
def test_what_is_drawn_is_always_complete(
    a_member: Callable[..., dict[str, Any]],
    members_of: Callable[[list[dict[str, Any]]], pl.DataFrame],
    vectors_of: Callable[..., UnitVectors],
    facts: list[tuple[str, str, str]],
    k: int,
    backfill: Any,
) -> None:
    rows = []
    for number, values in enumerate(facts):
        told = {name: value for name, value in zip(("entity", "metric", "period"), values, strict=True) if value}
        rows.append(a_member(f"u{number:02}", **told))
    made = draw_hard_negatives(
        members=members_of(rows),
        vectors=vectors_of([row["unit_id"] for row in rows]),
        refused=(),
        axes=AXES,
        config=NegativesConfig(k=k, backfill=backfill),
    )
    tables = {name: made.tables[f"negatives.{name}"] for name in ("unit_pool", "negative", "shortfall")}
    gaps = unrecorded_shortfalls(
        unit_pools=tables["unit_pool"],
        negatives=tables["negative"],
        shortfalls=tables["shortfall"],
        axes=AXES,
        k=k,
    )
    assert gaps.rows() == []
