"""Figures above receipts are those whose list of members holds one of them."""

import polars as pl

from eval_pipeline.receipts.trace_forward import dependents_of
from eval_pipeline.receipts.trace_lookup import Lookup

TABLES = {
    "receipts.receipt": [
        {"receipt_id": "rcp_1", "variant_id": "v", "measure": "top@1", "arena": "random", "pool_id": "pool_1"},
        {"receipt_id": "rcp_2", "variant_id": "v", "measure": "top@1", "arena": "random", "pool_id": "pool_2"},
    ],
    "metrics.metric": [
        {"metric_id": "met_1", "variant_id": "v", "measure": "top@1", "arena": "random", "member_list_id": "lst_1"},
        {"metric_id": "met_2", "variant_id": "v", "measure": "top@1", "arena": "random", "member_list_id": "lst_2"},
        {"metric_id": "met_3", "variant_id": "v", "measure": "top@5", "arena": "random", "member_list_id": "lst_1"},
    ],
    "receipts.member_list": [
        {"list_id": "lst_1", "receipt_ids": '["rcp_1","rcp_2"]'},
        {"list_id": "lst_2", "receipt_ids": '["rcp_2"]'},
    ],
}


class Frames:
    def find(self, table, column, values):
        rows = pl.DataFrame(TABLES[table]).filter(pl.col(column).is_in(list(values)))
        return rows.with_columns(commit_id=pl.lit("commit_1"))

    def find_commits(self, commit_ids):
        return pl.DataFrame({"commit_id": list(commit_ids)})


def test_only_lists_that_hold_a_receipt_count():
    receipts, metrics = dependents_of(Lookup(Frames()), "pool", "pool_1")
    assert [row["receipt_id"] for row in receipts] == ["rcp_1"]
    assert [row["metric_id"] for row in metrics] == ["met_1"]
    _, both = dependents_of(Lookup(Frames()), "pool", "pool_2")
    assert [row["metric_id"] for row in both] == ["met_1", "met_2"]


def test_what_nothing_rests_on_has_no_receipts():
    assert dependents_of(Lookup(Frames()), "batch", "batch_1") == ([], [])
    receipts, metrics = dependents_of(Lookup(Frames()), "metric", "met_1")
    assert (receipts, [row["metric_id"] for row in metrics]) == ([], ["met_1"])
