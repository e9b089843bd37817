"""What the two controls scored, from receipts that are stored and from those that are not yet."""

import polars as pl
import pytest

from eval_pipeline.metrics.rejectable import VALUES
from eval_pipeline.orchestration.control_reading import describe_values, pick_control_values, read_control_values
from eval_pipeline.orchestration.evaluating import lay_ground, score_runs
from eval_pipeline.orchestration.resources import Project

pytestmark = pytest.mark.road


def test_values_are_the_same_before_and_after_they_are_recorded(road_home):
    project = Project(home=str(road_home))
    for contract in project.contracts:
        ground = lay_ground(project, contract)
        stored = read_control_values(project, ground)
        made = pick_control_values(score_runs(project, ground).tables["receipts.receipt"], ground)
        assert stored.schema == pl.Schema(VALUES)
        assert made.equals(stored)
    assert set(stored["variant"]) <= {"control-appearance", "control-random"}


def test_a_question_whose_negatives_only_look_alike_stands_apart(road_home):
    project = Project(home=str(road_home))
    ground = lay_ground(project, project.contracts[0])
    negatives = ground.arenas.filter((pl.col("arena") == "siblings") & pl.col("axis").is_not_null())
    on_axes = set(negatives.filter(pl.col("axis") != "appearance")["question_id"])
    questions = negatives["question_id"].unique().sort()
    values = pl.DataFrame({"variant": "control-random", "question_id": questions, "value": 0.5})
    described = describe_values(values, ground)
    assert dict(described.select("question_id", "is_apart").iter_rows()) == {
        question_id: question_id not in on_axes for question_id in questions
    }
    assert described["template_id"].null_count() == 0
