"""What a question asks for."""

import pytest

from eval_pipeline.judging.question_reading import read_question


@pytest.mark.parametrize(
    ("text", "kind", "entity", "parts"),
    [
        ("What was Acme's Cloud segment revenue in Q3 2024?", "lookup", "Acme", {("cloud", "revenue"): ["Q3 2024"]}),
        ("What was the revenue?", "lookup", "", {("revenue",): []}),
        ("What were Harris' income taxes in FY2023?", "lookup", "Harris", {("income", "tax"): ["2023"]}),
        ("What was Operating Income in 2024?", "lookup", "", {("operating_income",): ["2024"]}),
        ("In Q3 2024, what was the headcount of Acme?", "lookup", "Acme", {("headcount",): ["Q3 2024"]}),
        ("How many employees did Acme have at the end of FY2021?", "lookup", "Acme", {("headcount",): ["2021"]}),
        (
            "By drawing conclusions from the information stated only in the income statement, what is Amazon's FY2019 "
            "net income attributable to shareholders (in USD millions)?",
            "lookup",
            "Amazon",
            {("net_income",): ["2019"]},
        ),
        (
            "Using only the information within the balance sheet, how much total assets did Costco have at the end of "
            "FY2021? Answer in USD millions.",
            "lookup",
            "Costco",
            {("asset",): ["2021"]},
        ),
        (
            "What is Amazon's year-over-year change in revenue from FY2016 to FY2017 (in units of percents)?",
            "change",
            "Amazon",
            {("revenue",): ["2016", "2017"]},
        ),
        (
            "Has Microsoft increased its debt between FY2023 and FY2022?",
            "change",
            "Microsoft",
            {("debt",): ["2022", "2023"]},
        ),
        (
            "What is Acme's FY2017 DPO? DPO is defined as: 365 * (average accounts payable between FY2016 and FY2017)"
            " / "
            "(FY2017 COGS + change in inventory between FY2016 and FY2017). Round your answer.",
            "formula",
            "Acme",
            {("account", "payable"): ["2016", "2017"], ("cost_of_sale",): ["2017"], ("inventory",): ["2016", "2017"]},
        ),
        ("Were there any nominees who had more votes against them?", "open", "", {}),
        ("Which segment had the highest revenue in 2024?", "open", "", {}),
    ],
)
def test_read_question(text: str, kind: str, entity: str, parts: dict[tuple[str, ...], list[str]]) -> None:
    asked = read_question(text)
    assert asked.kind == kind
    assert asked.entity.rstrip("'") == entity
    found: dict[tuple[str, ...], list[str]] = {}
    for part in asked.parts:
        found.setdefault(tuple(sorted(part.words)), []).extend(str(period) for period in part.periods)
    assert {words: sorted(periods) for words, periods in found.items()} == parts


def test_a_segment_is_no_company() -> None:
    assert read_question("What was the revenue of the Generation segment in Q3 2024?").entity == ""


def test_what_qualification_adds_is_read() -> None:
    asked = read_question(
        "What was the total in Q3 2024 for Acme, regarding operating income, where revision is restated?"
    )
    assert asked.entity == "Acme"
    assert asked.conditions == (("revision", "restated"),)
    assert "operating_income" in asked.parts[0].words


def test_year_over_year_without_a_second_period_takes_the_year_before() -> None:
    asked = read_question("What was Acme's year-over-year revenue growth in Q3 2024?")
    assert sorted(str(part.periods[0]) for part in asked.parts) == ["Q3 2023", "Q3 2024"]
