"""precision@k by hand, on the ranking of `score_by_hand`."""

import pytest

from eval_pipeline.metrics.measures.precision import KIND


@pytest.mark.parametrize(("k", "expected"), [(2, 0.0), (4, 0.5), (8, 0.25)])
def test_by_hand(score_by_hand, k, expected):
    assert score_by_hand(KIND, k) == pytest.approx(expected)
