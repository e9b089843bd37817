"""Two nights whose corpora differ, scored again: only what the retriever did makes a difference."""

from dataclasses import dataclass

import polars as pl
import pytest

from eval_pipeline.foundation.errors import InputError
from eval_pipeline.metrics.comparing import compare_all
from eval_pipeline.metrics.sharing import share_questions
from eval_pipeline.receipts.rescoring import Night, Tonight, score_again, share_candidates
from eval_pipeline.tasks.contracts import parse_contract

CONTRACT = {
    "task": "small",
    "relation": "evidence",
    "query_form": "question text",
    "answer_unit": "page",
    "questions": {"slice": "main"},
    "judgment": {"grades": ["sufficient", "supporting", "irrelevant"], "judge": "text"},
    "measures": ["sufficient@1", "top@1"],
    "arenas": ["siblings", "corpus"],
    "depth": 10,
    "limit": 5,
    "policies": {
        "unjudged": "irrelevant",
        "no_relevant": "exclude",
        "missing_question": "exclude",
        "unretrieved": "below",
        "answerable_distractor": "drop",
    },
    "slices": [],
    "resampling": {"unit": "question", "level": 0.95, "resamples": 500, "seed": 7},
    "asked_as": {"clearance": "restricted", "groups": []},
}


@dataclass(frozen=True, kw_only=True)
class AVariant:
    variant_id: str = "var_1"
    name: str = "image"
    is_control: bool = False


def frame(columns, *rows):
    types = {"rank": pl.Int64, "position": pl.Int64, "score": pl.Float64}
    return pl.DataFrame(list(rows), schema={name: types.get(name, pl.String) for name in columns.split()}, orient="row")


def night(name, rankings, candidates):
    rows = [
        (question, "arena:siblings", place, unit, 10.0 - place)
        for question, units in rankings.items()
        for place, unit in enumerate(units, start=1)
    ]
    return Night(
        name=name,
        variant=AVariant(),
        retrieval_run_id=f"run of {name}",
        rankings=frame("question_id stage rank unit_id score", *rows),
        answered=frame("question_id stage", *((question, "arena:siblings") for question in rankings)),
        candidates=frame("question_id unit_id", *candidates),
    )


def tonight(**changes):
    given = {
        "contract": parse_contract(CONTRACT, path="small.yaml"),
        "questions": frame("question_id", ("q1",), ("q2",), ("q3",)),
        "gold": frame("question_id position unit_id", ("q1", 1, "g1"), ("q2", 1, "g2"), ("q3", 1, "g3")),
        "arenas": frame(
            "question_id arena unit_id axis rank",
            ("q1", "siblings", "old", "period", 1),
            ("q1", "siblings", "new", "period", 2),
            ("q2", "siblings", "old", "period", 1),
            ("q3", "siblings", "new", "period", 1),
        ),
        "labels": frame(
            "question_id unit_id grade label_id",
            ("q1", "g1", "sufficient", "l1"),
            ("q2", "g2", "sufficient", "l2"),
            ("q2", "old", "sufficient", "l3"),
            ("q3", "g3", "sufficient", "l4"),
        ),
        "joint_sets": frame("question_id joint_set_id unit_id"),
        "waiting": frame("question_id unit_id"),
        "excluded": frame("question_id arena reason"),
        "hidden": frame("unit_id"),
        "batch_id": "batch_2",
        "label_snapshot_id": "labels_2",
    }
    return Tonight(**{**given, **changes})


YESTERDAY = night(
    "yesterday", {"q1": ["g1", "old", "gone"], "q2": ["old", "g2"]}, [("q1", "old"), ("q1", "gone"), ("q2", "old")]
)
TODAY = night(
    "today",
    {"q1": ["new", "g1", "old"], "q2": ["g2", "old"], "q3": ["g3", "new"]},
    [("q1", "old"), ("q1", "new"), ("q2", "old"), ("q3", "new")],
)


def test_a_page_that_came_makes_no_difference():
    """Today's q1 has a new page first; without it both nights put the answer first."""
    scores = score_again([YESTERDAY, TODAY], tonight(), arena="siblings", measure="sufficient@1")
    assert dict(scores["today"].values.select("question_id", "value").iter_rows()) == {"q1": 1.0, "q2": 1.0}
    assert scores["today"].values["question_id"].to_list() == ["q1", "q2"]


def test_both_nights_stand_under_tonights_labels():
    """`old` answers q2 by a label of tonight, so yesterday's list was right too."""
    scores = score_again([YESTERDAY, TODAY], tonight(), arena="siblings", measure="sufficient@1")
    assert dict(scores["yesterday"].values.select("question_id", "value").iter_rows()) == {"q1": 1.0, "q2": 1.0}
    before = score_again([YESTERDAY, TODAY], tonight(), arena="siblings", measure="top@1")["yesterday"]
    assert dict(before.values.select("question_id", "value").iter_rows()) == {"q1": 1.0, "q2": 0.0}


def test_what_came_out_is_compared_as_any_other():
    scores = score_again([YESTERDAY, TODAY], tonight(), arena="siblings", measure="top@1")
    shared, sides = share_questions(scores)
    (pair,) = compare_all(sides, level=0.95, resamples=100, seed=0)
    assert shared.question_ids == ("q1", "q2")
    assert (pair.one, pair.difference, pair.one_better) == ("today", 0.5, ("q2",))
    assert {one.denominator.label_snapshot_id for one in sides.values()} == {"labels_2"}


def test_candidates_are_those_of_every_night():
    shared = share_candidates(tonight().arenas, [YESTERDAY, TODAY])
    assert shared.select("question_id", "unit_id").rows() == [("q1", "old"), ("q2", "old")]


def test_the_corpus_of_an_earlier_night_is_no_list():
    with pytest.raises(InputError, match="restricted arenas only"):
        score_again([YESTERDAY, TODAY], tonight(), arena="corpus", measure="top@1")
