import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval_pipeline.demo.spoken_periods import SpokenPeriod, read_periods, speaks_of_longer_span
from eval_pipeline.demo.world import ORDINALS, Quarter

SPELLINGS = (
    "q{number} {year}", "q{number} fy{year}", "fy{short} q{number}", "fy{year} q{number}", "{year}-q{number}",
    "{number}q{short}", "q{number}'{short}", "the {ordinal} quarter of {year}",
    "the {ordinal} quarter of fiscal {year}",
    "the three months ended {end}", "the quarter ended {end}", "{start}/{iso}", "{iso}",
)  # fmt: skip


@given(st.sampled_from(SPELLINGS), st.integers(2020, 2029), st.integers(1, 4))
def test_every_spelling_of_a_quarter_is_read(spelling, year, number):
    quarter = Quarter(year=year, number=number)
    words = spelling.format(
        year=year, short=year % 100, number=number, ordinal=ORDINALS[number - 1], end=quarter.end.lower(),
        start=f"{year}-{number * 3 - 2:02d}-01", iso=f"{year}-{number * 3:02d}-30",
    )  # fmt: skip
    periods, rest = read_periods(f"what was revenue in {words}?")
    assert periods == {SpokenPeriod(year=year, quarter=number)}
    assert not any(character.isdigit() for character in rest)


@pytest.mark.parametrize(
    ("words", "year", "quarter"),
    [
        ("in fiscal 2024", 2024, None),
        ("in fy23", 2023, None),
        ("in 2024", 2024, None),
        ("in the second quarter", None, 2),
    ],
)
def test_partial_periods(words, year, quarter):
    assert read_periods(f"what was revenue {words}")[0] == {SpokenPeriod(year=year, quarter=quarter)}


def test_two_quarters_are_both_read():
    assert len(read_periods("from q1 2024 to q2 2024")[0]) == 2
    assert read_periods("what was revenue?")[0] == frozenset()


def test_fits_what_is_left_open():
    assert SpokenPeriod(year=2024, quarter=None).fits("2024-Q3")
    assert SpokenPeriod(year=None, quarter=3).fits("2024-Q3")
    assert not SpokenPeriod(year=2023, quarter=3).fits("2024-Q3")
    assert not SpokenPeriod(year=2024, quarter=2).fits("2024-Q3")


def test_longer_spans():
    assert speaks_of_longer_span("revenue for the six months ended june 30, 2024")
    assert speaks_of_longer_span("revenue for the full year 2024")
    assert not speaks_of_longer_span("revenue for the three months ended june 30, 2024")
