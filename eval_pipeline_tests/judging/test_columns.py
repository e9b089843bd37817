"""Heads of tables."""

import pytest

from eval_pipeline.judging.columns import align, is_column_head, read_columns
from eval_pipeline.judging.period_mentions import Period


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Year Ended December 31, 2015 2016 2017", ["Dec 2015", "Dec 2016", "Dec 2017"]),
        ("August 29, 2021 August 30, 2020", ["Aug 2021", "Aug 2020"]),
        ("As of December 31, 2017 2016", ["Dec 2017", "Dec 2016"]),
        ("Three months ended June 30, 2024 March 31, 2024 June 30, 2023", ["Q2 2024", "Q1 2024", "Q2 2023"]),
        (
            "Three Months Ended Nine Months Ended September 30, September 30, 2024 2023 2024 2023",
            ["Q3 2024", "Q3 2023", "9M 2024", "9M 2023"],
        ),
        ("Q3 2024 Q3 2023 Change", ["Q3 2024", "Q3 2023", None]),
        ("Q1 Q2 Q3 Q4 2024", ["Q1 2024", "Q2 2024", "Q3 2024", "Q4 2024"]),
        ("Q3 Q3 2024 2023", ["Q3 2024", "Q3 2023"]),
        ("FY2023 FY2024", ["2023", "2024"]),
    ],
)
def test_reads_columns(text: str, expected: list[str | None]) -> None:
    assert [None if column is None else str(column) for column in read_columns(text)] == expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("2015 2016 2017", True),
        ("Year Ended December 31,", True),
        ("August 29,", True),
        ("Metric Q1 2024 Q2 2024 Change %", True),
        ("Net sales 2,015 2,016", False),
        ("Acme Three months ended June 30, 2024", False),
        ("Balance sheet", False),
    ],
)
def test_tells_heads_from_other_lines(line: str, expected: bool) -> None:
    assert is_column_head(line) is expected


ONE, TWO = Period(year=2024), Period(year=2023)


@pytest.mark.parametrize(
    ("n_values", "ends_in_percent", "expected"),
    [
        (2, False, [ONE, TWO]),
        (1, False, [ONE]),
        (3, False, [None, ONE, TWO]),
        (3, True, [ONE, TWO, None]),
        (4, False, [ONE, ONE, TWO, TWO]),
    ],
)
def test_aligns_values_with_columns(n_values: int, ends_in_percent: bool, expected: list[Period | None]) -> None:
    assert align(n_values, [ONE, TWO], ends_in_percent=ends_in_percent) == expected
