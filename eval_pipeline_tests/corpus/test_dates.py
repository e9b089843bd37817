import datetime

import pytest

from eval_pipeline.corpus.dates import Months, first_month, last_month, parse_date, parse_month, snap_month


@pytest.mark.parametrize("text", ["2024-09-30", "september 30, 2024", "sep 30 2024", "30 sept. 2024", "9/30/2024"])
def test_parse_date_reads_the_spellings_of_one_day(text: str) -> None:
    assert parse_date(text) == datetime.date(2024, 9, 30)


@pytest.mark.parametrize("text", ["2024-02-30", "03/04/2024", "september 2024", "smarch 1, 2024", "3.4.2024"])
def test_parse_date_leaves_unclear_days(text: str) -> None:
    assert parse_date(text) is None


def test_parse_date_takes_slashes_with_equal_numbers() -> None:
    assert parse_date("9/9/2024") == datetime.date(2024, 9, 9)


def test_months_are_spelled_by_what_they_are() -> None:
    january = 2024 * 12
    spelled = [
        str(Months(first=january + start, n=n)) for start, n in ((0, 12), (6, 3), (6, 6), (8, 1), (6, 12), (1, 3))
    ]
    assert spelled == ["2024", "2024Q3", "2024H2", "2024-09", "2024-07..2025-06", "2024-02..2024-04"]


@pytest.mark.parametrize(
    ("first", "n", "year_end", "fiscal"),
    [(6, 3, 6, "FY2025Q1"), (6, 12, 6, "FY2025"), (0, 12, 12, "FY2024"), (0, 12, 6, None), (1, 3, 1, "FY2025Q1")],
)
def test_months_have_a_fiscal_name_where_they_fit(first: int, n: int, year_end: int, fiscal: str | None) -> None:
    assert Months(first=2024 * 12 + first, n=n).to_fiscal(year_end) == fiscal


@pytest.mark.parametrize(
    ("day", "month"), [((2024, 9, 28), 8), ((2024, 10, 2), 8), ((2024, 9, 15), None), ((2024, 1, 3), -1)]
)
def test_snap_month_takes_the_nearest_end(day: tuple[int, int, int], month: int | None) -> None:
    assert snap_month(datetime.date(*day)) == (None if month is None else 2024 * 12 + month)


def test_runs_begin_and_end_with_whole_months() -> None:
    assert first_month("2024-07-01") == parse_month("july 2024") == 2024 * 12 + 6
    assert last_month("2024-09-30") == parse_month("2024-09")
    assert first_month("2024-07-15") is None
    assert parse_month("2024-13") is None
