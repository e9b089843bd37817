"""Means over many model-labelled questions, corrected by the few that people adjudicated (MEASURES 3).

A model's labels give every question a value, wrong in an unknown direction; the audit gives a random sample of the
questions the right one. The estimate is the model's mean over all questions plus what the audit says it is off by,
with the model trusted only as far as it pays (power tuning): a model that knows nothing leaves the audit's own mean.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri

from eval_pipeline.foundation.errors import InputError
from eval_pipeline.metrics.intervals import CONSTANT, NO_QUESTIONS

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]

MIN_AUDITED = 50
"""As for agreement (MEASURES 3): fewer audited questions say too little about how the model errs."""

METHOD, TOO_FEW_AUDITED = "prediction-powered", "too_few_audited"


@dataclass(frozen=True, kw_only=True)
class PoweredMean:
    """A corrected mean, or why there is none.

    Attributes:
        estimate: the mean; None with a reason.
        low: lower end; None with a reason.
        high: upper end; None with a reason.
        method: `prediction-powered`, or the reason: `no_questions`, `too_few_audited`, `constant`.
        tuning: how far the model's values were trusted: 0 not at all, 1 fully; 0 with a reason.
        n: questions.
        n_audited: of these, adjudicated.
    """

    estimate: float | None
    low: float | None
    high: float | None
    method: str
    tuning: float
    n: int
    n_audited: int


def correct_mean(
    *,
    predicted: Floats,
    adjudicated: Floats,
    is_audited: Flags,
    level: float,
    inclusion: Floats | None = None,
) -> PoweredMean:
    """Prediction-powered interval of a mean over questions, tuned for power.

    Args:
        predicted: (n,) value of every question under the model's labels alone, finite.
        adjudicated: (n,) value under people's labels; read where `is_audited`, and may be anything elsewhere.
        is_audited: (n,) True for questions of the random audit, every unit of whose first k a person labelled.
        level: such as 0.95.
        inclusion: (n,) chance of each question to be drawn into the audit; None where all had the same.

    Returns:
        The model's mean over all questions, times the tuning, plus the audited mean of what is left over; ends by the
        normal approximation. Drawing whole questions at random is what it rests on: a priority queue is no audit.

    Raises:
        InputError: a chance of an audited question is not above 0.

    Source: Angelopoulos, Duchi & Zrnic 2023, PPI++, arXiv:2311.01453, with the audited questions among the n; weights
    as Hajek 1971 where the chances differ.
    """
    n, n_audited = len(predicted), int(is_audited.sum())
    if n == 0:
        return _none(NO_QUESTIONS, n, n_audited)
    if n_audited < MIN_AUDITED:
        return _none(TOO_FEW_AUDITED, n, n_audited)
    weights = _weigh(is_audited, inclusion)
    truth, guess = adjudicated[is_audited], predicted[is_audited]
    tuning = _tune(truth, guess, predicted, weights)
    left = truth - tuning * guess
    estimate = tuning * float(predicted.mean()) + float(weights @ left)
    if np.ptp(left) == 0 and (tuning == 0 or np.ptp(predicted) == 0):
        return _none(CONSTANT, n, n_audited)
    error = np.sqrt(max(0.0, _variance(left, guess, predicted, weights, tuning)))
    half = float(ndtri(0.5 + level / 2)) * float(error)
    return PoweredMean(
        estimate=estimate,
        low=estimate - half,
        high=estimate + half,
        method=METHOD,
        tuning=tuning,
        n=n,
        n_audited=n_audited,
    )


def _none(reason: str, n: int, n_audited: int) -> PoweredMean:
    return PoweredMean(estimate=None, low=None, high=None, method=reason, tuning=0.0, n=n, n_audited=n_audited)


def _weigh(is_audited: Flags, inclusion: Floats | None) -> Floats:
    """Weights of the audited questions: 1 / chance, adding up to 1."""
    n_audited = int(is_audited.sum())
    if inclusion is None:
        return np.full(n_audited, 1 / n_audited)
    chances = inclusion[is_audited]
    if not (chances > 0).all():
        message = "an audited question has no chance of being drawn on record; audit questions are drawn by hash"
        raise InputError(message)
    return np.asarray((1 / chances) / (1 / chances).sum(), dtype=np.float64)


def _covariance(one: Floats, other: Floats, weights: Floats) -> float:
    """Weighted sample covariance; with equal weights the usual one over n - 1."""
    off = (one - weights @ one) * (other - weights @ other)
    return float(weights @ off / (1 - weights @ weights))


def _tune(truth: Floats, guess: Floats, predicted: Floats, weights: Floats) -> float:
    """Slope of truth on guess: the trust at which the interval is narrowest; between 0 and 1."""
    spread = float(predicted.var(ddof=1)) if len(predicted) > 1 else 0.0
    if spread <= 0:
        return 0.0
    return float(np.clip(_covariance(truth, guess, weights) / spread, 0.0, 1.0))


def _variance(left: Floats, guess: Floats, predicted: Floats, weights: Floats, tuning: float) -> float:
    """Of the audited part, of the model's mean, and what both share because the audit is a part of the whole."""
    n = len(predicted)
    audited = float(weights @ weights) * _covariance(left, left, weights)
    shared = 2 * tuning * _covariance(left, guess, weights) / n
    return audited + tuning**2 * float(predicted.var(ddof=1)) / n + shared
