"""What an evaluation is: the same basis, the same id; another part, another id."""

from dataclasses import replace
from typing import Any

import polars as pl
import pytest

from eval_pipeline.foundation.tables.metrics import EVALUATION_TURN
from eval_pipeline.metrics import rejectable, scoring
from eval_pipeline.receipts import building
from eval_pipeline.receipts.evaluation import Basis, question_set_id_of

BASIS = Basis(
    contract_id="ctr_1",
    batch_id="bat_1",
    label_snapshot_id="lsn_1",
    question_set_id="qset_1",
    retrieval_run_ids=("run_1", "run_2"),
    template_version_id="tver_1",
    waiting_id="rows_1",
    answered_id="rows_2",
)


@pytest.mark.parametrize(
    "change",
    [
        {"contract_id": "ctr_2"},
        {"batch_id": "bat_2"},
        {"label_snapshot_id": "lsn_2"},
        {"question_set_id": "qset_2"},
        {"retrieval_run_ids": ("run_1",)},
        {"retrieval_run_ids": ("run_1", "run_3")},
        {"template_version_id": "tver_2"},
        {"template_version_id": None},
        {"waiting_id": "rows_3"},
        {"answered_id": "rows_3"},
    ],
)
def test_every_part_of_the_basis_is_in_the_id(change: dict[str, Any]) -> None:
    assert replace(BASIS, **change).evaluation_id != BASIS.evaluation_id


def test_the_order_of_runs_is_not_in_the_id_and_the_scoring_code_is(monkeypatch: pytest.MonkeyPatch) -> None:
    before = BASIS.evaluation_id
    assert replace(BASIS, retrieval_run_ids=("run_2", "run_1")).evaluation_id == before
    for module in (building, scoring, rejectable):
        with monkeypatch.context() as patch:
            patch.setattr(module, "CODE_VERSION", "next")
            assert BASIS.evaluation_id != before


def test_the_row_is_the_same_for_the_same_facts() -> None:
    row = BASIS.to_table_row(funnel={"main": 2, "imported": 7}, stamps=["b", "a"]).row(0, named=True)
    assert row["evaluation_id"] == BASIS.evaluation_id
    assert (row["funnel"], row["stamps"]) == ('{"imported":7,"main":2}', '["a","b"]')
    assert replace(BASIS, template_version_id=None).to_table_row(funnel={}, stamps=[]).item(0, "stamps") == "[]"


def test_turns_count_changes_of_the_evaluation_in_force() -> None:
    first = BASIS.to_turn_row(EVALUATION_TURN.empty())
    assert first.rows(named=True) == [{"contract_id": "ctr_1", "turn": 1, "evaluation_id": BASIS.evaluation_id}]
    assert BASIS.to_turn_row(first).height == 0
    other = replace(BASIS, batch_id="bat_2")
    second = other.to_turn_row(first)
    assert second.item(0, "turn") == 2
    assert BASIS.to_turn_row(second).select("turn", "evaluation_id").rows() == [(3, BASIS.evaluation_id)]


def a_set(*names: str) -> pl.DataFrame:
    return pl.DataFrame({"question_id": list(names)}, schema={"question_id": pl.String})


def the_excluded(*rows: tuple[str, str, str]) -> pl.DataFrame:
    return pl.DataFrame(list(rows), schema=["question_id", "arena", "reason"], orient="row")


def test_a_question_set_is_its_questions_and_who_is_left_out_where() -> None:
    nobody = the_excluded().cast(pl.String)
    both = question_set_id_of(a_set("a", "b"), nobody)
    assert question_set_id_of(a_set("b", "a"), nobody) == both
    ids = [
        both,
        question_set_id_of(a_set("a"), nobody),
        question_set_id_of(a_set("a", "b"), the_excluded(("a", "siblings", "pool_too_small"))),
        question_set_id_of(a_set("a", "b"), the_excluded(("a", "corpus", "pool_too_small"))),
        question_set_id_of(a_set("a", "b"), the_excluded(("a", "siblings", "waiting"))),
    ]
    assert len(set(ids)) == len(ids)
