"""The text judge: mutations flip its verdict, its verbs agree, and real filings are read."""

from pathlib import Path
from typing import Literal

import polars as pl
import pypdfium2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval_pipeline.foundation.protocols import PageContent
from eval_pipeline.judging.text_match import TextMatchJudge

JUDGE = TextMatchJudge()
INCOME = """NORTHWIND ROBOTICS, INC.
CONSOLIDATED STATEMENTS OF OPERATIONS
(in millions)
Year Ended December 31,
2022 2023 2024
Total net sales $ 107,006 $ 135,987 $ 177,866
Cost of sales 71,651 88,265 111,934
Net income $ 596 $ 2,371 $ 3,033"""
SEGMENT = """Northwind Robotics
Cloud segment results
Q3 2024
Revenue: $4.2 million
Operating income: $(0.3) million
Headcount 1,250"""
ASKED = "What was Northwind Robotics' Cloud segment revenue in Q3 2024?"


def a_page(text: str, quality: Literal["good", "garbled", "missing"] = "good") -> PageContent:
    return PageContent(unit_id="u", text=text, text_quality=quality)


def say(question: str, text: str) -> str:
    return JUDGE.answers(question, a_page(text)).outcome


def grade(question: str, text: str) -> str:
    return JUDGE.label(question, a_page(text)).outcome


@pytest.mark.parametrize(
    ("old", "new", "outcome"),
    [
        ("", "", "yes"),
        ("Revenue: $4.2 million", "Revenue:", "no"),
        ("Revenue: $4.2 million", "Revenue: n/a", "no"),
        ("Q3 2024", "Q3 2023", "no"),
        ("Q3 2024", "Q2 2024", "no"),
        ("Q3 2024", "FY2024", "no"),
        ("Northwind Robotics", "Halden Foods", "no"),
        ("Cloud segment", "Devices segment", "no"),
        ("Revenue:", "Deferred revenue:", "no"),
        ("Revenue:", "Sales:", "yes"),
        ("Q3 2024", "Three months ended September 30, 2024", "yes"),
        ("$4.2 million", "$4,200 thousand", "yes"),
    ],
)
def test_mutations_of_the_page_flip_the_verdict(old: str, new: str, outcome: str) -> None:
    assert say(ASKED, SEGMENT.replace(old, new) if old else SEGMENT) == outcome


@pytest.mark.parametrize(
    ("question", "outcome"),
    [
        ("What was Northwind Robotics' net income in FY2023?", "yes"),
        ("What was Northwind Robotics' net income in FY2021?", "no"),
        ("What was Northwind Robotics' net income in FY2025?", "no"),
        ("What was Northwind Robotics' net income in Q3 2024?", "no"),
        ("What was Halden's net income in FY2023?", "no"),
        ("What was the net income?", "yes"),
        ("What was the net income in FY2024?", "yes"),
        ("What was Northwind Robotics' gross profit in FY2024?", "no"),
        ("What was Northwind Robotics' year-over-year change in revenue from FY2023 to FY2024?", "yes"),
        ("What was Northwind Robotics' year-over-year change in revenue from FY2021 to FY2022?", "no"),
        ("Has Northwind Robotics increased its sales between FY2023 and FY2024?", "yes"),
        ("Why did Northwind Robotics' net sales and net income rise?", "abstain"),
        ("Who chairs the supervisory committee?", "no"),
    ],
)
def test_the_right_figure_under_the_wrong_period_does_not_answer(question: str, outcome: str) -> None:
    assert say(question, INCOME) == outcome


def test_shifting_the_years_of_the_columns_flips_the_verdict() -> None:
    question = "What was Northwind Robotics' net income in FY2022?"
    assert say(question, INCOME) == "yes"
    assert say(question, INCOME.replace("2022 2023 2024", "2023 2024 2025")) == "no"


def test_the_reason_names_figure_and_line() -> None:
    verdict = JUDGE.answers("What was the net income in FY2023?", a_page(INCOME))
    assert verdict.reason == ("The page states net income under 2023: $ 2,371 ('Net income $ 596 $ 2,371 $ 3,033').")
    missing = JUDGE.answers("What was the net income in FY2021?", a_page(INCOME)).reason
    assert missing.startswith("The page states net income under Dec 2022, Dec 2023, Dec 2024, not for 2021")


@pytest.mark.parametrize(
    ("text", "quality"), [("", "missing"), (" \n ", "good"), (INCOME, "garbled"), (INCOME, "missing")]
)
def test_abstains_without_text_it_can_read(text: str, quality: Literal["good", "garbled", "missing"]) -> None:
    page = a_page(text, quality)
    assert JUDGE.answers("What was the net income?", page).outcome == "abstain"
    assert JUDGE.label("What was the net income?", page).outcome == "abstain"


def test_abstains_where_the_page_names_nobody() -> None:
    text = "PART II\nItem 8\nBALANCE SHEETS\n(In millions)\nJune 30, 2023 2022\nTotal assets 411,976 364,840"
    assert say("What were Microsoft's total assets in FY2023?", text) == "abstain"
    assert say("What were the total assets in FY2023?", text) == "yes"


@pytest.mark.parametrize(
    ("question", "text", "expected"),
    [
        ("What was Northwind Robotics' net income in FY2023?", INCOME, "sufficient"),
        ("What was Northwind Robotics' net income in FY2021?", INCOME, "supporting"),
        ("What was Halden's net income in FY2023?", INCOME, "supporting"),
        ("What was Halden's order backlog in FY2023?", INCOME, "irrelevant"),
        ("What was the order backlog in FY2023?", INCOME, "irrelevant"),
        ("What was the net income in FY2021?", INCOME, "supporting"),
    ],
)
def test_grades(question: str, text: str, expected: str) -> None:
    assert grade(question, text) == expected


def test_a_chart_whose_labels_are_blanked_does_not_answer() -> None:
    chart = "Northwind Robotics\nOrder backlog by quarter\n4.1\n4.6\n5.3\nQ1 2024 Q2 2024 Q3 2024"
    question = "What was Northwind Robotics' order backlog in Q2 2024?"
    assert say(question, chart) == "yes"
    assert say(question, chart.replace("4.1\n4.6\n5.3", "0\n2\n4\n6")) == "no"
    assert say(question, chart.replace("4.1\n4.6\n5.3\n", "")) == "no"


def test_judge_id_hashes_settings_and_hides_nothing_else() -> None:
    assert TextMatchJudge(name="a").judge_id == TextMatchJudge(name="b").judge_id
    assert TextMatchJudge().settings()["code_version"]


questions = st.sampled_from(
    [
        ASKED,
        "What was the net income in FY2023?",
        "What was the revenue?",
        "Why did sales rise?",
        "Has Northwind Robotics increased its debt between FY2023 and FY2024?",
    ]
)


@given(
    question=questions,
    lines=st.lists(st.sampled_from([*INCOME.splitlines(), *SEGMENT.splitlines(), "", "2023"]), max_size=14),
)
def test_the_two_verbs_agree_on_any_page(question: str, lines: list[str]) -> None:
    page = a_page("\n".join(lines))
    answer, label = JUDGE.answers(question, page).outcome, JUDGE.label(question, page).outcome
    assert (answer == "yes") is (label == "sufficient")
    assert (answer == "abstain") is (label == "abstain")


@given(question=st.text(max_size=80), text=st.text(max_size=200))
def test_no_text_breaks_it(question: str, text: str) -> None:
    assert JUDGE.answers(question, a_page(text)).outcome in ("yes", "no", "abstain")


# What each of the seven human questions gets on its evidence pages, by (question, first page of the range).
GOLD = {
    "financebench_id_06655": ["no", "no"],  # the formula takes two pages together: a jointly sufficient set
    "financebench_id_08135": ["yes"],
    "financebench_id_08286": ["yes"],
    "financebench_id_04209": ["yes"],
    "financebench_id_00552": ["abstain"],  # the page names nobody, and debt is the sum of two lines
    "financebench_id_03282": ["yes"],
    "financebench_id_00822": ["abstain"],  # weighs votes against each other
}


def page_of(sample_dir: Path, document: str, page: int) -> PageContent:
    pdf = pypdfium2.PdfDocument(sample_dir / "pdfs" / f"{document}.pdf")
    try:
        return a_page(pdf[page].get_textpage().get_text_bounded().replace("\r\n", "\n"))
    finally:
        pdf.close()


@pytest.mark.shared
def test_the_seven_real_questions_get_a_verdict_with_a_reason(sample_dir: Path) -> None:
    found: dict[str, list[str]] = {}
    for row in pl.read_parquet(sample_dir / "questions.parquet").iter_rows(named=True):
        for page in row["evidence_pages"]:
            verdict = JUDGE.answers(row["question"], page_of(sample_dir, row["doc_id"], page))
            assert len(verdict.reason) > 20
            found.setdefault(row["question_id"], []).append(verdict.outcome)
    assert found == GOLD


@pytest.mark.shared
@pytest.mark.parametrize(
    ("document", "page", "question", "outcome"),
    [
        ("AMAZON_2019_10K", 37, "What was Amazon's net income in FY2019?", "yes"),
        ("AMAZON_2020_10K", 38, "What was Amazon's net income in FY2019?", "yes"),
        ("AMAZON_2021_10K", 37, "What was Amazon's net income in FY2019?", "yes"),
        ("AMAZON_2018_10K", 36, "What was Amazon's net income in FY2019?", "no"),
        ("AMAZON_2018_10K", 36, "What was Amazon's net income?", "yes"),
        ("NETFLIX_2018_10K", 44, "What were Netflix's total current liabilities in FY2017?", "yes"),
        ("NETFLIX_2018_10K", 44, "What were Netflix's total current liabilities in FY2016?", "no"),
        ("NETFLIX_2018_10K", 44, "What were Amazon's total current liabilities in FY2017?", "no"),
    ],
)
def test_siblings_whose_comparative_column_holds_the_figure_answer(
    sample_dir: Path, document: str, page: int, question: str, outcome: str
) -> None:
    verdict = JUDGE.answers(question, page_of(sample_dir, document, page))
    assert verdict.outcome == outcome, verdict.reason
