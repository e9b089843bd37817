"""Receipts and figures are recorded apart; what people look at first."""

import polars as pl
import pytest

from eval_pipeline.foundation.outputs import StageOutput
from eval_pipeline.orchestration.assets.receipts import HEADLINE, headline, split_output, stamps_of
from eval_pipeline.orchestration.resources import Project


def test_receipts_and_figures_are_two_outputs():
    frame = pl.DataFrame({"x": [1]})
    made = StageOutput(
        tables={"receipts.receipt": frame, "metrics.metric": frame, "receipts.member_list": frame}, inputs=("i",)
    )
    receipts, metrics = split_output(made)
    assert sorted(receipts.tables) == ["receipts.member_list", "receipts.receipt"]
    assert sorted(metrics.tables) == ["metrics.metric"]
    assert receipts.inputs == metrics.inputs == ("i",)


def test_waiting_pairs_stamp_every_figure():
    waiting = pl.DataFrame({"question_id": ["q", "q"], "unit_id": ["a", "b"]})
    assert stamps_of(waiting) == ["2 pairs wait for their judge"]
    assert stamps_of(waiting.clear()) == []


@pytest.mark.road
def test_headline_is_over_all_questions(road_home):
    project = Project(home=str(road_home))
    asked = [contract.contract_id for contract in project.contracts]
    evaluations = project.read("metrics/evaluations_in_force", contract_ids=asked)["evaluation_id"]
    figures = pl.concat(project.read("metrics/figures_of", evaluation_id=evaluation) for evaluation in evaluations)
    shown = headline(figures)
    assert set(shown["measure"]) == set(HEADLINE)
    assert shown.select("variant", "arena", "measure").is_duplicated().sum() == 0


@pytest.mark.road
def test_figures_are_committed_after_the_receipts_they_name(road_home):
    with Project(home=str(road_home)).session() as ledger:
        receipts = ledger.find("receipts.receipt", "reason", ["scored"])["commit_id"].unique().to_list()
        metrics = ledger.find("metrics.metric", "reason", ["scored"])["commit_id"].unique().to_list()
        made = ledger.find_commits([*receipts, *metrics])
    by_task = {
        key: part.sort("made_at_utc")["asset"].to_list()
        for key, part in made.partition_by("partition", as_dict=True).items()
    }
    assert set(map(tuple, by_task.values())) == {("receipts", "metric_tables")}
