from datetime import UTC, datetime

from eval_pipeline.labels.rows import to_label_rows
from eval_pipeline.report.review.history import history_of, pairs_of, standing_of


def at(hour):
    return datetime(2025, 1, 1, hour, tzinfo=UTC)


def test_both_rows_of_an_undone_label_are_told_newest_first(judge):
    first = judge("sufficient", "ann", decided_at_utc=at(1))
    back = judge(None, "ann", replaces_label_id=first.label_id, decided_at_utc=at(2))
    rows = history_of(to_label_rows([first, back]), author="ann", author_kind="human")
    assert [(row["grade"], row["stands"]) for row in rows] == [(None, False), ("sufficient", False)]


def test_others_are_told_of_only_on_pairs_that_the_reviewer_has_decided(judge):
    rows = to_label_rows(
        [
            judge("sufficient", "ann", decided_at_utc=at(3)),
            judge("irrelevant", "ben", decided_at_utc=at(1)),
            judge("irrelevant", "ben", unit_id="unit_b", decided_at_utc=at(2)),
            judge("irrelevant", "text", author_kind="judge", judge_id="jdg"),
        ]
    )
    told = history_of(rows, author="ann", author_kind="human")
    assert [(row["author"], row["unit_id"], row["is_mine"]) for row in told] == [
        ("ann", "unit_a", True),
        ("ben", "unit_a", False),
    ]


def test_another_kind_of_the_same_name_is_another_voice(judge):
    rows = to_label_rows([judge("sufficient", "ann", author_kind="developer")])
    assert standing_of(rows, author="ann", author_kind="human").is_empty()


def test_pairs_of_a_question_stand_in_queue_order_with_the_own_label(basis, judge):
    rows = to_label_rows([judge("sufficient", "ann", unit_id="unit_b"), judge("irrelevant", "ben", unit_id="unit_c")])
    found = pairs_of("q1", queued=basis.queued, labels=rows, author="ann", author_kind="human")
    assert [queue for _, queue, _ in found] == ["audit"] * 3
    assert {pair[1]: mine.grade if mine else None for pair, _, mine in found} == {
        "unit_a": None,
        "unit_b": "sufficient",
        "unit_c": None,
    }
