"""Matched reference words, as multisets."""

import pytest

from eval_pipeline.foundation.errors import MeasureUndefined
from eval_pipeline.metrics.measures.word_recall import word_recall


@pytest.mark.parametrize(
    ("reference", "extracted", "expected"),
    [
        ("net net sales", "net sales up", 2 / 3),
        ("Net Sales", "SALES net", 1.0),
        ("revenue 1,234.5", "revenue 1,234.6", 0.5),
        ("offi\ufb01ce", "offifice", 1.0),
        ("a b", "", 0.0),
    ],
)
def test_worked_values(reference, extracted, expected):
    assert word_recall(reference=reference, extracted=extracted) == pytest.approx(expected)


def test_an_empty_reference_has_no_value():
    with pytest.raises(MeasureUndefined) as caught:
        word_recall(reference=" - ", extracted="a")
    assert caught.value.reason == "empty_reference"
