from dataclasses import replace

import polars as pl
import pytest

from eval_pipeline.foundation.errors import LedgerVersion, LineageError
from eval_pipeline.foundation.frames import Table, integer, text
from eval_pipeline.foundation.tables import TABLES
from eval_pipeline.ledger.upcasting import STEPS, upcast

NOW = Table(name="a.b", grain="g", key=("x",), columns=(text("x", "d"), integer("n", "d")), version=3)
OLD = pl.DataFrame({"x": ["k"]})
BY_STEPS = {
    ("a.b", 1): lambda frame: frame.with_columns(count=pl.lit(1, dtype=pl.Int64)),
    ("a.b", 2): lambda frame: frame.rename({"count": "n"}),
}


def test_steps_are_taken_in_turn():
    assert upcast("a.b", 1, OLD, tables={"a.b": NOW}, steps=BY_STEPS).rows() == [("k", 1)]


def test_rows_of_today_pass_as_they_are():
    frame = pl.DataFrame({"n": [2], "x": ["k"]})
    assert upcast("a.b", 3, frame, tables={"a.b": NOW}, steps={}).rows() == [("k", 2)]


@pytest.mark.parametrize(
    ("version", "tables", "words"),
    [
        (4, {"a.b": NOW}, "written at version 4, this version of eval-pipeline has version 3"),
        (1, {}, "no such table"),
        (1, {"a.b": NOW}, "nothing reads version 1"),
    ],
)
def test_what_cannot_be_read_is_named(version, tables, words):
    with pytest.raises(LedgerVersion, match=words):
        upcast("a.b", version, OLD, tables=tables, steps={})


def test_result_is_checked():
    with pytest.raises(LineageError, match="missing columns"):
        upcast("a.b", 1, OLD, tables={"a.b": replace(NOW, version=1)}, steps={})


def test_every_older_version_has_a_step():
    for name, table in TABLES.items():
        assert [version for version in range(1, table.version) if (name, version) not in STEPS] == []


def test_pools_of_an_older_ledger_have_no_state():
    table = TABLES["negatives.unit_pool"]
    old = table.frame([]).drop("state_hash")
    row = {name: "x" if dtype == pl.String else 1 for name, dtype in old.schema.items()}
    (found,) = upcast("negatives.unit_pool", 1, pl.DataFrame([row], schema=old.schema)).rows(named=True)
    assert found == {**row, "state_hash": ""}
