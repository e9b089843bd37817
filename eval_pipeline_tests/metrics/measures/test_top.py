"""top@k by hand, on the ranking of `score_by_hand`."""

import pytest

from eval_pipeline.metrics.measures.top import KIND


@pytest.mark.parametrize(("k", "expected"), [(1, 0.0), (2, 1.0)])
def test_by_hand(score_by_hand, k, expected):
    assert score_by_hand(KIND, k) == pytest.approx(expected)
