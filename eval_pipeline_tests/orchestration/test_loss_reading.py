"""Where the evidence was, read from a project that was run."""

import polars as pl
import pytest

from eval_pipeline.orchestration.evaluating import lay_ground
from eval_pipeline.orchestration.loss_reading import (
    adds_raw_scores,
    count_by_slice,
    read_waterfalls,
    tabulate_losses,
    tabulate_recalls,
    tell_merging,
)
from eval_pipeline.orchestration.resources import Project


def fusion(**settings):
    return {"fusion": {"kind": "sum", "normalize": "none", "k": 60, "weights": {}, **settings}}


def test_how_lists_are_merged_in_words():
    assert tell_merging({"type": "image"}) == ""
    assert tell_merging(fusion()) == "raw scores were added"
    assert (
        tell_merging(fusion(kind="rrf", weights={"a": 2}))
        == "ranks were fused as 1 / (60 + rank) with the declared weights"
    )
    assert tell_merging(fusion(normalize="zscore")) == "scores were normalised by zscore and added"
    assert [adds_raw_scores(item) for item in ({}, fusion(), fusion(kind="rrf"), fusion(normalize="rank"))] == [
        False,
        True,
        False,
        False,
    ]


def test_questions_by_slice_and_loss():
    counted = pl.DataFrame(
        {
            "question_id": ["q1", "q2", "q3", "q4"],
            "value": [1.0, 0.0, 0.0, 0.0],
            "stage_loss": [None, "fusion", "cut-off", None],
        }
    )
    questions = pl.DataFrame(
        {
            "question_id": ["q1", "q2", "q3", "q4"],
            "template": ["t", "t", "u", "t"],
            "axis": [["period"], ["period", "metric"], [], ["metric"]],
        }
    )
    assert count_by_slice(counted, questions, ["template", "axis"]).rows() == [
        ("axis", "metric", "fusion", 1),
        ("axis", "period", "found", 1),
        ("axis", "period", "fusion", 1),
        ("template", "t", "found", 1),
        ("template", "t", "fusion", 1),
        ("template", "u", "cut-off", 1),
    ]


@pytest.mark.road
def test_every_lost_receipt_is_a_row_and_the_other_way_round(road_home):
    project = Project(home=str(road_home))
    ground = lay_ground(project, project.contracts[0])
    found = read_waterfalls(project, ground)
    assert [one.variant for one in found] == ["image", "text", "hybrid", "hybrid-rawsum"]
    params = {"evaluation_id": ground.basis.evaluation_id}
    stored = project.read("receipts/losses_of", **params)
    for one in found:
        counted = dict(stored.filter(pl.col("variant") == one.variant).select("stage", "n").iter_rows())
        assert dict(one.traced.group_by("stage_loss").len().iter_rows()) == counted
        assert one.recalls.final.n == one.n_questions
        assert one.latency["all"][0] > 0
    assert tabulate_recalls(found)["variant"].to_list() == [one.variant for one in found]
    assert tabulate_losses(found).height == sum(one.traced.height for one in found)
