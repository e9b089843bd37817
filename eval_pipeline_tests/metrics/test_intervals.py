"""Intervals: worked values, agreement with scipy, and a named reason where there is none."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy.stats import binom, binomtest, bootstrap

from eval_pipeline.metrics.intervals import bca_of_means, cluster_bootstrap, interval_of_mean, resampled_sums, wilson


@pytest.mark.parametrize(("ones", "n"), [(0, 10), (5, 10), (10, 10), (195, 500), (1, 1)])
def test_wilson_is_scipys(ones, n):
    ours, theirs = wilson(ones, n, level=0.95), binomtest(ones, n).proportion_ci(0.95, method="wilson")
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=1e-12)
    assert ours.method == "wilson"


def test_wilson_worked_values():
    assert wilson(0, 10, level=0.95).low == 0.0
    assert wilson(0, 10, level=0.95).high == pytest.approx(0.2775, abs=5e-5)
    assert (wilson(5, 10, level=0.95).low, wilson(5, 10, level=0.95).high) == pytest.approx((0.2366, 0.7634), abs=5e-5)


@pytest.mark.parametrize("n", [20, 50, 200])
@pytest.mark.parametrize("p", [0.05, 0.43, 0.67, 0.95])
def test_wilson_covers_by_the_exact_binomial_sum(n, p):
    counts = np.arange(n + 1)
    inside = [(found := wilson(int(k), n, level=0.95)).low <= p <= found.high for k in counts]
    assert 0.92 <= binom.pmf(counts, n, p)[np.array(inside)].sum() <= 0.98


@pytest.mark.parametrize("seed", [0, 7])
@pytest.mark.parametrize("n", [12, 60])
def test_bca_is_scipys_on_the_same_resamples(n, seed):
    values = np.random.default_rng(n).beta(4, 1.5, n)
    (ours,) = bca_of_means(values[:, None], level=0.95, resamples=2000, seed=seed)
    theirs = bootstrap(
        (values,),
        lambda sample, axis: sample.mean(axis=axis),
        n_resamples=2000,
        method="BCa",
        rng=np.random.default_rng(seed),
        vectorized=True,
    ).confidence_interval
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=1e-9)
    assert ours.method == "bca"


def test_columns_are_resampled_together_and_each_as_if_alone():
    columns = np.random.default_rng(1).random((40, 3))
    together = bca_of_means(columns, level=0.9, resamples=500, seed=3)
    alone = [bca_of_means(columns[:, [place]], level=0.9, resamples=500, seed=3)[0] for place in range(3)]
    assert [i.low for i in together] == pytest.approx([i.low for i in alone])
    assert [i.high for i in together] == pytest.approx([i.high for i in alone])


def test_resampling_in_blocks_draws_what_one_block_would():
    columns = np.random.default_rng(2).random((9000, 1))
    sums = resampled_sums(columns, resamples=500, seed=1)
    assert sums.shape == (500, 1)
    assert sums.mean() / 9000 == pytest.approx(columns.mean(), abs=0.005)
    rng = np.random.default_rng(1)
    first = columns[rng.integers(0, 9000, (444, 9000))].sum(axis=1)
    assert sums[:444] == pytest.approx(first)


@pytest.mark.parametrize(
    ("values", "method"),
    [([], "no_questions"), ([0.5, 0.5], "constant"), ([1.0, 1.0], "wilson"), ([0.0], "wilson"), ([0.5], "constant")],
)
def test_the_rule_and_the_named_reasons(values, method):
    found = interval_of_mean(np.array(values), level=0.95, resamples=100, seed=0)
    assert found.method == method
    assert (found.low is None) == (method != "wilson")


def test_clusters_below_fifty_have_no_interval():
    values = np.random.default_rng(3).random(98)
    few = np.array([f"d{place // 2:02d}" for place in range(98)])
    assert cluster_bootstrap(values, few, level=0.95, resamples=100, seed=0).method == "too_few_clusters"
    more = np.array([f"d{place:02d}" for place in range(98)])
    found = cluster_bootstrap(values, more, level=0.95, resamples=2000, seed=0)
    assert found.method == "cluster-bootstrap"
    assert found.low < values.mean() < found.high
    binary = interval_of_mean((values > 0.5) * 1.0, clusters=few, level=0.95, resamples=100, seed=0)
    assert binary.method == "too_few_clusters"


def test_questions_of_one_cluster_that_agree_widen_the_interval():
    one_each = np.random.default_rng(4).random(60)
    alike = np.repeat(one_each, 4)
    names = np.repeat([f"d{place:02d}" for place in range(60)], 4)
    whole = cluster_bootstrap(alike, names, level=0.95, resamples=2000, seed=0)
    singly = bca_of_means(alike[:, None], level=0.95, resamples=2000, seed=0)[0]
    assert whole.high - whole.low > 1.7 * (singly.high - singly.low)


def test_an_interval_knows_no_scale():
    values = np.array([0.0, 0.25, 0.5, 1.0, 1.0, 0.125, 0.75])
    plain = bca_of_means(values[:, None], level=0.95, resamples=400, seed=2)[0]
    tiny = bca_of_means(values[:, None] * 2.0**-740, level=0.95, resamples=400, seed=2)[0]
    assert (tiny.low, tiny.high) == (plain.low * 2.0**-740, plain.high * 2.0**-740)


@given(st.lists(st.floats(0, 1), min_size=2, max_size=30))
@example([0.0, 3.938775672081152e-222])
@settings(max_examples=25, deadline=None)
def test_an_interval_is_inside_the_range_and_the_same_every_time(values):
    first = interval_of_mean(np.array(values), level=0.95, resamples=200, seed=5)
    again = interval_of_mean(np.array(values), level=0.95, resamples=200, seed=5)
    assert first == again
    if first.low is not None:
        assert 0 <= first.low < first.high <= 1
