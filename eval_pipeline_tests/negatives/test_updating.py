"""Arriving, leaving and changing members: the same pools as drawing everything again, and less work."""

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from eval_pipeline.foundation.config import NegativesConfig
from eval_pipeline.foundation.outputs import StageOutput
from eval_pipeline.foundation.protocols import UnitVectors
from eval_pipeline.negatives.pools import draw_hard_negatives
from eval_pipeline.negatives.sameness import Sameness
from eval_pipeline.negatives.updating import NOTHING_BEFORE, PooledBefore

Member = Callable[..., dict[str, Any]]
Members = Callable[[list[dict[str, Any]]], pl.DataFrame]
MakeVectors = Callable[..., UnitVectors]
TABLES = ("negatives.pooled_template", "negatives.unit_pool", "negatives.negative", "negatives.shortfall")
CALM = settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
FACETS = st.fixed_dictionaries(
    {},
    optional={
        "entity": st.sampled_from(["acme", "beta"]),
        "period": st.sampled_from(["q1", "q2", "q3"]),
        "revision": st.sampled_from(["original", "restated"]),
    },
)
UNIT = st.tuples(FACETS, st.integers(0, 19), st.integers(0, 3), st.sampled_from(["t1", "t2"]))
CHANGE = st.tuples(st.integers(0, 15), st.one_of(st.none(), UNIT))
"""Which unit, and what it is from now on; None: it is removed."""


def before_of(output: StageOutput) -> PooledBefore:
    return PooledBefore(
        units=output.tables["negatives.unit_pool"].select("unit_id", "template_id", "state_hash", "pool_id"),
        negatives=output.tables["negatives.negative"].drop("unit_id"),
    )


def newest(old: PooledBefore, new: PooledBefore) -> PooledBefore:
    """As the ledger keeps it: a template that is gone keeps its last state, and may come back."""
    gone = old.units.join(new.units, on="template_id", how="anti").select(new.units.columns)
    kept = old.negatives.join(gone, on="pool_id", how="semi").select(new.negatives.columns)
    return PooledBefore(units=pl.concat([gone, new.units]), negatives=pl.concat([kept, new.negatives]).unique())


@CALM
@given(
    nights=st.lists(st.lists(CHANGE, min_size=1, max_size=8), min_size=2, max_size=5),
    axes=st.sampled_from([("period", "entity"), ("revision", "period"), ("period", "entity", "revision"), ()]),
    k=st.integers(1, 5),
    backfill=st.sampled_from(["none", "nearest"]),
)
def test_nights_in_any_order_end_in_the_rows_of_one_full_draw(
    nights: list[list[tuple[int, Any]]],
    axes: tuple[str, ...],
    k: int,
    backfill: Any,
    a_member: Member,
    members_of: Members,
    vectors_of: MakeVectors,
) -> None:
    by_picture = vectors_of([f"pic{number}" for number in range(20)], seed=k, dim=4)
    config = NegativesConfig(k=k, backfill=backfill)
    present: dict[str, dict[str, Any]] = {}
    before = NOTHING_BEFORE
    for night in nights:
        for number, unit in night:
            present.pop(f"u{number:02d}", None)
            if unit is not None:
                facets, picture, text, template = unit
                row = a_member(f"u{number:02d}", template_id=template, picture=f"pic{picture}", **facets)
                present[f"u{number:02d}"] = row | {"text_hash": f"t{text}"}
        if not present:
            continue
        rows = [present[name] for name in sorted(present)]
        pictures = [row["picture_hash"] for row in rows]
        vectors = UnitVectors(
            unit_ids=np.array(sorted(present)), matrix=by_picture.rows_of(pictures), encoder_id="enc_t"
        )
        # The smallest picture that is present names a group of copies, as `find_looks` does it.
        pairs = [sorted(p for p in set(pictures) if int(p[3:]) // 2 == group) for group in range(3)]
        looks = {picture: pair[0] for pair in pairs if len(pair) == 2 for picture in pair}
        given_now = {
            "members": members_of(rows),
            "vectors": vectors,
            "refused": {"pic19"},
            "axes": axes,
            "config": config,
            "sameness": Sameness(looks=looks, figures={"t0": "1 2 3", "t1": "1 2 3", "t2": "4 5 6"}),
        }
        grown = draw_hard_negatives(**given_now, before=before)
        whole = draw_hard_negatives(**given_now)
        for table in TABLES:
            assert grown.tables[table].equals(whole.tables[table]), table
        before = newest(before, before_of(grown))


@pytest.fixture
def a_cube(a_member: Member) -> Callable[[range, range], list[dict[str, Any]]]:
    """One page per company and quarter."""

    def make(entities: range, periods: range) -> list[dict[str, Any]]:
        return [a_member(f"e{e}p{p:02d}", entity=f"e{e}", period=f"q{p}") for e in entities for p in periods]

    return make


def drawn_anew(members: pl.DataFrame, vectors: UnitVectors, before: PooledBefore, axes: tuple[str, ...]) -> int:
    output = draw_hard_negatives(
        members=members, vectors=vectors, refused=(), axes=axes, config=NegativesConfig(k=4), before=before
    )
    return int(output.summary["units_drawn_anew"])


@pytest.mark.parametrize("axes", [("period", "entity"), ()])
def test_only_those_within_reach_are_drawn_anew(
    axes: tuple[str, ...],
    a_cube: Callable[[range, range], list[dict[str, Any]]],
    members_of: Members,
    vectors_of: MakeVectors,
) -> None:
    rows = a_cube(range(5), range(20))
    ids = sorted(row["unit_id"] for row in rows)
    vectors = vectors_of(ids)
    members = members_of(rows)
    first = draw_hard_negatives(members=members, vectors=vectors, refused=(), axes=axes, config=NegativesConfig(k=4))
    assert first.summary["units_drawn_anew"] == 100
    before = before_of(first)
    assert drawn_anew(members, vectors, before, axes) == 0
    # A new company with one page: nobody else needs more than a look at that one page.
    more = [*rows, *a_cube(range(5, 6), range(1))]
    grown = vectors_of([row["unit_id"] for row in sorted(more, key=lambda row: str(row["unit_id"]))])
    grown = UnitVectors(
        unit_ids=np.array([*ids, "e5p00"]),
        matrix=np.concatenate([vectors.matrix, grown.matrix[-1:]]),
        encoder_id=vectors.encoder_id,
    )
    assert drawn_anew(members_of(more), grown, before, axes) == 1
    # A page that goes concerns those in whose lists it stood.
    gone = "e2p07"
    stood = first.tables["negatives.negative"].filter(pl.col("negative_unit_id") == gone)["unit_id"].n_unique()
    left = members_of([row for row in rows if row["unit_id"] != gone])
    assert 0 < drawn_anew(left, vectors, before, axes) <= stood < 100
    # Another facet makes another member of a page.
    changed = [row | {"facets": json.dumps({"entity": "e2", "period": "q99"})} if row["unit_id"] == gone else row
               for row in rows]  # fmt: skip
    assert 1 <= drawn_anew(members_of(changed), vectors, before, axes) <= stood + 1


def test_rows_of_an_older_ledger_have_no_state_and_spare_nothing(
    a_cube: Callable[[range, range], list[dict[str, Any]]], members_of: Members, vectors_of: MakeVectors
) -> None:
    rows = a_cube(range(2), range(4))
    vectors, members = vectors_of([row["unit_id"] for row in rows]), members_of(rows)
    axes = ("period", "entity")
    output = draw_hard_negatives(members=members, vectors=vectors, refused=(), axes=axes, config=NegativesConfig(k=4))
    before = before_of(output)
    unknown = PooledBefore(units=before.units.with_columns(state_hash=pl.lit("")), negatives=before.negatives)
    assert drawn_anew(members, vectors, unknown, axes) == 8
