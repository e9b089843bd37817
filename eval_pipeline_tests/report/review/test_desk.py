import polars as pl
import pytest

from eval_pipeline.foundation.errors import InputError, LedgerBusy, UnknownName
from eval_pipeline.labels.agreement import audit_agreement
from eval_pipeline.labels.in_force import labels_in_force

A, B = ("q1", "unit_a"), ("q1", "unit_b")
AUDIT = pl.DataFrame({"question_id": ["q1"], "is_drawn": [True], "inclusion_probability": [1.0]})


def decide(desk, pair, grade, author="ann", state=None):
    return desk.decide(pair, grade, author=author, state=desk.view(pair, author).state if state is None else state)


def rows_of(memory, **columns):
    wanted = [pl.col(name) == value for name, value in columns.items()]
    return memory.labels.filter(*wanted).sort("decided_at_utc")


def test_a_decision_is_recorded_at_once_and_its_pair_leaves_the_queue(desk, memory):
    pair = desk.next_pair("audit", "ann")
    outcome = decide(desk, pair, "supporting")
    (row,) = memory.labels.to_dicts()
    assert (row["label_id"], row["grade"], row["author"]) == (outcome.label_id, "supporting", "ann")
    assert (row["author_kind"], row["is_blind"]) == ("human", True)
    assert desk.next_pair("audit", "ann") != pair
    assert {state.name: (state.n_open, state.n_done) for state in desk.queues_for("ann")} == {
        "audit": (2, 1),
        "priority": (2, 0),
    }


def test_the_queues_are_apart_and_priority_asks_the_boundary_first(desk):
    assert desk.next_pair("priority", "ann") == ("q2", "unit_d")
    decide(desk, ("q2", "unit_d"), "sufficient")
    assert desk.next_pair("priority", "ann") == ("q2", "unit_a")
    decide(desk, ("q2", "unit_a"), "irrelevant")
    assert desk.next_pair("priority", "ann") is None
    assert desk.next_pair("audit", "ann") is not None
    with pytest.raises(UnknownName, match="no queue"):
        desk.next_pair("other", "ann")


def test_a_skipped_pair_comes_last_and_skipped_twice_after_the_others(desk):
    first = desk.next_pair("audit", "ann")
    desk.skip(first, "ann")
    second = desk.next_pair("audit", "ann")
    desk.skip(second, "ann")
    third = desk.next_pair("audit", "ann")
    assert len({first, second, third}) == 3
    assert desk.next_pair("audit", "ben") == first
    desk.skip(third, "ann")
    assert desk.next_pair("audit", "ann") == first
    desk.skip(first, "ann")
    assert desk.next_pair("audit", "ann") == second


def test_the_models_answer_is_hidden_until_the_reviewer_has_decided(desk):
    assert desk.view(A, "ann").answers is None
    assert desk.view(("q2", "unit_d"), "ann").is_urgent_for is None
    with pytest.raises(InputError, match="hidden until you have decided"):
        desk.reveal(A, "ann")
    decide(desk, A, "sufficient")
    assert desk.view(A, "ann").answers is None
    assert [one.outcome for one in desk.reveal(A, "ann")] == ["supporting"]
    assert [one.outcome for one in desk.view(A, "ann").answers] == ["supporting"]
    assert desk.view(A, "ben").answers is None


def test_what_others_say_is_hidden_until_the_reviewer_has_decided(desk):
    decide(desk, A, "sufficient", author="ben")
    before = desk.view(A, "ann")
    assert (before.others, before.is_contested, before.mine) == ((), False, None)
    decide(desk, A, "irrelevant")
    after = desk.view(A, "ann")
    assert [(voice.author, voice.grade) for voice in after.others] == [("ben", "sufficient")]
    assert after.is_contested


def test_undo_before_the_answer_was_seen_is_blind_and_takes_the_pair_out_of_agreement(desk, memory, judge):
    memory.add(judge("supporting", "text", author_kind="judge", judge_id="jdg"))
    desk.read_labels()
    outcome = decide(desk, A, "sufficient")
    pair, _ = desk.undo(outcome.label_id, author="ann")
    assert pair == A
    found = audit_agreement(labels=memory.labels, audit=AUDIT, judge_name="text")
    assert found.raw.reason == "no_audited_pairs"
    decide(desk, A, "supporting")
    assert rows_of(memory, author="ann")["is_blind"].to_list() == [True, True, True]
    assert audit_agreement(labels=memory.labels, audit=AUDIT, judge_name="text").raw.value == 1.0


def test_a_mind_changed_after_a_look_at_the_answer_does_not_enter_agreement(desk, memory, judge):
    memory.add(judge("supporting", "text", author_kind="judge", judge_id="jdg"))
    desk.read_labels()
    first = decide(desk, A, "sufficient")
    desk.reveal(A, "ann")
    desk.undo(first.label_id, author="ann")
    decide(desk, A, "supporting")
    assert rows_of(memory, author="ann")["is_blind"].to_list() == [True, False, False]
    assert audit_agreement(labels=memory.labels, audit=AUDIT, judge_name="text").raw.value == 0.0
    assert labels_in_force(labels=memory.labels, judge_name="text")["grade"].to_list() == ["supporting"]


def test_after_a_restart_nobody_knows_what_was_seen_so_a_changed_mind_is_not_blind(make_desk, memory):
    decide(make_desk(), A, "sufficient")
    decide(make_desk(), A, "supporting")
    assert rows_of(memory)["is_blind"].to_list() == [True, False]


def test_without_blind_the_answer_stands_there_and_the_row_says_so(make_desk, memory):
    desk = make_desk(is_blind=False)
    assert [one.outcome for one in desk.view(A, "ann").answers] == ["supporting"]
    assert desk.view(("q2", "unit_d"), "ann").is_urgent_for is not None
    decide(desk, A, "sufficient")
    assert memory.labels["is_blind"].to_list() == [False]


def test_lab_03_two_sessions_on_one_pair_both_count_and_the_second_is_told(desk, memory):
    ann_sees, ben_sees = desk.view(A, "ann").state, desk.view(A, "ben").state
    first = decide(desk, A, "sufficient", state=ann_sees)
    assert first.changed_by == ()
    stale = decide(desk, A, "irrelevant", author="ben", state=ben_sees)
    assert [(voice.author, voice.grade) for voice in stale.changed_by] == [("ann", "sufficient")]
    assert stale.is_contested
    fresh = desk.view(A, "cem").state
    assert decide(desk, A, "sufficient", author="cem", state=fresh).changed_by == ()
    twice = decide(desk, A, "irrelevant", author="ben", state=ben_sees)
    assert (twice.is_new, twice.label_id) == (False, stale.label_id)
    again = decide(desk, A, "sufficient", state=ann_sees)
    assert (again.is_new, again.label_id) == (False, first.label_id)
    assert rows_of(memory).select("author", "grade").rows() == [
        ("ann", "sufficient"),
        ("ben", "irrelevant"),
        ("cem", "sufficient"),
    ]


def test_lab_03_the_same_reviewer_in_two_windows_is_told_and_both_rows_remain(desk, memory):
    sees = desk.view(A, "ann").state
    decide(desk, A, "sufficient", state=sees)
    stale = decide(desk, A, "irrelevant", state=sees)
    assert [(voice.author, voice.grade) for voice in stale.changed_by] == [("ann", "sufficient")]
    assert not stale.is_contested
    assert memory.labels.height == 2


def test_lab_03_what_another_process_recorded_meanwhile_is_seen(desk, memory, judge):
    sees = desk.view(A, "ann").state
    memory.add(judge("supporting", "ben"))
    outcome = decide(desk, A, "irrelevant", state=sees)
    assert [(voice.author, voice.grade) for voice in outcome.changed_by] == [("ben", "supporting")]


def test_a_third_decides_what_two_contest(desk, memory):
    for author, grade in (("ann", "sufficient"), ("ben", "irrelevant")):
        decide(desk, B, grade, author=author)
    assert desk.next_pair("audit", "cem") == B
    assert not desk.view(B, "cem").is_contested
    decide(desk, B, "irrelevant", author="cem")
    assert labels_in_force(labels=memory.labels, judge_name="text")["grade"].to_list() == ["irrelevant"]


def test_a_busy_ledger_records_nothing_and_asking_again_is_safe(desk, memory):
    sees = desk.view(A, "ann").state
    memory.is_busy = True
    with pytest.raises(LedgerBusy, match="process 7"):
        decide(desk, A, "sufficient", state=sees)
    assert memory.labels.is_empty()
    assert desk.view(A, "ann").mine is None
    memory.is_busy = False
    assert decide(desk, A, "sufficient", state=sees).is_new


def test_each_decision_is_one_short_session(desk, memory):
    before = memory.n_sessions
    decide(desk, A, "sufficient")
    desk.view(B, "ann")
    desk.next_pair("audit", "ann")
    assert memory.n_sessions == before + 1


def test_undo_is_for_ones_own_and_twice_is_once(desk, memory):
    outcome = decide(desk, A, "sufficient")
    with pytest.raises(UnknownName):
        desk.undo(outcome.label_id, author="ben")
    assert desk.last_of("ann")[1].label_id == outcome.label_id
    assert desk.undo(outcome.label_id, author="ann")[1].is_new
    assert not desk.undo(outcome.label_id, author="ann")[1].is_new
    assert memory.labels.height == 2
    assert desk.last_of("ann") is None


def test_last_is_the_latest_that_still_stands(desk):
    first, second = decide(desk, A, "sufficient"), decide(desk, B, "irrelevant")
    assert desk.last_of("ann")[0] == B
    desk.undo(second.label_id, author="ann")
    assert desk.last_of("ann")[1].label_id == first.label_id


def test_what_is_not_up_for_review_cannot_be_seen_or_decided(desk):
    for pair in (("q9", "unit_a"), ("q1", "unit_9")):
        for act in (lambda pair=pair: desk.view(pair, "ann"), lambda pair=pair: desk.reveal(pair, "ann")):
            with pytest.raises(UnknownName, match="not up for review"):
                act()
        with pytest.raises(UnknownName):
            desk.decide(pair, "sufficient", author="ann", state="")


def test_minutes_left_are_known_from_the_reviewers_own_pace(desk, memory, judge):
    assert desk.queues_for("ann")[0].minutes_left is None
    for number in range(7):
        memory.add(judge("sufficient", "ann", unit_id=f"unit_{number}", decided_at_utc=desk._now()))
    desk.read_labels()
    assert desk.pace_of("ann").seconds == 10.0
    assert desk.queues_for("ann")[0].minutes_left == pytest.approx(3 * 10 / 60)
    assert desk.pace_of("ben").seconds is None


def test_a_receipt_leads_to_its_question(desk):
    assert desk.question_of("rcp_1") == "q1"
    with pytest.raises(UnknownName):
        desk.question_of("rcp_2")
