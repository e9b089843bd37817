"""judged@k by hand, on the ranking of `score_by_hand`."""

import pytest

from eval_pipeline.metrics.measures.judged import KIND


@pytest.mark.parametrize(("k", "expected"), [(1, 1.0), (2, 0.5), (4, 0.75), (9, 0.75)])
def test_by_hand(score_by_hand, k, expected):
    assert score_by_hand(KIND, k) == pytest.approx(expected)
