"""Figures of a page, in order and without days."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval_pipeline.negatives.figures import read_figures

PAGE = "Revenue 1,234 1,100\nNet income (12) 8\nMargin 5.4% 6%"


def test_a_stamp_with_a_day_changes_nothing() -> None:
    stamps = ("Restated on March 15, 2025", "RESTATED 15 March 2025", "As amended 2025-03-15", "Restated", "15.03.2025")
    assert {read_figures(f"{stamp}\n{PAGE}") for stamp in stamps} == {read_figures(PAGE)}
    assert read_figures(PAGE) == "1,234 1,100 (12 8 5.4% 6%"


@pytest.mark.parametrize(
    ("old", "new"),
    [("1,234", "1,235"), ("(12)", "12"), ("1,234 1,100", "1,100 1,234"), ("5.4%", "5.4"), ("8\n", "8 9\n"), ("8", "")],
)
def test_another_value_sign_order_or_number_of_figures_is_seen(old: str, new: str) -> None:
    assert read_figures(PAGE.replace(old, new, 1)) != read_figures(PAGE)


def test_too_few_figures_say_nothing() -> None:
    assert read_figures("Outlook raised. Page 3 of 7") is None
    assert read_figures("") is None


@given(st.lists(st.integers(0, 10**6), min_size=3, max_size=12))
def test_figures_come_back_in_order(numbers: list[int]) -> None:
    assert read_figures(" and ".join(f"{number:,}" for number in numbers)) == " ".join(f"{n:,}" for n in numbers)
