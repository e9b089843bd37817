"""Pools become rows in one way for every relation."""

from collections.abc import Callable
from typing import Any

import polars as pl

from eval_pipeline.foundation.protocols import UnitVectors, Vectors
from eval_pipeline.negatives.drawing import draw_by_group, refused_units
from eval_pipeline.negatives.one_axis import fill_pools
from eval_pipeline.negatives.places import Pools, Shortfall

SHORT = Shortfall(axis="x", n_wanted=1, n_found=0, reason="no vector")


def first_other(part: pl.DataFrame, matrix: Vectors) -> Pools:
    """A rule that takes the first other member."""
    assert len(matrix) == part.height
    nearest = [[(1 if row == 0 else 0, 0.5)] if part.height > 1 else [] for row in range(part.height)]
    return fill_pools(nearest, axis="x", k=1, reasons=["no vector"] * part.height)


def test_every_unit_gets_a_pool_and_groups_wait_for_vectors(
    a_member: Callable[..., dict[str, Any]],
    members_of: Callable[[list[dict[str, Any]]], pl.DataFrame],
    vectors_of: Callable[..., UnitVectors],
) -> None:
    rows = [a_member(name) for name in ("b", "a", "refused")] + [a_member("late", template_id="tpl_2")]
    members = members_of(rows).with_columns(state_hash="state of " + pl.col("unit_id"))
    output = draw_by_group(
        members=members,
        vectors=vectors_of(["a", "b"]),
        refused=refused_units(members, {"pic-refused"}),
        settings_id="pset_t",
        rule=first_other,
        without_vector=[SHORT],
    )
    assert output.tables["negatives.unit_pool"]["unit_id"].to_list() == ["a", "b", "refused"]
    pairs = output.tables["negatives.negative"].select("unit_id", "axis", "rank", "negative_unit_id").rows()
    assert sorted(pairs) == [("a", "x", 1, "b"), ("b", "x", 1, "a")]
    assert output.tables["negatives.shortfall"].select("unit_id", "n_wanted", "n_found", "reason").rows() == [
        ("refused", 1, 0, "no vector")
    ]
    assert output.tables["negatives.pooled_template"]["n_units"].to_list() == [3]
    assert output.summary["templates_waiting_for_vectors"] == 1
    assert output.summary["units_without_negatives"] == 1
    pools = output.tables["negatives.unit_pool"]
    assert pools["members_hash"].n_unique() == 1
    assert pools["state_hash"].to_list() == ["state of a", "state of b", ""]
    assert set(output.tables["negatives.negative"]["pool_id"]) < set(pools["pool_id"])


def test_units_whose_picture_was_refused(
    a_member: Callable[..., dict[str, Any]], members_of: Callable[[list[dict[str, Any]]], pl.DataFrame]
) -> None:
    members = members_of([a_member("a", picture="p"), a_member("b", picture="p"), a_member("c")])
    assert refused_units(members, ["p", "elsewhere"]) == {"a", "b"}
    assert refused_units(members, []) == frozenset()
