"""Figures name their receipts by one content-named list."""

import json

import polars as pl

from eval_pipeline.receipts.figures import FigureContext, make_figures
from eval_pipeline.receipts.identity import member_list_id
from eval_pipeline.tasks.contracts import parse_contract

CONTRACT = parse_contract(
    {
        "task": "t",
        "relation": "evidence",
        "query_form": "question text",
        "answer_unit": "page",
        "questions": {"slice": "main"},
        "judgment": {"grades": ["sufficient", "supporting", "irrelevant"], "judge": "text"},
        "measures": ["top@1"],
        "arenas": ["random"],
        "depth": 5,
        "limit": 5,
        "policies": {
            "unjudged": "irrelevant",
            "no_relevant": "zero",
            "missing_question": "zero",
            "unretrieved": "below",
            "answerable_distractor": "drop",
        },
        "slices": ["axis"],
        "resampling": {"unit": "question", "level": 0.95, "resamples": 100, "seed": 0},
        "asked_as": {"clearance": "public", "groups": []},
    },
    path="c.yaml",
)


def test_slices_that_hold_the_same_questions_share_one_list():
    scored = pl.DataFrame(
        {
            "question_id": ["q", "r"],
            "measure": ["top@1"] * 2,
            "value": [1.0, None],
            "reason": ["scored", "no_gold"],
            "n_unjudged": [0, 0],
            "is_missing": [False] * 2,
            "is_no_relevant": [False] * 2,
            "is_waiting": [False] * 2,
            "is_censored": [False] * 2,
            "chance": [0.2, None],
            "receipt_id": ["rcp_1", "rcp_2"],
            "arena_id": ["arena_1", "arena_2"],
            "n_candidates": [5, 7],
        }
    )
    questions = pl.DataFrame({"question_id": ["q", "r"], "axis": ["period", "period"]})
    context = FigureContext(
        contract=CONTRACT,
        evaluation_id="evl_1",
        variant_id="var_1",
        retrieval_run_id="run_1",
        batch_id="batch_1",
        label_snapshot_id="labels_1",
        is_late=True,
    )
    figures = make_figures(scored=scored, questions=questions, arena="random", context=context)
    assert figures.metrics.select("slice", "slice_value", "estimate", "n_questions", "n_scored").rows() == [
        ("all", "all", 1.0, 2, 1),
        ("axis", "period", 1.0, 2, 1),
    ]
    assert figures.metrics["is_late"].all()
    assert set(figures.metrics["n_candidates_max"]) == {5}
    assert [json.loads(text) for text in figures.metrics["policy_counts"]] == [{"without value: no_gold": 1}] * 2
    assert figures.lists.rows() == [(member_list_id(["rcp_1", "rcp_2"]), '["rcp_1","rcp_2"]', 2)]
    assert figures.metrics["metric_id"].n_unique() == 2
