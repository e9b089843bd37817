"""The funnel."""

from typing import Any

from eval_pipeline.foundation.tables.questions import QUESTION, WELL_POSEDNESS
from eval_pipeline.questions.funnel import count_funnel


def a_row(question_id: str, outcome: str, slice_: str | None, **more: Any) -> dict[str, Any]:
    return {
        "question_id": question_id,
        "pool_id": "p",
        "judge_id": "j",
        "policy": "drop",
        "outcome": outcome,
        "slice": slice_,
        "reason": "r",
        "failing_axes": "[]",
        "promoted_unit_ids": "[]",
        "posing_version": "1",
        "n_judged": 3,
        "n_abstained": 0,
        "gold_abstained": False,
    } | more


def a_question(question_id: str, origin: str = "written") -> dict[str, Any]:
    return {
        "question_id": question_id,
        "text": "Q?",
        "origin": origin,
        "writer": "w",
        "named_axes": "[]",
        "query_form": "question text",
        "relation": "evidence",
    }


def test_500_questions_of_which_305_are_answerable_leave_195() -> None:
    names = [f"q{number:03d}" for number in range(500)]
    rows = [
        a_row(name, "answerable", None, failing_axes='["period","entity"]' if place < 5 else '["period"]')
        if place < 305
        else a_row(name, "well_posed", "main")
        for place, name in enumerate(names)
    ]
    counts = count_funnel(WELL_POSEDNESS.frame(rows), QUESTION.frame([a_question(name) for name in names]))
    assert counts["written"] == 500
    assert counts["answerable"] == counts["dropped"] == 305
    assert counts["well_posed"] == counts["main"] == 195
    assert (counts["answerable_axis=period"], counts["answerable_axis=entity"]) == (305, 5)


def test_every_way_out_is_counted() -> None:
    rows = [
        a_row("a", "answerable", "under-specified", failing_axes='["period"]', child_question_id="b"),
        a_row("b", "well_posed", "main", n_judged=0),
        a_row("c", "gold_fails", None),
        a_row("d", "unresolved", None),
        a_row("e", "answerable", "main", failing_axes='["period"]', promoted_unit_ids='["u"]'),
        a_row("f", "no_gold", "main"),
        a_row("g", "waiting", "regression"),
    ]
    questions = [
        *(a_question(name) for name in "acdh"),
        a_question("b", "qualified"),
        a_question("e", "import"),
        a_question("f", "import"),
        a_question("g", "ticket"),
    ]
    counts = count_funnel(WELL_POSEDNESS.frame(rows), QUESTION.frame(questions))
    expected = {
        "written": 4,
        "imported": 2,
        "tickets": 1,
        "no_gold": 1,
        "gold_fails": 1,
        "answerable": 2,
        "answerable_axis=period": 2,
        "qualified": 1,
        "unresolved": 1,
        "waiting": 1,
        "well_posed": 1,
        "vacuous": 1,
        "under_specified": 1,
        "promoted": 1,
        "dropped": 0,
        "main": 3,
        "regression": 1,
        "not_posed": 1,
    }
    assert counts == expected


def test_pool_01_the_question_of_a_lone_page_is_counted_once_and_not_once_per_axis() -> None:
    """Its pool has a shortfall on each of four axes; the question is one."""
    lone = a_row("alone", "well_posed", "main", reason="well posed, no hard negatives", n_judged=0)
    other = a_row("gold", "well_posed", "main", n_judged=4)
    counts = count_funnel(
        WELL_POSEDNESS.frame([lone, other]), QUESTION.frame([a_question("alone"), a_question("gold")])
    )
    assert (counts["written"], counts["well_posed"], counts["vacuous"], counts["main"]) == (2, 2, 1, 2)
