"""Matched reference numbers, as multisets."""

import pytest

from eval_pipeline.foundation.errors import MeasureUndefined
from eval_pipeline.metrics.measures.number_recall import number_recall


@pytest.mark.parametrize(
    ("reference", "extracted", "expected"),
    [("1,234 and 56", "56", 0.5), ("7 7", "7", 0.5), ("$12.5m", "12.5", 1.0), ("1,234", "1234", 0.0)],
)
def test_worked_values(reference, extracted, expected):
    assert number_recall(reference=reference, extracted=extracted) == pytest.approx(expected)


def test_a_reference_without_numbers_has_no_value():
    with pytest.raises(MeasureUndefined) as caught:
        number_recall(reference="no numbers", extracted="1")
    assert caught.value.reason == "empty_reference"
