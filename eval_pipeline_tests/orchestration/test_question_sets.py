"""The question set in force: roots and children with their gold, pools and outcomes."""

import polars as pl
import pytest

from eval_pipeline.foundation.ids import bucket_of
from eval_pipeline.orchestration.question_sets import (
    judge_of,
    pool_settings,
    read_asked,
    read_question_set,
    with_buckets,
)
from eval_pipeline.orchestration.resources import Project


def test_a_question_without_template_goes_to_the_bucket_of_its_own_id():
    questions = pl.DataFrame({"question_id": ["q2", "q1", "q3"]})
    gold = pl.DataFrame(
        {"question_id": ["q1", "q1", "q2"], "position": [1, 2, 1], "unit_id": ["u1", "u2", "elsewhere"]},
    )
    members = pl.DataFrame({"unit_id": ["u1", "u2"], "template_id": ["t1", "t2"], "template_bucket": ["07", "09"]})
    found = with_buckets(questions, gold, members)
    assert found.rows() == [("q1", "t1", "07"), ("q2", None, bucket_of("q2")), ("q3", None, bucket_of("q3"))]


def test_a_judge_is_made_by_its_name(a_project):
    assert judge_of(Project(home=str(a_project.home)), "text").name == "text"


def test_pool_settings_follow_the_declaration(a_project):
    project = Project(home=str(a_project.home))
    before = pool_settings(project)
    a_project.config.write_text(
        a_project.config.read_text().replace("axes: [period, metric,", "axes: [metric, period,")
    )
    assert pool_settings(project) != before


@pytest.mark.road
def test_asked_is_the_union_over_contracts(road_home):
    project = Project(home=str(road_home))
    asked = read_asked(project)
    assert asked.questions["question_id"].is_unique().all()
    assert asked.gold.join(asked.questions, on="question_id", how="anti").is_empty()
    assert asked.posed.join(asked.questions, on="question_id", how="anti").is_empty()
    assert set(asked.questions["origin"]) == {"written", "qualified"}
    assert set(asked.posed["slice"].drop_nulls()) == {"main", "under-specified"}
    one = read_question_set(project, judge=judge_of(project, "text"), policy="drop")
    assert one.questions.equals(asked.questions)
