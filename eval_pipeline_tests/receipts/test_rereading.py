"""Stored rows in the shape in which they are scored: a receipt stands for its question."""

import polars as pl

from eval_pipeline.receipts.rereading import StoredEvidence, asked_by, joint_sets_of, ranked_again, ranked_rows

STORED = StoredEvidence(
    receipts=pl.DataFrame(
        {
            "receipt_id": ["rcp_1", "rcp_2"],
            "question_id": ["q", "q"],
            "variant_id": ["v", "v"],
            "arena": ["siblings", "corpus"],
            "n_read": [2, 1],
        }
    ),
    units=pl.DataFrame({"receipt_id": ["rcp_1", "rcp_1", "rcp_2"], "rank": [1, 2, 1], "unit_id": ["s", "g", "x"]}),
    receipt_labels=pl.DataFrame({"receipt_id": ["rcp_1", "rcp_1", "rcp_2"], "label_id": ["l1", "set", "l1"]}),
    negatives=pl.DataFrame({"receipt_id": ["rcp_1"], "negative_unit_id": ["s"], "axis": ["period"], "rank": [1]}),
    labels=pl.DataFrame({"label_id": ["l1"], "question_id": ["q"], "unit_id": ["g"], "grade": ["sufficient"]}),
    gold=pl.DataFrame({"question_id": ["q"], "position": [1], "unit_id": ["g"]}),
    contracts=pl.DataFrame(),
    variants=pl.DataFrame({"variant_id": ["v"], "is_control": [False]}),
    rankings=pl.DataFrame(
        {
            "variant_id": ["v"] * 3,
            "question_id": ["q"] * 3,
            "stage": ["final"] * 3,
            "rank": [1, 2, 3],
            "unit_id": ["x", "s", "g"],
            "score": [3.0, 2.0, 1.0],
        }
    ),
    joint_sets=pl.DataFrame({"joint_set_id": ["set"], "question_id": ["q"], "unit_id": ["g"]}),
)


def test_rankings_are_restricted_again():
    found = ranked_again(STORED).sort("receipt_id", "rank")
    assert found.filter(pl.col("receipt_id") == "rcp_1")["unit_id"].to_list() == ["s", "g"]
    assert found.filter(pl.col("receipt_id") == "rcp_2")["unit_id"].to_list() == ["x", "s", "g"]


def test_units_carry_the_grades_of_the_labels_that_the_receipt_names():
    rows = ranked_rows(STORED, STORED.receipts, over_ties=False).sort("question_id", "rank")
    assert rows.select("question_id", "unit_id", "grade", "is_gold").rows() == [
        ("rcp_1", "s", None, False),
        ("rcp_1", "g", "sufficient", True),
        ("rcp_2", "x", None, False),
    ]


def test_r_and_sets_come_from_the_labels_that_the_receipt_names():
    asked = asked_by(STORED, STORED.receipts).sort("question_id")
    assert asked.select("n_relevant", "n_joint", "n_gold").rows() == [(1, 1, 1), (1, None, 1)]
    assert joint_sets_of(STORED, STORED.receipts).rows() == [("rcp_1", "set", "g")]
