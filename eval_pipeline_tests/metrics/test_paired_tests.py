"""Paired tests: exact where they can be, never 0, never NaN, and one product for all pairs."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest, permutation_test

from eval_pipeline.metrics.paired_tests import (
    correct_holm,
    flip_signs,
    list_pairs,
    mcnemar_from_counts,
    mcnemar_p,
    p_values_of_pairs,
    sign_flip_p,
    sum_clusters,
)


def test_mcnemar_worked_values():
    assert mcnemar_p(np.array([1.0] * 5), np.array([0.0] * 5)) == pytest.approx(0.0625)
    assert mcnemar_p(np.array([1.0, 0.0]), np.array([1.0, 0.0])) == 1.0
    assert mcnemar_p(np.array([1.0, 0.0]), np.array([0.0, 1.0])) == 1.0


@given(st.integers(0, 60), st.integers(0, 60))
@settings(max_examples=40, deadline=None)
def test_mcnemar_is_the_binomial_test_of_the_discordant_questions(one, other):
    expected = 1.0 if one + other == 0 else binomtest(one, one + other, 0.5).pvalue
    assert mcnemar_from_counts(one, other) == pytest.approx(expected, rel=1e-9)


def test_convention_29_three_equal_differences_give_a_quarter():
    assert sign_flip_p(np.array([0.1, 0.1, 0.1]), clusters=None, resamples=1000, seed=0) == 0.25


def test_convention_28_identical_systems_give_one_not_nan():
    assert sign_flip_p(np.zeros(20), clusters=None, resamples=1000, seed=0) == 1.0


def test_conventions_26_and_27_p_is_never_zero_and_the_seed_has_an_effect():
    differences = np.full(200, 0.2)
    assert sign_flip_p(differences, clusters=None, resamples=1000, seed=1) == pytest.approx(1 / 1001)
    noisy = np.random.default_rng(0).normal(0.05, 1, 100)
    found = [sign_flip_p(noisy, clusters=None, resamples=1000, seed=seed) for seed in (42, 42, 42, 43)]
    assert found[0] == found[1] == found[2] != found[3]


def test_small_sign_flips_are_scipys_exact_ones():
    differences = np.random.default_rng(3).normal(0.3, 1, 9)
    theirs = permutation_test(
        (differences,), np.mean, permutation_type="samples", n_resamples=np.inf, alternative="two-sided"
    )
    ours = sign_flip_p(differences, clusters=None, resamples=10, seed=0)
    assert ours == pytest.approx(theirs.pvalue, abs=1e-12)


def test_drawn_sign_flips_come_near_the_exact_ones():
    differences = np.random.default_rng(5).normal(0.25, 1, 16)
    patterns = ((np.arange(2**16)[:, None] >> np.arange(16)) & 1) * 2.0 - 1
    exact = (np.abs(patterns @ differences) >= abs(differences.sum()) - 1e-12).mean()
    drawn = sign_flip_p(differences, clusters=None, resamples=20_000, seed=0)
    assert drawn == pytest.approx(exact, abs=0.01)


def test_whole_clusters_flip():
    differences = np.array([0.1] * 6)
    clusters = np.array(["a", "a", "b", "b", "c", "c"])
    assert sign_flip_p(differences, clusters=clusters, resamples=100, seed=0) == 0.25
    assert sign_flip_p(differences, clusters=None, resamples=100, seed=0) == 2 / 64
    assert sum_clusters(np.arange(6.0)[:, None], clusters).tolist() == [[1.0], [5.0], [9.0]]


def test_columns_are_flipped_together_and_each_as_if_alone():
    columns = np.random.default_rng(1).normal(0.1, 1, (80, 4))
    together = flip_signs(columns, clusters=None, resamples=500, seed=3)
    alone = [flip_signs(columns[:, [place]], clusters=None, resamples=500, seed=3)[0] for place in range(4)]
    assert together.tolist() == alone


def test_blocks_of_signs_are_drawn_as_one(monkeypatch):
    columns = np.random.default_rng(1).normal(0.1, 1, (40, 2))
    whole = flip_signs(columns, clusters=None, resamples=300, seed=3)
    monkeypatch.setattr("eval_pipeline.metrics.paired_tests._BLOCK", 40 * 70)
    assert flip_signs(columns, clusters=None, resamples=300, seed=3).tolist() == whole.tolist()


def test_each_pair_has_the_test_that_its_values_ask_for():
    values = np.column_stack([np.ones(12), np.repeat([1.0, 0.0], 6), np.full(12, 0.5)])
    p_values, tests = p_values_of_pairs(values, clusters=None, resamples=500, seed=1)
    assert list_pairs(3) == [(0, 1), (0, 2), (1, 2)]
    assert tests == ["mcnemar", "sign-flip", "sign-flip"]
    assert p_values[0] == pytest.approx(2 / 64)
    assert p_values[1] == pytest.approx(2 / 2**12)
    _, clustered = p_values_of_pairs(values, clusters=np.array(["a", "b"] * 6), resamples=500, seed=1)
    assert set(clustered) == {"sign-flip"}


def test_holm_worked_value_and_order():
    assert correct_holm(np.array([0.01, 0.04, 0.03])) == pytest.approx([0.03, 0.06, 0.06])
    assert correct_holm(np.array([0.6, 0.7])) == pytest.approx([1.0, 1.0])
    assert correct_holm(np.array([])).tolist() == []
