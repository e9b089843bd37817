import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eval_pipeline.foundation.ids import hash_unit
from eval_pipeline.labels.queues import (
    ANSWERS_SCHEMA,
    AUDIT,
    BOUNDARY,
    DISAGREE,
    RETRIEVED,
    UNGRADED,
    lay_queues,
    open_pairs,
)
from eval_pipeline.labels.rows import to_label_rows

RANKED = {"question_id": pl.String, "variant_name": pl.String, "rank": pl.Int64, "unit_id": pl.String}


def frame(rows, names=("question_id", "unit_id")):
    return pl.DataFrame(rows, schema=dict.fromkeys(names, pl.String), orient="row")


def lay(*, candidates=(), ranked=(), drawn=(), answers=(), k=5):
    return lay_queues(
        candidates=frame(list(candidates)),
        rankings=pl.DataFrame(list(ranked), schema=RANKED, orient="row"),
        drawn=list(drawn),
        answers=pl.DataFrame([(*row, "") for row in answers], schema=ANSWERS_SCHEMA, orient="row"),
        k=k,
        seed=0,
    )


def pairs_of(queued, queue):
    return queued.filter(pl.col("queue") == queue).select("question_id", "unit_id").rows()


def test_audit_holds_every_unit_in_any_variants_first_k_of_drawn_questions_and_no_other():
    ranked = [("q", "image", 1, "a"), ("q", "image", 2, "b"), ("q", "text", 2, "c"), ("q", "text", 3, "d")]
    found = lay(candidates=[("q", "gold"), ("q", "a")], ranked=ranked, drawn=["q"], k=2)
    assert set(pairs_of(found, "audit")) == {("q", "a"), ("q", "b"), ("q", "c")}
    assert pairs_of(found, "priority") == []
    assert found["urgency"].null_count() == 3


def test_the_queues_share_no_question():
    ranked = [(question, "image", 1, "a") for question in ("q1", "q2", "q3")]
    found = lay(ranked=ranked, drawn=["q2"])
    assert pairs_of(found, "audit") == [("q2", "a")]
    assert {question for question, _ in pairs_of(found, "priority")} == {"q1", "q3"}


def test_audit_goes_question_by_question_in_hash_order():
    questions = [f"q{number}" for number in range(6)]
    ranked = [(question, "image", rank, unit) for question in questions for rank, unit in ((1, "a"), (2, "b"))]
    found = [question for question, _ in pairs_of(lay(ranked=ranked, drawn=questions), "audit")]
    wanted = sorted(questions, key=lambda name: hash_unit(0, "audit", name))
    assert found == [name for name in wanted for _ in range(2)]


@pytest.mark.parametrize(
    ("said", "urgency"),
    [
        ([("text", "label", "sufficient"), ("vlm", "label", "supporting")], DISAGREE),
        ([("text", "label", "supporting"), ("text", "answers", "yes")], DISAGREE),
        ([("text", "label", "sufficient"), ("text", "answers", "no")], DISAGREE),
        ([("text", "label", "abstain")], UNGRADED),
        ([], UNGRADED),
        ([("text", "label", "supporting"), ("text", "answers", "no")], BOUNDARY),
        ([("text", "label", "sufficient"), ("vlm", "label", "sufficient")], BOUNDARY),
        ([("text", "label", "irrelevant"), ("text", "answers", "abstain")], RETRIEVED),
    ],
)
def test_why_a_pair_can_change_a_result(said, urgency):
    found = lay(ranked=[("q", "image", 1, "a")], answers=[("q", "a", *one) for one in said])
    assert found.select("queue", "urgency").row(0) == ("priority", urgency)


def test_a_candidate_nobody_brought_and_judged_irrelevant_changes_nothing():
    answers = [("q", "a", "text", "label", "irrelevant"), ("q", "b", "text", "label", "supporting")]
    assert pairs_of(lay(candidates=[("q", "a"), ("q", "b")], answers=answers), "priority") == [("q", "b")]


def test_priority_by_urgency_then_by_how_many_variants_bring_it_then_by_rank():
    ranked = [
        *[("q", name, 3, "many") for name in ("image", "text")],
        ("q", "image", 1, "first"),
        ("q", "image", 2, "second"),
        ("q", "text", 5, "odd"),
    ]
    graded = [("q", unit, "text", "label", "sufficient") for unit in ("many", "first", "second")]
    odd = [("q", "odd", "text", "label", "sufficient"), ("q", "odd", "vlm", "label", "irrelevant")]
    found = pairs_of(lay(ranked=ranked, answers=[*graded, *odd]), "priority")
    assert [unit for _, unit in found] == ["odd", "many", "first", "second"]


def test_nothing_at_all_is_two_empty_queues():
    assert lay().height == 0


def opened(rows, author="ann", people=1, kind="human"):
    queued = lay(ranked=[("q", "image", 1, "u"), ("q", "image", 2, "v")], drawn=["q"])
    found = open_pairs(queued, labels=to_label_rows(rows), author=author, author_kind=kind, people_per_pair=people)
    return dict(found.select("unit_id", "is_contested").iter_rows())


def test_a_pair_waits_until_as_many_people_as_wanted_have_spoken(judge):
    assert opened([]) == {"u": False, "v": False}
    assert opened([judge("sufficient", "ben")]) == {"v": False}
    assert opened([judge("sufficient", "ben")], people=2) == {"u": False, "v": False}
    assert opened([judge("sufficient", "ann")], people=2) == {"v": False}
    assert opened([judge("sufficient", "ann"), judge("sufficient", "ben")], author="cem", people=2) == {"v": False}


def test_a_contested_pair_comes_first_and_only_to_a_third(judge):
    rows = [judge("sufficient", "ann", unit_id="v"), judge("irrelevant", "ben", unit_id="v")]
    assert list(opened(rows, author="cem").items()) == [("v", True), ("u", False)]
    assert opened(rows, author="ann") == {"u": False}


def test_the_stand_in_is_no_person_yet_who_differs_from_it_is_contested(judge):
    stand_in = judge("sufficient", "demo generator", author_kind="generator-truth")
    assert opened([stand_in]) == {"u": False, "v": False}
    assert opened([stand_in, judge("sufficient", "ben")]) == {"v": False}
    assert opened([stand_in, judge("irrelevant", "ben")]) == {"u": True, "v": False}


def test_a_retracted_label_opens_the_pair_again(judge):
    first = judge("sufficient", "ben")
    back = judge(None, "ben", replaces_label_id=first.label_id)
    assert opened([first, back]) == {"u": False, "v": False}


def test_labels_of_judges_do_not_close_a_pair(judge):
    assert opened([judge("sufficient", "text", author_kind="judge", judge_id="jdg")]) == {"u": False, "v": False}


@settings(deadline=None, max_examples=12)
@given(
    st.permutations([("q1", "image", 1, "a"), ("q1", "text", 2, "b"), ("q2", "image", 1, "a"), ("q3", "text", 4, "c")])
)
def test_the_order_of_rows_does_not_matter(ranked):
    told = lay(ranked=ranked, drawn=["q2"])
    assert told.equals(lay(ranked=sorted(ranked), drawn=["q2"]))
    assert told.filter(pl.col("queue") == AUDIT)["place"].to_list() == [1]
