"""Evidence as it reads in one arena."""

import polars as pl
import pytest

from eval_pipeline.receipts.evidence import EMPTY_ARENA_ID, gather_evidence, view_arena


def frame(schema, rows):
    types = {"rank": pl.Int64, "position": pl.Int64, "score": pl.Float64}
    return pl.DataFrame(rows, schema={name: types.get(name, pl.String) for name in schema.split()}, orient="row")


def the_evidence(**changes):
    given = {
        "questions": frame("question_id", [("q",), ("r",)]),
        "gold": frame("question_id position unit_id", [("q", 1, "g")]),
        "arenas": frame("question_id arena unit_id axis rank", [("q", "siblings", "s", "period", 1)]),
        "rankings": frame(
            "question_id stage rank unit_id score", [("q", "final", 1, "s", 2.0), ("q", "final", 2, "x", 1.0)]
        ),
        "labels": frame(
            "question_id unit_id grade label_id state",
            [
                ("q", "g", "sufficient", "lbl_1", "given"),
                ("q", "x", None, "lbl_2", "contested"),
                ("q", "s", None, "lbl_3", "waiting"),
                ("r", "s", "sufficient", "lbl_4", "given"),
            ],
        ),
        "answered": None,
        "waiting": None,
        "joint_sets": frame("question_id joint_set_id unit_id", [("q", "set", "g"), ("q", "set", "x")]),
        "pools": frame("question_id pool_id", [("q", "pool_1")]),
        "excluded": None,
        "hidden": None,
        "corpus_units": None,
    }
    return gather_evidence(**{**given, **changes})


def test_labels_of_other_questions_and_contested_pairs_are_no_labels_here():
    view = view_arena(the_evidence(), "corpus")
    assert view.ranked.select("unit_id", "grade", "is_waiting").rows() == [("s", None, True), ("x", None, False)]
    assert view.labels["label_id"].to_list() == ["lbl_1", "lbl_4"]


def test_counts_are_over_the_candidates():
    siblings = view_arena(the_evidence(), "siblings").questions.row(0, named=True)
    assert (siblings["n_candidates"], siblings["n_relevant"], siblings["n_joint"], siblings["n_gold"]) == (2, 1, 0, 1)
    assert siblings["pool_id"] == "pool_1"
    corpus = view_arena(the_evidence(), "corpus").questions.row(0, named=True)
    assert (corpus["n_candidates"], corpus["n_relevant"], corpus["n_joint"], corpus["pool_id"]) == (None, 1, 1, None)


def test_a_question_without_gold_or_negatives_has_no_arena():
    rows = view_arena(the_evidence(), "siblings").questions
    assert rows["excluded"].to_list() == [None, "no_gold"]
    assert rows["arena_id"][1] == EMPTY_ARENA_ID
    nothing = the_evidence(arenas=frame("question_id arena unit_id axis rank", []))
    assert view_arena(nothing, "siblings").questions["excluded"].to_list() == ["no_negatives", "no_gold"]


@pytest.mark.parametrize(("answered", "is_run"), [(None, [True, False]), ([("r", "final")], [True, True])])
def test_an_empty_answer_counts_as_run(answered, is_run):
    lists = None if answered is None else frame("question_id stage", answered)
    assert view_arena(the_evidence(answered=lists), "corpus").questions["is_run"].to_list() == is_run
