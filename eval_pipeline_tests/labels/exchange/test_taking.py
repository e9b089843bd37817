from datetime import UTC, datetime, timedelta

import pytest

from eval_pipeline.corpus.refusals import Refusal
from eval_pipeline.labels.exchange.rows import ReadFile
from eval_pipeline.labels.exchange.taking import take_labels
from eval_pipeline.labels.rows import to_label_rows

NOW = datetime(2025, 3, 1, tzinfo=UTC)


def take(*rows, existing=None, refused=(), kind="human"):
    return take_labels(
        ReadFile(name="labels.csv", content_hash="c" * 64, rows=rows, refused=refused),
        relation_of={"q": "evidence"},
        unit_ids={"unit_u", "unit_v"},
        existing=to_label_rows([]) if existing is None else existing,
        author_kind=kind,
        now=NOW,
    )


def labels_of(made):
    return made.tables["labels.label"]


def refusals_of(made):
    return [(row["place"], row["reason"]) for row in made.tables["corpus.quarantine"].iter_rows(named=True)]


def test_a_row_becomes_a_label(in_row):
    row = labels_of(take(in_row(reason="line 3", grade=" Sufficient".strip()))).row(0, named=True)
    told = {name: row[name] for name in ("grade", "author", "author_kind", "reason", "is_blind", "relation")}
    assert told == {
        "grade": "sufficient",
        "author": "ann",
        "author_kind": "human",
        "reason": "line 3",
        "is_blind": True,
        "relation": "evidence",
    }
    assert row["decided_at_utc"] == NOW


@pytest.mark.parametrize(
    ("changes", "reason", "told"),
    [
        ({"question_id": "q9"}, "unknown question", "'q9'"),
        ({"unit_id": "unit_9"}, "unknown unit", "'unit_9'"),
        ({"grade": "good"}, "unknown grade", "'good' is none of sufficient, supporting, irrelevant"),
        ({"reviewer": ""}, "reviewer missing", "without the name"),
        ({"author_kind": "generator-truth"}, "unknown author kind", "human, developer"),
        ({"author_kind": "judge"}, "unknown author kind", "human, developer"),
        ({"blind": "perhaps"}, "unreadable blind", "'perhaps'"),
        ({"decided_at": "yesterday"}, "unreadable time", "'yesterday'"),
        ({"decided_at": "2025-01-01T10:00:00"}, "unreadable time", "with a zone"),
    ],
)
def test_a_bad_row_is_refused_with_file_row_and_reason_and_the_rest_goes_on(in_row, changes, reason, told):
    made = take(in_row(place="line 2", **changes), in_row(place="line 3", unit_id="unit_v"))
    assert labels_of(made)["unit_id"].to_list() == ["unit_v"]
    (refused,) = made.tables["corpus.quarantine"].to_dicts()
    assert (refused["source_path"], refused["place"], refused["reason"]) == ("labels.csv", "line 2", reason)
    assert told in refused["detail"]
    assert "import the file again" in refused["next_step"]
    assert made.summary == {"rows": 2, "new labels": 1, "known already": 0, "undecided": 0, "refused": 1}


def test_of_equal_rows_the_first_is_taken_and_of_conflicting_ones_none(in_row):
    same = take(in_row(place="line 2"), in_row(place="line 5"))
    assert labels_of(same).height == 1
    assert refusals_of(same) == [("line 5", "duplicate row")]
    differ = take(
        in_row(place="line 2"), in_row(place="line 5", grade="irrelevant"), in_row(place="line 6", reviewer="ben")
    )
    assert labels_of(differ)["author"].to_list() == ["ben"]
    assert refusals_of(differ) == [("line 2", "conflicting rows"), ("line 5", "conflicting rows")]


def test_two_reviewers_on_one_pair_both_count(in_row):
    assert labels_of(take(in_row(), in_row(reviewer="ben", grade="irrelevant"))).height == 2


def test_undecided_rows_are_counted_and_are_no_fault(in_row):
    made = take(in_row(grade="", reviewer=""))
    assert (labels_of(made).height, refusals_of(made), made.summary["undecided"]) == (0, [], 1)


@pytest.mark.parametrize("decided_at", ["", "2025-02-01T10:30:00.123456+00:00"])
def test_the_same_file_twice_adds_nothing_not_even_after_a_changed_mind(in_row, judge, decided_at):
    row = in_row(decided_at=decided_at)
    first = labels_of(take(row))
    again = take(row, existing=first)
    assert (labels_of(again).height, again.summary["known already"]) == (0, 1)
    changed = judge(
        "irrelevant",
        unit_id="unit_u",
        replaces_label_id=first.item(0, "label_id"),
        decided_at_utc=NOW + timedelta(days=1),
    )
    assert labels_of(take(row, existing=first.vstack(to_label_rows([changed])))).height == 0
    undone = judge(
        None, unit_id="unit_u", replaces_label_id=first.item(0, "label_id"), decided_at_utc=NOW + timedelta(days=1)
    )
    assert labels_of(take(row, existing=first.vstack(to_label_rows([undone])))).height == 0


def test_a_new_grade_replaces_what_the_reviewer_said(in_row):
    first = labels_of(take(in_row()))
    second = labels_of(take(in_row(grade="supporting"), existing=first))
    assert second["replaces_label_id"].to_list() == first["label_id"].to_list()


def test_a_row_older_than_what_stands_adds_nothing(in_row, judge):
    standing = to_label_rows([judge("irrelevant", unit_id="unit_u", decided_at_utc=NOW)])
    assert labels_of(take(in_row(decided_at="2025-02-01T00:00:00Z"), existing=standing)).height == 0


def test_a_file_that_does_not_say_is_not_blind(in_row):
    assert labels_of(take(in_row(blind="")))["is_blind"].to_list() == [False]


def test_rows_that_cannot_be_read_are_refused_with_the_others(in_row):
    bad = Refusal(source_path="labels.csv", place="line 9", reason="unreadable row", detail="x", next_step="y")
    made = take(in_row(), refused=(bad,))
    assert refusals_of(made) == [("line 9", "unreadable row")]
    assert made.summary["rows"] == 2


def test_the_kind_of_the_file_is_the_kind_of_rows_that_do_not_say(in_row):
    made = take(in_row(), in_row(reviewer="ben", author_kind="human"), kind="developer")
    assert dict(labels_of(made).select("author", "author_kind").iter_rows()) == {"ann": "developer", "ben": "human"}
