"""Heads of pages, for the writer."""

import pytest

from eval_pipeline.questions.writers.page_heads import find_period, read_columns, read_head, recency


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("Acme Three months ended June 30, 2024", "Q2 2024"),
        ("Fiscal year ended June 30, 2024", "FY2024"),
        ("Nine months ended June 30, 2024", ""),
        ("Results for Q3 2024", "Q3 2024"),
        ("June 30, 2024", "June 30, 2024"),
        ("Annual report 2023", "2023"),
        ("Revenue 2,023", ""),
    ],
)
def test_find_period(line: str, expected: str) -> None:
    assert find_period(line) == expected


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["2022 2023 2024"], ["2022", "2023", "2024"]),
        (["Three months ended", "June 30, 2024 March 31, 2024"], ["Q2 2024", "Q1 2024"]),
        (["Year ended December 31,", "2023 2024"], ["2023", "2024"]),
        (["Three months ended June 30,", "2024 2023"], ["", ""]),
        (["Revenue 4 5"], []),
    ],
)
def test_read_columns(lines: list[str], expected: list[str]) -> None:
    assert read_columns(lines, len(lines) - 1) == expected


def test_read_head() -> None:
    lines = [
        "Dunmore Ash Energy Quarterly report",
        "Storage segment",
        "Q2 2024, USD millions",
        "Revenue 5",
        "Dunmore Ash Energy 3",
    ]
    head = read_head(lines)
    assert (head.entity, head.segment, head.period, head.unit) == (
        "Dunmore Ash Energy",
        "Storage",
        "Q2 2024",
        "(in millions)",
    )


@pytest.mark.parametrize(
    ("lines", "entity"),
    [
        (["COSTCO WHOLESALE CORPORATION", "x"], "Costco Wholesale"),
        (["NETFLIX, INC.", "x"], "Netflix"),
        (["Halden Foods", "Revenue 5"], ""),
        (["PART II", "PART II again"], ""),
        (["Balance sheet", "Balance sheet"], ""),
    ],
)
def test_a_company_has_a_legal_ending_or_comes_again(lines: list[str], entity: str) -> None:
    assert read_head(lines).entity == entity


def test_recency_orders_periods_in_words() -> None:
    ordered = ["", "December 31, 2022", "June 30, 2023", "Q3 2023", "FY2023", "Q1 2024", "H1 2024", "2024"]
    assert sorted(ordered, key=recency) == ordered
