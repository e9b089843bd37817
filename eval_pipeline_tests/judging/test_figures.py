"""Figures of a line."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval_pipeline.judging.figures import find_figures, find_scale


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("Net income $ 596 $ 2,371 $ 3,033", ["596", "2371", "3033"]),
        ("Interest expense (459) (484) (848)", ["-459", "-484", "-848"]),
        ("growth of -8.1% or 8.1 %", ["-8.1", "8.1"]),
        ("$4.2 billion and 3.9m and 1,250 thousand", ["4200000000", "3900000", "1250000"]),
        ("Short-term investments — 266,206", [None, "266206"]),
        ("n/a 12", [None, "12"]),
        ("Revenue −3.5", ["-3.5"]),
        ("A-1 v2 x86 10-K", []),
        ("$(0.05)", ["-0.05"]),
    ],
)
def test_reads_signs_scales_and_dashes(line: str, expected: list[str | None]) -> None:
    values = [None if figure.value is None else figure.value for figure in find_figures(line)]
    assert values == [None if text is None else Decimal(text) for text in expected]


def test_knows_percent_and_place() -> None:
    (figure,) = find_figures("up 8.1% today")
    assert (figure.is_percent, figure.shown, figure.start, figure.end) == (True, "8.1%", 3, 7)


@given(value=st.integers(0, 10**12))
def test_thousands_separators_do_not_matter(value: int) -> None:
    (plain,) = find_figures(f"total {value}")
    (separated,) = find_figures(f"total {value:,}")
    assert plain.value == separated.value == value


@pytest.mark.parametrize(
    ("text", "power"),
    [
        ("(in millions, except per share data)", 6),
        ("(In thousands)", 3),
        ("USD millions", 6),
        ("in billions of dollars", 9),
        ("no word of it", 0),
    ],
)
def test_scale_of_a_page(text: str, power: int) -> None:
    assert find_scale(text) == power
