"""What a measure reads, by policy and over ties."""

import polars as pl
import pytest

from eval_pipeline.metrics.names import parse_measure
from eval_pipeline.receipts.evidence import ArenaView
from eval_pipeline.receipts.rows import Reading, number_ties
from eval_pipeline.tasks.contracts import parse_contract

RANKED = pl.DataFrame(
    {
        "question_id": ["q"] * 6,
        "rank": [1, 2, 3, 4, 5, 6],
        "unit_id": list("abcdef"),
        "score": [3.0, 2.0, 2.0, 2.0, 1.0, 0.0],
        "label_id": ["l1", None, "l2", None, None, None],
    }
)
LABELS = pl.DataFrame(
    {
        "question_id": ["q"] * 3,
        "unit_id": ["a", "c", "z"],
        "grade": ["irrelevant", "supporting", "sufficient"],
        "label_id": ["l1", "l2", "l9"],
    }
)
SETS = pl.DataFrame({"question_id": ["q"], "joint_set_id": ["set"], "unit_id": ["a"]})
VIEW = ArenaView(
    arena="corpus", ranked=RANKED, questions=pl.DataFrame(), labels=LABELS, joint_sets=SETS, candidates=None
)


def reading(measure, *, unjudged="irrelevant", over_ties=False):
    contract = parse_contract(
        {
            "task": "t",
            "relation": "evidence",
            "query_form": "question text",
            "answer_unit": "page",
            "questions": {"slice": "main"},
            "judgment": {"grades": ["sufficient", "supporting", "irrelevant"], "judge": "text"},
            "measures": [measure],
            "arenas": ["corpus"],
            "depth": 10,
            "limit": 5,
            "policies": {
                "unjudged": unjudged,
                "no_relevant": "zero",
                "missing_question": "zero",
                "unretrieved": "below",
                "answerable_distractor": "drop",
            },
            "slices": [],
            "resampling": {"unit": "question", "level": 0.95, "resamples": 100, "seed": 0},
            "asked_as": {"clearance": "public", "groups": []},
        },
        path="c.yaml",
    )
    return Reading(
        view=VIEW, measure=parse_measure(measure), contract=contract, variant_id="var_1", over_ties=over_ties
    )


@pytest.mark.parametrize(
    ("measure", "options", "units"),
    [
        ("sufficient@2", {}, "ab"),
        ("sufficient@2", {"unjudged": "condense"}, "abcde"),
        ("top@2", {"unjudged": "condense"}, "ab"),
        ("judged@2", {"unjudged": "condense"}, "ab"),
        ("sufficient@2", {"over_ties": True}, "abcd"),
        ("sufficient@1", {"over_ties": True}, "a"),
        ("sufficient@2", {"over_ties": True, "unjudged": "condense"}, "abcdef"),
    ],
)
def test_units_read(measure, options, units):
    assert "".join(reading(measure, **options).read_units()["unit_id"]) == units


@pytest.mark.parametrize(
    ("measure", "labels"),
    [
        ("top@3", set()),
        ("judged@1", {"l1"}),
        ("sufficient@1", {"l1", "l9"}),
        ("ndcg@1", {"l1", "l2", "l9"}),
        ("sufficient_set@1", {"l1", "l9", "set"}),
    ],
)
def test_labels_rested_on(measure, labels):
    one = reading(measure)
    assert set(one.resting_labels(one.read_units())["label_id"]) == labels


def test_ties_are_numbered():
    assert number_ties(RANKED.reverse())["tie"].to_list() == [1, 2, 2, 2, 3, 4]
