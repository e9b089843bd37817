"""Power of the planned test: worked values, the slow sum, and answers that agree with each other."""

import numpy as np
import pytest
from scipy.stats import binom, binomtest

from eval_pipeline.metrics.power import (
    mcnemar_power,
    means_needed,
    questions_needed,
    smallest_difference,
    smallest_mean_difference,
)


def slow_power(n, difference, discordance):
    """Every number of discordant questions and every split of them, each tested by scipy."""
    one_better = (discordance + difference) / (2 * discordance)
    total = 0.0
    for discordant in range(1, n + 1):
        for ones in range(discordant + 1):
            if binomtest(ones, discordant, 0.5).pvalue <= 0.05:
                total += binom.pmf(discordant, n, discordance) * binom.pmf(ones, discordant, one_better)
    return total


def test_worked_values():
    assert mcnemar_power(n=200, difference=0.10, discordance=0.20) == pytest.approx(0.875, abs=5e-4)
    assert smallest_difference(n=200, discordance=0.20).difference == 0.092
    assert questions_needed(difference=0.10, discordance=0.20) == 168


@pytest.mark.parametrize(("n", "difference", "discordance"), [(30, 0.2, 0.3), (25, 0.25, 0.25), (20, 0.0, 0.5)])
def test_power_is_the_slow_sum(n, difference, discordance):
    found = mcnemar_power(n=n, difference=difference, discordance=discordance)
    assert found == pytest.approx(slow_power(n, difference, discordance), abs=1e-9)


def test_without_a_difference_the_test_alarms_in_at_most_five_percent():
    for n in (10, 50, 200, 1000):
        assert mcnemar_power(n=n, difference=0.0, discordance=0.3) <= 0.05


def test_a_smaller_difference_than_the_smallest_has_less_power():
    for n in (60, 200, 900):
        found = smallest_difference(n=n, discordance=0.25)
        assert mcnemar_power(n=n, difference=found.difference, discordance=0.25) >= 0.8
        assert mcnemar_power(n=n, difference=found.difference - 0.001, discordance=0.25) < 0.8


def test_questions_needed_is_the_first_size_that_has_the_power():
    needed = questions_needed(difference=0.15, discordance=0.3)
    powers = [mcnemar_power(n=n, difference=0.15, discordance=0.3) for n in range(2, needed + 1)]
    assert powers[-1] >= 0.8
    assert max(powers[:-1]) < 0.8


def test_more_discordance_hides_a_difference():
    needed = [questions_needed(difference=0.1, discordance=share) for share in (0.1, 0.2, 0.4)]
    assert needed == sorted(needed)


def test_where_nothing_could_be_seen_there_is_a_reason():
    assert smallest_difference(n=10, discordance=0.1).reason == "too_few_questions"
    assert smallest_difference(n=0, discordance=0.1).reason == "too_few_questions"
    assert smallest_difference(n=100, discordance=0.0).reason == "no_discordance"
    assert questions_needed(difference=0.3, discordance=0.2) is None
    assert questions_needed(difference=0.0001, discordance=0.5) is None
    assert smallest_mean_difference(np.zeros(1)).reason == "too_few_questions"
    assert smallest_mean_difference(np.full(9, 0.5)).reason == "no_discordance"


def test_graded_measures_use_the_spread_of_the_differences():
    differences = np.random.default_rng(0).normal(0, 0.4, 100)
    found = smallest_mean_difference(differences)
    assert found.difference == pytest.approx((1.959964 + 0.841621) * differences.std(ddof=1) / 10, rel=1e-5)
    assert means_needed(difference=found.difference, spread=float(differences.std(ddof=1))) == 100
    assert means_needed(difference=0.0, spread=0.4) is None
    assert means_needed(difference=1e-6, spread=0.4) is None


def test_a_simulated_mean_difference_is_seen_as_often_as_said():
    rng = np.random.default_rng(1)
    planted = smallest_mean_difference(rng.normal(0, 0.4, 4000)).difference * np.sqrt(4000 / 150)
    sets = rng.normal(planted, 0.4, (2000, 150))
    t = sets.mean(axis=1) / (sets.std(axis=1, ddof=1) / np.sqrt(150))
    assert (np.abs(t) > 1.976).mean() == pytest.approx(0.8, abs=0.04)
