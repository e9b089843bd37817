from datetime import UTC, datetime

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval_pipeline.foundation.errors import LineageError
from eval_pipeline.foundation.frames import Table, flag, integer, moment, real, text

TABLE = Table(
    name="room.thing",
    grain="one row per thing",
    key=("a", "n"),
    columns=(
        text("a", "A.", allowed=("x", "y")),
        integer("n", "N."),
        real("v", "V.", nullable=True),
        flag("f", "F."),
        moment("t", "T.", nullable=True),
    ),
)
GOOD = {"a": "x", "n": 1, "v": 0.5, "f": True, "t": datetime(2026, 1, 1, tzinfo=UTC)}


def test_frame_has_the_schema_and_the_order_of_the_table():
    frame = TABLE.frame([{"f": False, "n": 2, "a": "y"}, GOOD])
    assert dict(frame.schema) == TABLE.schema
    assert frame.rows() == [("y", 2, None, False, None), tuple(GOOD.values())]
    assert TABLE.empty().height == 0
    assert dict(TABLE.frame([]).schema) == TABLE.schema


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        ({"a": None}, "a is missing"),
        ({"n": None}, "n is missing"),
        ({"a": "z"}, "a is none of x, y"),
        ({"v": float("nan")}, "v is not finite"),
        ({"v": float("inf")}, "v is not finite"),
    ],
)
def test_bad_row_is_kept_apart_with_its_rule(change, rule):
    frame = pl.DataFrame([GOOD | change, GOOD | {"n": 7}], schema=TABLE.schema)
    checked = TABLE.check(frame)
    assert checked.good["n"].to_list() == [7]
    assert checked.rejected["rule"].to_list() == [rule]
    with pytest.raises(LineageError, match=r"room\.thing: 1 bad rows"):
        TABLE.validate(frame)


def test_repeated_key_rejects_every_row_of_it():
    checked = TABLE.check(pl.DataFrame([GOOD, GOOD | {"v": 0.1}, GOOD | {"a": "y"}], schema=TABLE.schema))
    assert checked.rejected["rule"].to_list() == ["key a, n repeats"] * 2
    assert checked.good["a"].to_list() == ["y"]


def test_first_rule_in_column_order_is_named():
    frame = pl.DataFrame([GOOD | {"a": None, "v": float("nan")}], schema=TABLE.schema)
    assert TABLE.check(frame).rejected["rule"].to_list() == ["a is missing"]


@pytest.mark.parametrize(
    ("frame", "words"),
    [
        (TABLE.empty().drop("v"), r"missing columns \['v'\], unknown columns \[\]"),
        (TABLE.empty().with_columns(z=pl.lit(1)), r"unknown columns \['z'\]"),
        (TABLE.empty().with_columns(pl.col("n").cast(pl.Int32)), "n is Int32, not Int64"),
        (TABLE.empty().with_columns(pl.col("t").dt.replace_time_zone(None)), "t is Datetime"),
        (pl.DataFrame(), "missing columns"),
    ],
)
def test_frame_of_another_form_is_refused(frame, words):
    with pytest.raises(LineageError, match=words):
        TABLE.validate(frame)


def test_columns_are_put_in_order():
    assert TABLE.validate(TABLE.frame([GOOD]).select("t", "f", "v", "n", "a")).columns == list(TABLE.schema)


@given(st.lists(st.tuples(st.sampled_from(["x", "y", "z", None]), st.integers(0, 2)), max_size=8))
def test_check_keeps_every_row_once_and_kept_rows_are_valid(pairs):
    frame = pl.DataFrame([GOOD | {"a": a, "n": n} for a, n in pairs], schema=TABLE.schema)
    checked = TABLE.check(frame)
    assert checked.good.height + checked.rejected.height == frame.height
    assert TABLE.validate(checked.good).equals(checked.good)


def test_times_and_floats_stand_outside_equality_unless_said_otherwise():
    assert [column.in_equality for column in TABLE.columns] == [True, True, False, True, False]
    assert real("v", "d", in_equality=True).in_equality
    assert not integer("n", "d", in_equality=False).in_equality
