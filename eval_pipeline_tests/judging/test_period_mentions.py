"""Periods in running text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval_pipeline.judging.period_mentions import Period, covers, covers_any, cut_periods, find_periods, month_number


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Q3 2024", [Period(year=2024, part="Q3")]),
        ("3Q24", [Period(year=2024, part="Q3")]),
        ("2024-Q3 and 2024Q4", [Period(year=2024, part="Q3"), Period(year=2024, part="Q4")]),
        ("Q3 FY2024", [Period(year=2024, part="Q3")]),
        ("third quarter of fiscal 2024", [Period(year=2024, part="Q3")]),
        ("FY2017", [Period(year=2017)]),
        ("fiscal year 2017, 2016", [Period(year=2017), Period(year=2016)]),
        ("FY'24", [Period(year=2024)]),
        ("H1 2024", [Period(year=2024, part="H1")]),
        ("first half of 2024", [Period(year=2024, part="H1")]),
        ("Three months ended June 30, 2024", [Period(year=2024, part="Q2", month=6)]),
        ("Nine Months Ended September 30, 2024", [Period(year=2024, part="9M", month=9)]),
        ("Year Ended December 31, 2017", [Period(year=2017, month=12)]),
        ("June 30, 2023 2022", [Period(year=2023, month=6), Period(year=2022)]),
        ("30 June 2023", [Period(year=2023, month=6)]),
        ("2023-06-30", [Period(year=2023, month=6)]),
        ("March 2024", [Period(year=2024, part="M03")]),
        ("Q2", [Period(year=None, part="Q2")]),
        ("$ 2,017 million, 20.5%, 2017.5, #2017", []),
        ("about 2% more units", []),
    ],
)
def test_finds_what_a_person_would(text: str, expected: list[Period]) -> None:
    assert [mention.period for mention in find_periods(text)] == expected


def test_the_longest_reading_of_a_place_counts_once() -> None:
    (mention,) = find_periods("in Q3 2024, revenue")
    assert (mention.start, mention.end) == (3, 10)
    assert cut_periods("Revenue in Q3 2024 rose").split() == ["Revenue", "in", "rose"]


Q3, YEAR = Period(year=2024, part="Q3"), Period(year=2024)


@pytest.mark.parametrize(
    ("asked", "shown", "expected"),
    [
        (Q3, Q3, True),
        (Q3, Period(year=2024, part="Q2"), False),
        (Q3, Period(year=2023, part="Q3"), False),
        (Q3, YEAR, False),
        (YEAR, Q3, False),
        (YEAR, Period(year=2024, month=6), True),
        (Q3, Period(year=2024, month=9), True),
        (Q3, Period(year=2024, month=6), False),
        (Period(year=2024, month=6), Period(year=2024, month=12), False),
        (Period(year=2024, month=6), YEAR, True),
        (Period(year=2024, month=6), Period(year=2024, part="Q2"), True),
        (Period(year=2024, part="9M"), Period(year=2024, part="Q3", month=9), False),
        (Q3, Period(year=None, part="Q3"), False),
    ],
)
def test_covers(asked: Period, shown: Period, expected: bool) -> None:
    assert covers(asked=asked, shown=shown) is expected
    assert covers_any([asked], [shown]) is expected


periods = st.builds(
    Period,
    year=st.integers(2015, 2026),
    part=st.sampled_from(["", "Q1", "Q2", "Q3", "Q4", "H1", "H2"]),
)


@given(one=periods, other=periods)
def test_periods_without_a_date_cover_only_themselves(one: Period, other: Period) -> None:
    assert covers(asked=one, shown=other) == (one == other)


@given(period=periods)
def test_what_is_printed_is_read_back(period: Period) -> None:
    assert [mention.period for mention in find_periods(str(period))] == [period]


def test_month_number() -> None:
    assert [month_number(name) for name in ("Jan", "september", "Dec.")] == [1, 9, 12]
