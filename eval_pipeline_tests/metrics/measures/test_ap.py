"""ap@k by hand, on the ranking of `score_by_hand`."""

import pytest

from eval_pipeline.metrics.measures.ap import KIND


@pytest.mark.parametrize(("k", "expected"), [(2, 0.0), (3, 1 / 9), (4, (1 / 3 + 2 / 4) / 3)])
def test_by_hand(score_by_hand, k, expected):
    assert score_by_hand(KIND, k) == pytest.approx(expected)
