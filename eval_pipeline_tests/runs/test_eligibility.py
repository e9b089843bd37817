import json
from collections.abc import Callable

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval_pipeline.foundation.errors import UnknownName
from eval_pipeline.runs.eligibility import Clearance, visible_units

LEVELS = ("public", "internal", "restricted")


def frame(*rows: tuple[str, str, list[str]]) -> pl.DataFrame:
    return pl.DataFrame(
        [(unit_id, access, json.dumps(groups)) for unit_id, access, groups in rows],
        schema=["unit_id", "access", "access_groups"],
        orient="row",
    )


def test_level_and_group_must_both_allow() -> None:
    units = frame(("a", "public", []), ("b", "internal", []), ("c", "restricted", []), ("d", "public", ["hr", "law"]))
    assert visible_units(units=units, clearance=Clearance(level="internal"), levels=LEVELS) == {"a", "b"}
    lawyer = Clearance(level="public", groups=("law",))
    assert visible_units(units=units, clearance=lawyer, levels=LEVELS) == {"a", "d"}


@pytest.mark.parametrize("level", ["secret", ""])
def test_an_unknown_level_is_named(level: str) -> None:
    with pytest.raises(UnknownName, match=r"declared under corpus\.access\.levels: public, internal, restricted"):
        visible_units(units=frame(("a", "public", [])), clearance=Clearance(level=level), levels=LEVELS)
    with pytest.raises(UnknownName):
        visible_units(units=frame(("a", level, [])), clearance=Clearance(level="public"), levels=LEVELS)


def test_the_id_of_a_clearance_ignores_the_order_of_groups() -> None:
    assert (
        Clearance(level="x", groups=("b", "a")).clearance_id
        == Clearance(level="x", groups=("a", "b", "a")).clearance_id
    )
    assert Clearance(level="x").clearance_id != Clearance(level="y").clearance_id


GROUPS = st.lists(st.sampled_from(["hr", "law", "tax"]), max_size=3)
UNITS = st.lists(st.tuples(st.sampled_from(LEVELS), GROUPS), max_size=8)


@given(units=UNITS, low=st.sampled_from(LEVELS), groups=GROUPS, more=GROUPS)
def test_more_clearance_never_hides_a_unit(
    units: list[tuple[str, list[str]]], low: str, groups: list[str], more: list[str]
) -> None:
    rows = frame(*((f"u{place}", level, wanted) for place, (level, wanted) in enumerate(units)))
    rows = rows if rows.height else frame(("u", "public", []))
    less = visible_units(units=rows, clearance=Clearance(level=low, groups=tuple(groups)), levels=LEVELS)
    for high in LEVELS[LEVELS.index(low) :]:
        above = Clearance(level=high, groups=(*groups, *more))
        assert less <= visible_units(units=rows, clearance=above, levels=LEVELS)


def test_the_view_of_units_has_the_columns(make_units: Callable[..., pl.DataFrame]) -> None:
    units = make_units("a", "b", access=["public", "restricted"])
    assert visible_units(units=units, clearance=Clearance(level="public"), levels=LEVELS) == {"a"}
