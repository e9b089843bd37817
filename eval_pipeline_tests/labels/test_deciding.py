from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eval_pipeline.foundation.tables.labels import GRADES
from eval_pipeline.labels.deciding import Decision, decide, state_of_pair, take_back, voices_of
from eval_pipeline.labels.in_force import labels_in_force
from eval_pipeline.labels.rows import to_label_rows

NOW = datetime(2025, 1, 1, tzinfo=UTC)


def say(grade, author="ann", **changes):
    usual = {"question_id": "q", "unit_id": "u", "relation": "evidence", "author_kind": "human", "is_blind": True}
    return Decision(**{**usual, "grade": grade, "author": author, "decided_at_utc": NOW, **changes})


def test_the_same_decision_again_is_no_second_row():
    made = decide(say("sufficient"), existing=to_label_rows([]))
    assert [row.grade for row in made] == ["sufficient"]
    assert decide(say("sufficient", decided_at_utc=NOW + timedelta(hours=1)), existing=to_label_rows(made)) == []


def test_a_changed_mind_replaces_and_both_rows_remain():
    first = decide(say("sufficient"), existing=to_label_rows([]))
    second = decide(say("irrelevant"), existing=to_label_rows(first))
    assert second[0].replaces_label_id == first[0].label_id
    rows = to_label_rows([*first, *second])
    assert rows.height == 2
    assert [voice.grade for voice in voices_of(rows, "q", "u")] == ["irrelevant"]


def test_undo_is_a_retraction_and_what_comes_after_replaces_that():
    rows = to_label_rows(first := decide(say("sufficient"), existing=to_label_rows([])))
    undone = take_back(first[0].label_id, existing=rows, author="ann", is_blind=True, now=NOW)
    assert [(row.grade, row.replaces_label_id) for row in undone] == [(None, first[0].label_id)]
    rows = to_label_rows([*first, *undone])
    assert voices_of(rows, "q", "u") == []
    assert take_back(first[0].label_id, existing=rows, author="ann", is_blind=True, now=NOW) == []
    assert take_back(undone[0].label_id, existing=rows, author="ann", is_blind=True, now=NOW) == []
    again = decide(say("sufficient"), existing=rows)
    assert again[0].replaces_label_id == undone[0].label_id
    assert to_label_rows([*first, *undone, *again]).height == 3


def test_nobody_takes_back_what_another_or_a_machine_said(judge):
    by_judge = judge("sufficient", "text", author_kind="judge", judge_id="jdg")
    by_truth = judge("sufficient", "demo generator", author_kind="generator-truth")
    rows = to_label_rows([by_judge, by_truth, judge("irrelevant", "ben")])
    for row in rows.iter_rows(named=True):
        assert take_back(row["label_id"], existing=rows, author="ann", is_blind=True, now=NOW) == []
    for row in (by_judge, by_truth):
        assert take_back(row.label_id, existing=rows, author=row.author, is_blind=True, now=NOW) == []


def test_an_author_who_stands_twice_is_left_with_one_voice(judge):
    rows = to_label_rows([judge("sufficient"), judge("supporting")])
    made = decide(say("irrelevant"), existing=rows)
    assert sorted(str(row.grade) for row in made) == ["None", "irrelevant"]
    merged = to_label_rows([judge("sufficient"), judge("supporting"), *made])
    assert [voice.grade for voice in voices_of(merged, "q", "u")] == ["irrelevant"]


def test_state_names_the_rows_of_persons_so_it_changes_with_what_persons_say_and_not_with_judges(judge):
    none = to_label_rows([])
    by_judge = to_label_rows([judge("sufficient", "text", author_kind="judge", judge_id="jdg")])
    by_person = to_label_rows([judge("sufficient", "ben")])
    assert state_of_pair(none, "q", "u") == state_of_pair(by_judge, "q", "u")
    assert state_of_pair(by_person, "q", "u") not in (state_of_pair(none, "q", "u"), state_of_pair(by_person, "q", "v"))


@settings(deadline=None, max_examples=60)
@given(st.lists(st.one_of(st.sampled_from(GRADES), st.just("undo")), max_size=12))
def test_after_any_keys_the_label_in_force_is_the_last_decision(keys):
    rows, said = to_label_rows([]), None
    for number, key in enumerate(keys):
        at = NOW + timedelta(seconds=number)
        if key == "undo":
            standing = voices_of(rows, "q", "u")
            made = [
                row
                for voice in standing
                for row in take_back(voice.label_id, existing=rows, author="ann", is_blind=True, now=at)
            ]
            said = None
        else:
            made, said = decide(say(key, decided_at_utc=at), existing=rows), key
        before = rows.height
        rows = rows.vstack(to_label_rows(made))
        assert rows["label_id"].n_unique() == rows.height == before + len(made)
    found = labels_in_force(labels=rows, judge_name="text")
    assert found["grade"].to_list() == ([said] if said else [])


@pytest.mark.parametrize("third", ["sufficient", "irrelevant"])
def test_two_who_differ_are_contested_until_a_third_decides(third):
    rows = to_label_rows([])
    for author, grade in (("ann", "sufficient"), ("ben", "irrelevant")):
        rows = rows.vstack(to_label_rows(decide(say(grade, author), existing=rows)))
    assert labels_in_force(labels=rows, judge_name="text").select("grade", "state").row(0) == (None, "contested")
    rows = rows.vstack(to_label_rows(decide(say(third, "cem"), existing=rows)))
    assert labels_in_force(labels=rows, judge_name="text").select("grade", "state").row(0) == (third, "adjudicated")
