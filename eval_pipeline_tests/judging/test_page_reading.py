"""Pages as statements: rows, pairs, cards, charts."""

import pytest

from eval_pipeline.judging.page_reading import clean_line, read_page
from eval_pipeline.judging.statements import Statement

INCOME = """ACME, INC.
CONSOLIDATED STATEMENTS OF OPERATIONS
(in millions, except per share data)
Year Ended December 31,
2015 2016 2017
Total net sales $ 107,006 $ 135,987 $ 177,866
Operating expenses:
Cost of sales 71,651 88,265 111,934
Other income (expense), net (256) 90 —
38"""


def rows_of(text: str) -> dict[str, list[tuple[str, str]]]:
    """Figures with the first period of each, by label; the last statement of a label counts."""
    return {statement.label: _pairs(statement) for statement in read_page(text).statements if not statement.is_prose}


def _pairs(statement: Statement) -> list[tuple[str, str]]:
    return [
        (figure.shown, str((periods or statement.heading_periods or ("",))[0]))
        for figure, periods in zip(statement.figures, statement.periods, strict=True)
    ]


def test_comparative_columns_give_each_figure_its_period() -> None:
    rows = rows_of(INCOME)
    assert rows["Total net sales"] == [("$ 107,006", "Dec 2015"), ("$ 135,987", "Dec 2016"), ("$ 177,866", "Dec 2017")]
    assert rows["Other income (expense), net"] == [("(256)", "Dec 2015"), ("90", "Dec 2016")]
    assert read_page(INCOME).scale == 6


def test_figures_inside_a_label_are_no_values() -> None:
    text = "June 30, 2023 2022\nReceivables, net of allowance of $650 and $633 48,688 44,261"
    assert rows_of(text)["Receivables, net of allowance of $650 and"] == [
        ("48,688", "Jun 2023"),
        ("44,261", "Jun 2022"),
    ]


def test_headings_give_the_period_of_plain_rows() -> None:
    text = "Acme Three months ended June 30, 2024\nRevenue by segment\nUSD millions\nCloud 1,034\nDevices: 1,626"
    assert rows_of(text) == {"Cloud": [("1,034", "Q2 2024")], "Devices": [("1,626", "Q2 2024")]}


def test_a_date_of_printing_is_no_period() -> None:
    text = "Acme\nPeriod: Q3 2024\nPrinted on October 9, 2025\nRevenue 5"
    assert rows_of(text)["Revenue"] == [("5", "Q3 2024")]


def test_a_period_below_counts_where_none_stands_above() -> None:
    assert rows_of("Acme\nRevenue 5\nQuarter: Q3 2024")["Revenue"] == [("5", "Q3 2024")]


@pytest.mark.parametrize("text", ["Revenue\n4.2\nBacklog\n1.1", "4.2\nRevenue\n1.1\nBacklog"])
def test_cards_pair_a_number_with_its_caption(text: str) -> None:
    rows = rows_of(text)
    assert ("4.2", "") in rows["Revenue"]
    assert ("1.1", "") in rows["Backlog"]
    assert ("1.1", "") not in rows["Revenue"]


def test_chart_labels_pair_with_the_periods_of_the_axis() -> None:
    rows = rows_of("Order backlog\n4.1\n4.6\n5.3\nQ1\n2024\nQ2\n2024\nQ3\n2024")
    assert rows["Order backlog"] == [("4.1", "Q1 2024"), ("4.6", "Q2 2024"), ("5.3", "Q3 2024")]


def test_ticks_of_an_axis_are_no_values() -> None:
    assert rows_of("Order backlog\n0\n2\n4\n6\n8\nQ1 2024 Q2 2024 Q3 2024 Q4 2024") == {}


def test_rows_by_period_keep_the_names_of_the_columns_as_heading() -> None:
    (statement,) = [one for one in read_page("Quarter Revenue Backlog\nQ1 2024 4.2 1.0").statements if not one.is_prose]
    assert statement.label == "Q1 2024"
    assert "Revenue" in statement.heading
    assert _pairs(statement) == [("4.2", "Q1 2024"), ("1.0", "Q1 2024")]


def test_a_total_closes_the_section_of_its_heading() -> None:
    text = "Acme\nBalance sheet\nDate\nCurrent liabilities:\nPayables 5\nTotal current liabilities 5\nDebt 9"
    headings = {one.label: one.heading for one in read_page(text).statements if not one.is_prose}
    assert headings["Payables"].endswith("Current liabilities:")
    assert headings["Debt"] == ""


def test_clean_line() -> None:
    assert clean_line("\u00a0year\ufffeend\u00a0 2\u00ad024 ") == "year-end 2024"


def test_nothing_is_read_from_nothing() -> None:
    page = read_page("\n \n")
    assert (page.lines, page.statements, page.title, page.scale) == ((), (), "", 0)
