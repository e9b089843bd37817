import numpy as np
import pytest
from scipy.stats import bootstrap

from eval_pipeline.metrics.validation.coverage import (
    cover_binary,
    default_ends,
    jeffreys_ends,
    percentile_ends,
    prove_coverage,
)


def test_exact_sums_and_the_methods_that_fail():
    for n in (20, 50, 200):
        ends = default_ends(n)
        found = [cover_binary(lambda _, ends=ends: ends, n=n, share=share) for share in (0.05, 0.43, 0.67, 0.95)]
        assert 0.9245 <= min(found) <= max(found) <= 0.9675
    assert cover_binary(percentile_ends, n=20, share=0.95) == pytest.approx(0.6389, abs=5e-4)
    assert cover_binary(jeffreys_ends, n=50, share=0.05) == pytest.approx(0.8853, abs=5e-4)


def test_the_exact_percentile_is_the_drawn_one():
    values = (np.arange(20) < 14) * 1.0
    drawn = bootstrap((values,), np.mean, method="percentile", n_resamples=20_000, rng=np.random.default_rng(0))
    ends = percentile_ends(20)
    assert (ends.low[14], ends.high[14]) == (drawn.confidence_interval.low, drawn.confidence_interval.high)


def test_quick_lines_are_inside():
    proof = prove_coverage(n_sets=100, seed=1)
    assert [line.what for line in proof.lines if not line.is_inside] == []
    assert [line.is_default for line in proof.lines].count(False) == 2


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_coverage_in_full(seed):
    proof = prove_coverage(n_sets=1000, seed=seed)
    assert [line.what for line in proof.lines if not line.is_inside] == []
