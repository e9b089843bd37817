import calendar
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval_pipeline.corpus.periods import parse_period, parse_year_end


@pytest.mark.parametrize(
    ("text", "plain", "june"),
    [
        ("FY24 Q3", "FY2024Q3", "FY2024Q3"),
        ("Q3 FY2024", "FY2024Q3", "FY2024Q3"),
        ("FY2024Q3", "FY2024Q3", "FY2024Q3"),
        ("Fiscal Year 2024, Q3", "FY2024Q3", "FY2024Q3"),
        ("third quarter of fiscal 2024", "FY2024Q3", "FY2024Q3"),
        ("2024Q3", "2024Q3", "FY2025Q1"),
        ("2024-Q3", "2024Q3", "FY2025Q1"),
        ("Q3 2024", "2024Q3", "FY2025Q1"),
        ("3Q24", "2024Q3", "FY2025Q1"),
        ("Q3'24", "2024Q3", "FY2025Q1"),
        ("1H24", "2024H1", "FY2024H2"),
        ("second half of 2024", "2024H2", "FY2025H1"),
        ("FY2023", "FY2023", "FY2023"),
        ("FY 99", "FY1999", "FY1999"),
        ("2023", "2023", "2023"),
        ("CY2023", "2023", "2023"),
        ("three months ended September 30, 2024", "2024Q3", "FY2025Q1"),
        ("For the three months ended 30 September 2024", "2024Q3", "FY2025Q1"),
        ("Three Months Ended\u00a0Sept. 28, 2024", "2024Q3", "FY2025Q1"),
        ("quarterly period ended July 1, 2023", "2023Q2", "FY2023Q4"),
        ("thirteen weeks ended 2024-06-29", "2024Q2", "FY2024Q4"),
        ("year ended December 31, 2023", "2023", "2023"),
        ("year ended June 30, 2023", "2022-07..2023-06", "FY2023"),
        ("12 months ended June 30, 2023", "2022-07..2023-06", "FY2023"),
        ("twelve months ended December 31, 2023", "2023", "2023"),
        ("fiscal year ended August 30, 2020", "FY2020", "2019-09..2020-08"),
        ("nine months ended September 30, 2024", "2024-01..2024-09", "2024-01..2024-09"),
        ("F3Q24", "FY2024Q3", "FY2024Q3"),
        ("3QFY24", "FY2024Q3", "FY2024Q3"),
        ("FQ3 2024", "FY2024Q3", "FY2024Q3"),
        ("CQ3 2024", "2024Q3", "FY2025Q1"),
        ("Third-quarter 2024", "2024Q3", "FY2025Q1"),
        ("3rd qtr 2024", "2024Q3", "FY2025Q1"),
        ("first six months of 2024", "2024H1", "FY2024H2"),
        ("9M 2024", "2024-01..2024-09", "2024-01..2024-09"),
        ("9M FY24", "FY2024-9M", "FY2024-9M"),
        ("first nine months of fiscal 2024", "FY2024-9M", "FY2024-9M"),
        ("nine months ended March 31, 2024", "2023-07..2024-03", "FY2024-9M"),
        ("fourteen weeks ended 2024-06-29", "2024Q2", "FY2024Q4"),
        ("six months to June 2024", "2024H1", "FY2024H2"),
        ("July to September 2024", "2024Q3", "FY2025Q1"),
        ("Jul-Sep 2024", "2024Q3", "FY2025Q1"),
        ("30-Sep-2024", "2024-09-30", "2024-09-30"),
        ("30.09.2024", "2024-09-30", "2024-09-30"),
        ("2024-01-01/2024-03-31", "2024Q1", "FY2024Q3"),
        ("2023-07..2024-06", "2023-07..2024-06", "FY2024"),
        ("September 2024", "2024-09", "2024-09"),
        ("2024-09", "2024-09", "2024-09"),
        ("2024-09-30", "2024-09-30", "2024-09-30"),
        ("as of September 30, 2024", "2024-09-30", "2024-09-30"),
        ("9/30/2024", "2024-09-30", "2024-09-30"),
    ],
)
def test_parse_period_gives_the_documented_form(text: str, plain: str, june: str) -> None:
    assert parse_period(text) == plain
    assert parse_period(text, fiscal_year_end="06-30") == june


@pytest.mark.parametrize(
    "text",
    [
        *("", "NA", "Q3", "24", "2022 4", "Q5 2024", "H3 2024", "2010-13", "FY23/24", "03/04/2024", "FY2024 2023"),
        *("2023 and 2024", "three months ended September 15, 2024", "five months ended May 31, 2024", "20243"),
        *("nine months 2024", "YTD Q3 2024", "LTM 2024", "2023-24", "Q1-Q3 2024", "FY2024\u00b9", "12M 2024", "9M"),
        *("Sep 24", "November to March 2024", "2024E", "Q32024", "2. Quartal 2024", "30 septembre 2024", "9 M 2024"),
        *("FY CY 2024", "year ended", "next quarter", "2024-13-01", "0", "Q3 Q4 2024", "52 months ended May 31, 2024"),
    ],
)
def test_what_is_not_wholly_understood_is_never_guessed(text: str) -> None:
    assert parse_period(text) is None
    assert parse_period(text, fiscal_year_end="12-31") is None


def test_a_december_year_end_makes_calendar_and_fiscal_one() -> None:
    spellings = ("2023", "FY2023", "year ended December 31, 2023", "2023-01-01/2023-12-31", "CY2023")
    assert {parse_period(text, fiscal_year_end="12-31") for text in spellings} == {"FY2023"}
    assert len({parse_period(text) for text in spellings}) == 2


def test_a_fiscal_column_says_so_of_bare_years() -> None:
    assert parse_period("2023", is_fiscal=True) == "FY2023"
    assert parse_period("2023 Q4", is_fiscal=True) == "FY2023Q4"
    assert parse_period("CY2023", is_fiscal=True) == "2023"
    assert parse_period("2024-09-30", is_fiscal=True) == "2024-09-30"


@pytest.mark.parametrize(("day", "month"), [("12-31", 12), ("06-30", 6), ("02-29", 2), ("02-03", 1), ("08-28", 8)])
def test_parse_year_end_takes_the_nearest_end_of_a_month(day: str, month: int) -> None:
    assert parse_year_end(day) == month


@pytest.mark.parametrize("day", ["06-15", "13-31", "June 30", "", "6-30"])
def test_parse_year_end_refuses_what_is_no_end_of_a_month(day: str) -> None:
    with pytest.raises(ValueError, match="MM-DD"):
        parse_year_end(day)


YEARS = st.integers(1970, 2069)
ENDS = st.sampled_from([None, "12-31", "06-30", "08-31", "01-31"])
PARTS = st.sampled_from(["", "Q1", "Q2", "Q3", "Q4", "H1", "H2", "9M"])


@st.composite
def spelled_periods(draw: st.DrawFn) -> tuple[str, list[str]]:
    """A fiscal period and several ways to write it."""
    year, part = draw(YEARS), draw(PARTS)
    short = f"{year % 100:02d}"
    spellings = [
        f"FY{year} {part}",
        f"FY{short} {part}",
        f"{part} FY{year}",
        f"fiscal {year} {part}",
        f"fy{short} {part}",
    ]
    spellings += [f"{part[1]}{part[0]}FY{short}"] if part[:1] in ("Q", "H") else []
    canonical = f"FY{year}-9M" if part == "9M" else f"FY{year}{part}"
    return canonical, [*spellings, canonical.lower()]


@given(spelled_periods(), ENDS)
def test_every_spelling_of_a_fiscal_period_is_one_period(period: tuple[str, list[str]], end: str | None) -> None:
    canonical, spellings = period
    assert {parse_period(text, fiscal_year_end=end) for text in spellings} == {canonical}


@given(YEARS, st.integers(1, 12), st.sampled_from([1, 3, 6, 9, 12]), ENDS)
def test_a_canonical_form_parses_to_itself(year: int, month: int, n: int, end: str | None) -> None:
    words = {1: "one", 3: "three", 6: "six", 9: "nine", 12: "twelve"}
    once = parse_period(f"{words[n]} months ended {year}-{month:02d}", fiscal_year_end=end)
    assert once is not None
    assert parse_period(once, fiscal_year_end=end) == once


@given(st.text(max_size=30))
def test_any_text_is_a_period_that_stays_or_none(text: str) -> None:
    once = parse_period(text)
    assert once is None or parse_period(once) == once


@given(st.sampled_from(["2024Q3", "2024", "FY2024Q1", "2024-02", "2023-07..2024-06"]), st.sampled_from([1, 4, 9]), ENDS)
def test_blanks_and_case_do_not_matter(text: str, n: int, end: Any) -> None:
    assert parse_period(" " * n + text.lower() + " ", fiscal_year_end=end) == parse_period(text, fiscal_year_end=end)


MONTHS_OF = {"Q1": (1, 3), "Q2": (4, 3), "Q3": (7, 3), "Q4": (10, 3), "H1": (1, 6), "H2": (7, 6), "9M": (1, 9)}


@given(st.integers(1980, 2060), st.sampled_from(sorted(MONTHS_OF)), st.integers(1, 12))
def test_months_meet_the_fiscal_spelling_exactly_where_the_calendar_says(year: int, part: str, year_end: int) -> None:
    """The oracle counts months one by one from the first of the fiscal year."""
    before = [(year - 1, month) for month in range(year_end + 1, 13)]
    start = [*before, *((year, month) for month in range(1, year_end + 1))]
    first, n = MONTHS_OF[part]
    last_year, last_month = start[first + n - 2]
    words = {3: "three", 6: "six", 9: "nine"}[n]
    last_day = calendar.monthrange(last_year, last_month)[1]
    ended = f"{words} months ended {calendar.month_name[last_month]} {last_day}, {last_year}"
    end = f"{year_end:02d}-{calendar.monthrange(2023, year_end)[1]}"
    assert parse_period(ended, fiscal_year_end=end) == parse_period(f"FY{year} {part}", fiscal_year_end=end)
    assert parse_period(ended) != parse_period(f"FY{year} {part}")  # undeclared, the two are kept apart
