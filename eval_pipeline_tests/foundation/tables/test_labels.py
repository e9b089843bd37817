from datetime import UTC, datetime

import polars as pl

from eval_pipeline.foundation.tables import labels


def test_grades_and_authors_are_the_named_ones():
    allowed = {column.name: column.allowed for column in labels.LABEL.columns}
    assert allowed["grade"] == labels.GRADES == ("sufficient", "supporting", "irrelevant")
    assert allowed["author_kind"] == labels.AUTHOR_KINDS


def test_retraction_is_a_label_without_a_grade_that_replaces_one():
    row = {"label_id": "l2", "question_id": "q", "unit_id": "u", "relation": "evidence", "grade": None,
           "author_kind": "human", "author": "a", "reason": "", "is_blind": True, "replaces_label_id": "l1",
           "decided_at_utc": datetime(2026, 1, 1, tzinfo=UTC)}  # fmt: skip
    assert labels.LABEL.frame([row])["grade"].to_list() == [None]


def test_author_kind_that_is_not_known_is_refused():
    frame = labels.JOINT_SET.empty().vstack(
        pl.DataFrame([("j", "q", "u", "robot", "r")], labels.JOINT_SET.schema, orient="row")
    )
    assert labels.JOINT_SET.check(frame).rejected["rule"][0].startswith("author_kind is none of human")
