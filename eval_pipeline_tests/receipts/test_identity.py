"""A receipt's id covers what it rests on, each part of it."""

from dataclasses import replace

import pytest

from eval_pipeline.receipts.identity import ReceiptContent, member_list_id, metric_id

CONTENT = ReceiptContent(
    measure="sufficient@5",
    contract_id="ctr_1",
    question_id="qu_1",
    variant_id="var_1",
    arena="siblings",
    arena_id="arena_1",
    pool_id="pool_1",
    reason="scored",
    unit_ids=["unit_1", "unit_2"],
    tie_sizes=None,
    label_ids=["lbl_1", "lbl_2"],
    stage_loss=None,
    is_censored=False,
)


@pytest.mark.parametrize(
    "changes",
    [
        {"measure": "sufficient@1"},
        {"contract_id": "ctr_2"},
        {"question_id": "qu_2"},
        {"variant_id": "var_2"},
        {"arena": "random"},
        {"arena_id": "arena_2"},
        {"pool_id": None},
        {"reason": "waiting"},
        {"unit_ids": ["unit_2", "unit_1"]},
        {"tie_sizes": [2]},
        {"label_ids": ["lbl_1"]},
        {"stage_loss": "fusion"},
        {"is_censored": True},
    ],
)
def test_every_part_takes_part(changes):
    assert replace(CONTENT, **changes).receipt_id != CONTENT.receipt_id


def test_labels_are_a_set_and_units_are_a_list():
    assert replace(CONTENT, label_ids=["lbl_2", "lbl_1", "lbl_1"]).receipt_id == CONTENT.receipt_id
    assert CONTENT.receipt_id.startswith("rcp_")


def test_lists_and_figures_are_named_by_content():
    assert member_list_id(["rcp_1", "rcp_2"]) == member_list_id(["rcp_2", "rcp_1"])
    parts = {
        "measure": "top@1",
        "contract_id": "c",
        "evaluation_id": "e",
        "variant_id": "v",
        "retrieval_run_id": "r",
        "arena": "random",
        "slice_name": "all",
        "slice_value": "all",
        "denominator_id": "d",
        "list_id": "l",
    }
    ids = {metric_id(**{**parts, name: "other"}) for name in parts} | {metric_id(**parts)}
    assert len(ids) == len(parts) + 1
    assert all(identity.startswith("met_") for identity in ids)
