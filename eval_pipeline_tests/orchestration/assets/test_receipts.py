"""Receipts and figures are recorded apart; what people look at first."""

from types import SimpleNamespace

import polars as pl
import pytest

from eval_pipeline.foundation.outputs import StageOutput
from eval_pipeline.orchestration.assets.receipts import (
    HEADLINE,
    headline,
    show_negatives,
    split_output,
    stamps_of,
)
from eval_pipeline.orchestration.control_reading import read_control_values
from eval_pipeline.orchestration.evaluating import lay_ground
from eval_pipeline.orchestration.resources import Project
from eval_pipeline.tasks.contracts import Resampling


def test_receipts_and_figures_are_two_outputs():
    frame = pl.DataFrame({"x": [1]})
    made = StageOutput(
        tables={"receipts.receipt": frame, "metrics.metric": frame, "receipts.member_list": frame}, inputs=("i",)
    )
    receipts, metrics = split_output(made)
    assert sorted(receipts.tables) == ["receipts.member_list", "receipts.receipt"]
    assert sorted(metrics.tables) == ["metrics.metric"]
    assert receipts.inputs == metrics.inputs == ("i",)


VARIANTS = {"v1": "control-appearance", "v2": "control-random"}
QUESTIONS = [f"q{place:02}" for place in range(40)]
RESAMPLING = Resampling(unit="question", level=0.95, resamples=100, seed=0)


def _ground(n_waiting):
    """As much of a ground as a stamp reads."""
    asked = pl.DataFrame({"question_id": QUESTIONS, "template_id": "tpl"})
    return SimpleNamespace(
        runs=[SimpleNamespace(variant=SimpleNamespace(variant_id=key, name=name)) for key, name in VARIANTS.items()],
        waiting=pl.DataFrame({"question_id": ["q"] * n_waiting}),
        arenas=pl.DataFrame({"question_id": QUESTIONS, "arena": "siblings", "axis": "period"}),
        contract=SimpleNamespace(resampling=RESAMPLING),
        cohort=SimpleNamespace(questions=asked),
        asked=SimpleNamespace(questions=asked),
    )


def _receipts(n_first):
    rows = [("v1", question_id, float(place < n_first)) for place, question_id in enumerate(QUESTIONS)]
    rows += [("v2", question_id, 0.25) for question_id in QUESTIONS]
    frame = pl.DataFrame(rows, schema=["variant_id", "question_id", "value"], orient="row")
    frame = frame.with_columns(arena=pl.lit("siblings"), measure=pl.lit("sufficient@1"))
    return StageOutput(tables={"receipts.receipt": frame})


@pytest.mark.parametrize(
    ("n_waiting", "n_first", "expected"),
    [
        (0, 10, []),
        (2, 10, ["2 pairs wait for their judge"]),
        (0, 36, ["negatives can be rejected on appearance"]),
        (1, 36, ["1 pairs wait for their judge", "negatives can be rejected on appearance"]),
    ],
)
def test_what_is_missing_or_weak_stamps_every_figure(n_waiting, n_first, expected):
    assert stamps_of(_ground(n_waiting), _receipts(n_first)) == expected


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


@pytest.mark.road
def test_the_negatives_of_every_evaluation_are_shown(road_home):
    project = Project(home=str(road_home))
    ground = lay_ground(project, project.contracts[0])
    shown = show_negatives(project, ground, read_control_values(project, ground))
    names = [name.partition(": ")[2] for name in shown]
    assert names[:2] == ["hardness of negatives", "templates on appearance"]
    assert names[2].startswith("candidates of qu_")
    told = [value.value for value in shown.values()]
    assert "| axis | questions | negatives | corpus | median rank |" in told[0]
    assert "30 needed" in told[1]
    assert "| page | role | looks like the answer? | contains the answer? |" in told[2]
