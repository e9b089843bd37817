"""Ids say what they identify; rows are read with the commit that made them."""

from datetime import UTC, datetime

import polars as pl
import pytest

from eval_pipeline.foundation.errors import UnknownName
from eval_pipeline.foundation.tables import TABLES
from eval_pipeline.receipts.trace_lookup import PREFIXES, Lookup, kind_of


class OneContract:
    def find(self, table, column, values):
        assert (table, column) == ("tasks.contract", "contract_id")
        rows = pl.DataFrame({"contract_id": ["ctr_1"], "task": ["t"], "commit_id": ["commit_1"]})
        return rows.filter(pl.col("contract_id").is_in(list(values)))

    def find_commits(self, commit_ids):
        assert list(commit_ids) == ["commit_1"]
        return pl.DataFrame(
            {
                "commit_id": ["commit_1"],
                "asset": ["metric_tables"],
                "partition": [None],
                "code_version": ["1"],
                "dagster_run_id": ["run-9"],
                "made_at_utc": [datetime(2026, 1, 2, tzinfo=UTC)],
            }
        )


def test_every_prefix_names_a_column_of_the_ledger():
    for _, table, column in PREFIXES.values():
        assert column in TABLES[table].schema


def test_a_row_ends_with_its_commit():
    lookup = Lookup(OneContract())
    node = lookup.node("contract", "ctr_1", lookup.row("tasks.contract", "contract_id", "ctr_1"), ("task",))
    assert node.facts == {"task": "t"}
    assert node.children[-1].facts["dagster_run_id"] == "run-9"
    assert lookup.rows("tasks.contract", "contract_id", [None]) == []


def test_what_is_not_there_is_named():
    with pytest.raises(UnknownName, match="ctr_2"):
        Lookup(OneContract()).row("tasks.contract", "contract_id", "ctr_2")
    with pytest.raises(UnknownName, match="no id that can be traced"):
        kind_of("zzz_1")
    assert kind_of("unit_abc")[0] == "page"
