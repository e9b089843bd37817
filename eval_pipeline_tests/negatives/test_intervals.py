"""Intersection over union of intervals."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval_pipeline.negatives.intervals import INTERVAL, iou_of, is_interval

TENTHS = st.tuples(st.integers(0, 40), st.integers(1, 30))


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ((10, 20), (10, 20), 1.0),
        ((10, 20), (15, 25), 1 / 3),
        ((10, 20), (10, 15), 0.5),
        ((10, 20), (0, 100), 0.1),
        ((10, 20), (20, 30), 0.0),
        ((10, 20), (40, 50), 0.0),
    ],
)
def test_by_hand(one: tuple[float, float], other: tuple[float, float], expected: float) -> None:
    pair = [tuple(np.array([bound], dtype=float) for bound in span) for span in (one, other)]
    assert iou_of(pair[0], pair[1])[0, 0] == pytest.approx(expected)
    assert iou_of(pair[1], pair[0])[0, 0] == pytest.approx(expected)


@given(one=TENTHS, other=TENTHS)
def test_equals_counting_tenths_of_a_second(one: tuple[int, int], other: tuple[int, int]) -> None:
    cells = [set(range(start, start + length)) for start, length in (one, other)]
    bounds = [(np.array([start / 10]), np.array([(start + length) / 10])) for start, length in (one, other)]
    expected = len(cells[0] & cells[1]) / len(cells[0] | cells[1])
    assert iou_of(bounds[0], bounds[1])[0, 0] == pytest.approx(expected)


def test_what_is_no_interval() -> None:
    starts = np.array([0.0, 5.0, 5.0, -1.0, np.nan, 0.0])
    ends = np.array([1.0, 5.0, 4.0, 2.0, 2.0, np.inf])
    assert is_interval(starts, ends).tolist() == [True, False, False, False, False, False]
    assert INTERVAL.key == ("unit_id",)
