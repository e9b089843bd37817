"""Qualified questions name the failing axes and nothing else."""

import json
from typing import Any

import pytest

from eval_pipeline.questions.qualifying import add_phrase, phrase_of, qualify, spell_as_page, spell_period

QUESTION: dict[str, Any] = {
    "question_id": "q1",
    "text": "What was the revenue?",
    "origin": "written",
    "writer": "rules/1",
    "parent_question_id": None,
    "declared_id": None,
    "expected_answer": "5",
    "subject": "revenue",
    "named_axes": '["metric"]',
    "query_form": "question text",
    "relation": "evidence",
}
FACETS = {"period": "2024Q3", "metric": "Income statement", "entity": "northwind robotics"}
AXES = ("period", "metric", "entity")


def child_of(
    failing: list[str], *, facets: dict[str, str] = FACETS, named: str = '["metric"]'
) -> dict[str, Any] | None:
    return qualify(
        question={**QUESTION, "named_axes": named},
        gold=["g"],
        failing_axes=failing,
        axes=AXES,
        facets=json.dumps(facets),
        page_text="NorthWind  Robotics, Inc.\nRevenue 5",
    )


@pytest.mark.parametrize(
    ("failing", "text", "named"),
    [
        (["period"], "What was the revenue in Q3 2024?", '["metric","period"]'),
        (["entity"], "What was the revenue for NorthWind Robotics?", '["entity","metric"]'),
        (
            ["entity", "period"],
            "What was the revenue in Q3 2024 for NorthWind Robotics?",
            '["entity","metric","period"]',
        ),
    ],
)
def test_adds_the_failing_axes_in_declared_order(failing: list[str], text: str, named: str) -> None:
    child = child_of(failing)
    assert child is not None
    assert (child["text"], child["named_axes"]) == (text, named)
    assert (child["origin"], child["parent_question_id"]) == ("qualified", "q1")
    assert (child["expected_answer"], child["subject"]) == ("5", "revenue")
    assert child["question_id"] != "q1"


def test_nothing_is_left_to_add() -> None:
    assert child_of(["metric"]) is None
    assert child_of(["period"], facets={"metric": "x"}) is None
    assert child_of(["appearance"]) is None


def test_the_metric_axis_names_the_metric() -> None:
    child = child_of(["metric"], named="[]")
    assert child is not None
    assert child["text"] == "What was the revenue, regarding income statement?"


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("2024Q3", "Q3 2024"),
        ("2024-Q3", "Q3 2024"),
        ("FY2024Q3", "Q3 FY2024"),
        ("FY2023", "FY2023"),
        ("2023", "2023"),
        ("2024H1", "H1 2024"),
        ("2024-09", "September 2024"),
        ("2024-09-30", "September 30, 2024"),
        ("2023-07..2024-06", "July 2023 to June 2024"),
        ("whenever", "whenever"),
    ],
)
def test_periods_read_as_people_write_them(value: str, expected: str) -> None:
    assert spell_period(value) == expected


def test_other_axes_are_named_in_words() -> None:
    assert phrase_of("revision", "restated", page_text="") == ", where revision is restated"


def test_phrase_goes_before_the_mark() -> None:
    assert add_phrase("What was it? ", " in 2024") == "What was it in 2024?"
    assert add_phrase("State the revenue.", " in 2024") == "State the revenue in 2024."
    assert add_phrase("revenue", " in 2024") == "revenue in 2024"


def test_names_are_spelled_as_the_page_spells_them() -> None:
    assert spell_as_page("acme", "ACMEVILLE and Acme", fallback="x") == "Acme"
    assert spell_as_page("acme", "nothing", fallback="Acme") == "Acme"
    assert spell_as_page("", "nothing", fallback="x") == "x"


def test_an_axis_named_before_it_was_declared_is_neither_lost_nor_said_twice() -> None:
    child = qualify(
        question={**QUESTION, "text": "What was Northwind's revenue?", "named_axes": '["entity","metric"]'},
        gold=["g"],
        failing_axes=["period", "entity"],
        axes=("period", "metric"),
        facets=json.dumps(FACETS),
        page_text="",
    )
    assert child is not None
    assert (child["text"], child["named_axes"]) == (
        "What was Northwind's revenue in Q3 2024?",
        '["entity","metric","period"]',
    )


def test_an_ampersand_is_spelled_as_on_the_page() -> None:
    for page in ("AT&T Inc. reports", "AT & T", "At and T"):
        spelled = phrase_of("entity", "at & t", page_text=page)
        assert spelled.strip() in (f"for {page}", "for AT&T")
