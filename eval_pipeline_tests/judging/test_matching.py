"""Lines that state a metric."""

import pytest

from eval_pipeline.judging.matching import describe_periods, find_matches, find_near_lines, find_scopes
from eval_pipeline.judging.page_reading import read_page
from eval_pipeline.judging.period_mentions import Period
from eval_pipeline.judging.words import core_words

SEGMENTS = """Acme Three months ended June 30, 2024
Revenue by segment
USD millions
Cloud 1,034
Devices 1,626
Total revenue 2,660"""
CLOUD = "Acme Corp\nCloud segment\nQ2 2024\nRevenue 1,034\nOperating income 190"


def figures_for(phrase: str, text: str, entity: str = "") -> list[str]:
    words = core_words(phrase) - {"segment"}
    return [match.figures[0][0].shown for match in find_matches(words, read_page(text), entity=entity)]


@pytest.mark.parametrize(
    ("phrase", "text", "expected"),
    [
        ("Cloud segment revenue", SEGMENTS, ["1,034"]),
        ("total revenue", SEGMENTS, ["2,660"]),
        ("Devices revenue", CLOUD, []),
        ("Cloud revenue", CLOUD, ["1,034"]),
        ("revenue", CLOUD, []),
        ("revenue", "Acme\n\nCost of revenue 5", []),
        ("cost of sales", "Acme\nCost of revenue 5", ["5"]),
        ("net income", "Acme\nNet income per share 1.2", []),
        ("current liabilities", "Total current liabilities 7\nTotal liabilities 9", ["7"]),
        ("revenue", "a\nb\nc\nd\nNorth America\nNet sales 5\nConsolidated\nNet sales 9", ["9"]),
        ("north america revenue", "a\nb\nc\nd\nNorth America\nNet sales 5\nInternational\nNet sales 9", ["5"]),
        ("assets", "Fair values\nASSETS\nDeposits 5\nTotal 9", ["9"]),
        ("assets", "Fair value of assets\nDeposits\nTotal 9", []),
        (
            "revenue",
            "Our revenue for the quarter rose to $4.2 billion, the best in years for us all.",
            ["$4.2 billion"],
        ),
        ("revenue", "The cost of revenue for the quarter rose to $4.2 billion, the most in years.", []),
        ("revenue", "Sales increased 27% in the year, mostly because of higher unit sales in all of the regions.", []),
        ("gross margin", "Our gross margin was 27% in the year, mostly because of higher sales.", ["27%"]),
        ("net income", "There was an increase in net income of $2.0 billion, for reasons given in the notes.", []),
        ("revenue", "Revenue policies and procedures that (1) pertain to the maintenance of the records.", []),
    ],
)
def test_find_matches(phrase: str, text: str, expected: list[str]) -> None:
    assert figures_for(phrase, text) == expected


def test_a_row_of_the_asked_company_counts_and_others_do_not() -> None:
    text = "Peers\nCompany Revenue\nAcme 5\nBeta 6"
    assert figures_for("revenue", text, entity="Acme") == ["5"]


def test_figure_under_a_period() -> None:
    (match,) = find_matches(core_words("revenue"), read_page("2023 2024\nRevenue 4 5"), entity="")
    assert match.figure_for([Period(year=2024)]) == match.figures[1][0]
    assert match.figure_for([Period(year=2022)]) is None
    assert describe_periods([match]) == "under 2023, 2024"


def test_near_lines_hold_more_than_the_metric() -> None:
    page = read_page("June 30, 2023 2022\nCurrent portion of long-term debt 5 2\nLong-term debt 41 47\nDeposits 1 1")
    near = find_near_lines(core_words("debt"), page, periods=[Period(year=2022)])
    assert near == ["Current portion of long-term debt 5 2", "Long-term debt 41 47"]


def test_scopes() -> None:
    assert list(find_scopes("Cloud Services segment\nSegment: Retail Supply\nRevenue by segment")) == [
        "Cloud Services",
        "Retail Supply",
    ]
