"""Prediction-powered means: the slow way with unaudited questions apart, limits, weights, named reasons."""

import numpy as np
import pytest

from eval_pipeline.foundation.errors import InputError
from eval_pipeline.metrics.prediction_powered import correct_mean

Z = 1.959964


def a_set(n=1000, n_audited=200, agreement=0.84, seed=0):
    rng = np.random.default_rng(seed)
    truth = (rng.random(n) < 0.6) * 1.0
    guess = np.where(rng.random(n) < agreement, truth, 1 - truth)
    is_audited = np.zeros(n, dtype=bool)
    is_audited[rng.choice(n, n_audited, replace=False)] = True
    return truth, guess, is_audited


def slow(truth, guess, is_audited):
    """PPI++ as printed, with the unaudited questions apart and the tuning found by trying: estimate, low, high."""
    labelled, unlabelled = guess[is_audited], guess[~is_audited]
    best = None
    for tuning in np.linspace(0, 1, 2001):
        left = truth[is_audited] - tuning * labelled
        variance = left.var(ddof=1) / len(left) + tuning**2 * unlabelled.var(ddof=1) / len(unlabelled)
        estimate = tuning * unlabelled.mean() + left.mean()
        if best is None or variance < best[0]:
            best = (variance, estimate)
    half = Z * np.sqrt(best[0])
    return best[1], best[1] - half, best[1] + half


@pytest.mark.parametrize("seed", range(4))
def test_it_is_the_slow_way(seed):
    truth, guess, is_audited = a_set(seed=seed)
    found = correct_mean(predicted=guess, adjudicated=truth, is_audited=is_audited, level=0.95)
    expected = slow(truth, guess, is_audited)
    assert (found.estimate, found.low, found.high) == pytest.approx(expected, abs=0.003)
    assert (found.method, found.n, found.n_audited) == ("prediction-powered", 1000, 200)


def test_people_are_read_only_where_they_spoke():
    truth, guess, is_audited = a_set()
    silent = np.where(is_audited, truth, np.nan)
    found = correct_mean(predicted=guess, adjudicated=silent, is_audited=is_audited, level=0.95)
    assert found == correct_mean(predicted=guess, adjudicated=truth, is_audited=is_audited, level=0.95)


def test_a_model_that_knows_nothing_leaves_the_audit():
    truth, _, is_audited = a_set()
    rng = np.random.default_rng(1)
    found = correct_mean(predicted=(rng.random(1000) < 0.5) * 1.0, adjudicated=truth, is_audited=is_audited, level=0.95)
    assert found.tuning < 0.15
    assert found.estimate == pytest.approx(truth[is_audited].mean(), abs=0.01)
    constant = correct_mean(predicted=np.ones(1000), adjudicated=truth, is_audited=is_audited, level=0.95)
    assert constant.tuning == 0
    assert constant.estimate == pytest.approx(truth[is_audited].mean())


def test_a_model_that_is_always_right_is_trusted():
    truth, _, is_audited = a_set()
    found = correct_mean(predicted=truth, adjudicated=truth, is_audited=is_audited, level=0.95)
    assert found.tuning == pytest.approx(1, abs=0.05)
    assert found.estimate == pytest.approx(truth.mean(), abs=0.002)
    assert found.high - found.low == pytest.approx(2 * Z * truth.std() / np.sqrt(1000), rel=0.05)


def test_questions_drawn_less_often_count_for_more():
    rng = np.random.default_rng(3)
    estimates = []
    for _ in range(200):
        is_hard = rng.random(2000) < 0.5
        truth = (rng.random(2000) < np.where(is_hard, 0.3, 0.9)) * 1.0
        chance = np.where(is_hard, 0.3, 0.05)
        is_audited = rng.random(2000) < chance
        guess = np.where(rng.random(2000) < 0.8, truth, 1 - truth)
        options = {"predicted": guess, "adjudicated": truth, "is_audited": is_audited, "level": 0.95}
        weighted, plain = correct_mean(**options, inclusion=chance), correct_mean(**options)
        estimates.append((weighted.estimate, plain.estimate, weighted.low <= 0.6 <= weighted.high))
    weighted, plain, holds = np.mean(estimates, axis=0)
    assert weighted == pytest.approx(0.6, abs=0.01)
    assert plain < 0.55
    assert 0.9 <= holds <= 0.99


def test_equal_chances_are_no_chances():
    truth, guess, is_audited = a_set()
    options = {"predicted": guess, "adjudicated": truth, "is_audited": is_audited, "level": 0.95}
    plain, weighted = correct_mean(**options), correct_mean(**options, inclusion=np.full(1000, 0.2))
    assert (plain.low, plain.high) == pytest.approx((weighted.low, weighted.high))


def test_named_reasons():
    truth, guess, is_audited = a_set(n_audited=49)
    few = correct_mean(predicted=guess, adjudicated=truth, is_audited=is_audited, level=0.95)
    assert (few.method, few.estimate, few.n_audited) == ("too_few_audited", None, 49)
    ones, all_of_them = np.ones(60), np.ones(60, dtype=bool)
    assert correct_mean(predicted=ones, adjudicated=ones, is_audited=all_of_them, level=0.95).method == "constant"
    none = np.array([])
    empty = correct_mean(predicted=none, adjudicated=none, is_audited=none.astype(bool), level=0.95)
    assert empty.method == "no_questions"
    chances = np.zeros(60)
    with pytest.raises(InputError, match="no chance of being drawn"):
        correct_mean(predicted=ones, adjudicated=ones, is_audited=all_of_them, level=0.95, inclusion=chances)
