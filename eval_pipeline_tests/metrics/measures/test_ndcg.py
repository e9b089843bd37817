"""ndcg@k by hand, on the ranking of `score_by_hand`."""

from math import log2

import pytest

from eval_pipeline.metrics.measures.ndcg import KIND


@pytest.mark.parametrize(("k", "expected"), [(1, 0.5), (3, (1 + 2 / 2) / (2 + 2 / log2(3) + 2 / 2))])
def test_by_hand(score_by_hand, k, expected):
    assert score_by_hand(KIND, k) == pytest.approx(expected)
