"""Numbers: equal amounts are one, anything else is left alone."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval_pipeline.corpus.numbers import parse_number


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        *[("7", "7"), ("007", "7"), ("7.0", "7"), (" 7 ", "7"), ("+7", "7"), ("-7.50", "-7.5"), ("\u22127", "-7")],
        *[("1,200", "1200"), ("1,234,567.8", "1234567.8"), ("1e3", "1000"), ("2.5E-3", "0.0025"), ("-0.00", "0")],
        *[("\uff11\uff12", "12"), ("100", "100"), ("0", "0"), ("0.10", "0.1")],
    ],
)
def test_equal_amounts_are_spelled_alike(text: str, normal: str) -> None:
    assert parse_number(text) == normal


@pytest.mark.parametrize(
    "text",
    ["", "1,5", "1.2.3", "12 mg", "1 200", "1,2000", "NaN", "inf", "1e999", "visit 2", "(5)", "5%", ".5", "0x10", "١٢"],
)
def test_what_is_no_plain_number_is_not_guessed(text: str) -> None:
    assert parse_number(text) is None


@given(st.decimals(allow_nan=False, allow_infinity=False, places=6, min_value=-(10**9), max_value=10**9))
def test_the_amount_is_kept_and_reading_twice_changes_nothing(amount: Decimal) -> None:
    once = parse_number(f"{amount:f}")
    assert once is not None
    assert Decimal(once) == amount
    assert parse_number(once) == once


@given(st.text(max_size=20))
def test_any_text_is_a_number_that_stays_or_none(text: str) -> None:
    once = parse_number(text)
    assert once is None or parse_number(once) == once
