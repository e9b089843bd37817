"""Pairs to judge and the labels in force."""

import polars as pl
import pytest

from eval_pipeline.orchestration.assets.labels import in_slices
from eval_pipeline.orchestration.question_sets import QuestionSet, read_asked
from eval_pipeline.orchestration.resources import Project


def test_only_questions_of_some_slice_are_worth_a_label():
    questions = pl.DataFrame({"question_id": ["q3", "q1", "q2"], "text": ["c", "a", "b"]})
    posed = pl.DataFrame({"question_id": ["q1", "q2", "q3", "q3"], "slice": ["main", None, "under-specified", None]})
    nothing = pl.DataFrame()
    asked = QuestionSet(questions=questions, gold=nothing, unit_pools=nothing, posed=posed)
    assert in_slices(asked)["question_id"].to_list() == ["q1", "q3"]


@pytest.mark.road
def test_every_candidate_has_a_pre_label_or_a_recorded_abstention(road_home):
    project = Project(home=str(road_home))
    questions = in_slices(read_asked(project)).select("question_id")
    candidates = project.read("labels/candidates_of", frames={"wanted": questions})
    labels = project.read("labels/labels_of", frames={"wanted": questions})
    judged = labels.filter(author_kind="judge")
    pairs = candidates.select("question_id", "unit_id").unique()
    assert pairs.join(judged, on=["question_id", "unit_id"], how="anti").is_empty()


@pytest.mark.road
def test_the_stand_in_is_never_called_human_and_decides_blind(road_home):
    with Project(home=str(road_home)).session() as ledger:
        labels = ledger.table("labels.label")
    assert set(labels["author_kind"]) == {"judge", "generator-truth"}
    assert labels.filter(author_kind="generator-truth")["is_blind"].all()
