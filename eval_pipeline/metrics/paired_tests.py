"""Tests of paired differences: exact McNemar, sign flips as one product, and Holm's correction over all pairs."""

from itertools import combinations

import numpy as np
import numpy.typing as npt
from scipy.stats import binom

from eval_pipeline.metrics.intervals import is_binary

Floats = npt.NDArray[np.float64]
Counts = npt.NDArray[np.int64]

MCNEMAR, SIGN_FLIP = "mcnemar", "sign-flip"

EXACT_SIGN_FLIPS = 14
"""Up to this many differences that are not 0, all sign patterns are counted (2**14) instead of drawn."""

_BLOCK = 4_000_000
"""Entries of one block of drawn signs: 32 MB of float64."""


def list_pairs(m: int) -> list[tuple[int, int]]:
    """Every pair of m columns, in order."""
    return list(combinations(range(m), 2))


def choose_test(values: Floats, *, clusters: npt.NDArray[np.str_] | None) -> str:
    """`mcnemar` where every value is 0 or 1 and questions are drawn singly, else `sign-flip` (MEASURES 5)."""
    return MCNEMAR if clusters is None and is_binary(values) else SIGN_FLIP


def p_values_of_pairs(
    values: Floats, *, clusters: npt.NDArray[np.str_] | None, resamples: int, seed: int
) -> tuple[Floats, list[str]]:
    """Two-sided p-value of every pair of variants over the same questions, none corrected.

    Args:
        values: (n, m) finite; one column per variant, one row per question.
        clusters: (n,) name of the cluster of each question; None where questions are drawn singly.
        resamples: sign patterns that are drawn where not all can be counted.
        seed: of the draw.

    Returns:
        (m * (m - 1) / 2,) p-values above 0 in the order of `list_pairs`, and the name of each test.
    """
    pairs = list_pairs(values.shape[1])
    left, right = values[:, [one for one, _ in pairs]], values[:, [other for _, other in pairs]]
    tests = [choose_test(values[:, list(pair)], clusters=clusters) for pair in pairs]
    found = np.ones(len(pairs))
    exact = np.array([test == MCNEMAR for test in tests], dtype=bool)
    if exact.any():
        one_only = (left[:, exact] > right[:, exact]).sum(axis=0)
        other_only = (left[:, exact] < right[:, exact]).sum(axis=0)
        found[exact] = mcnemar_from_counts(one_only, other_only)
    if not exact.all():
        found[~exact] = flip_signs((left - right)[:, ~exact], clusters=clusters, resamples=resamples, seed=seed)
    return found, tests


def mcnemar_from_counts(n_one: npt.ArrayLike, n_other: npt.ArrayLike) -> Floats:
    """Exact two-sided McNemar tests from how many questions only one, and only the other, of two variants answers.

    Worked: 5 and 0 -> 2 / 32 = 0.0625; 0 and 0 -> 1.

    Source: McNemar 1947, doi:10.1007/BF02295996; exact: a binomial test with p = 1/2 on the discordant questions.
    """
    one, other = np.asarray(n_one, dtype=np.int64), np.asarray(n_other, dtype=np.int64)
    tail = binom.cdf(np.minimum(one, other), one + other, 0.5)
    return np.asarray(np.minimum(1.0, 2 * tail), dtype=np.float64)


def mcnemar_p(one: Floats, other: Floats) -> float:
    """Exact two-sided McNemar test on paired 0/1 values, see `mcnemar_from_counts`."""
    return float(mcnemar_from_counts((one > other).sum(), (one < other).sum()))


def sign_flip_p(differences: Floats, *, clusters: npt.NDArray[np.str_] | None, resamples: int, seed: int) -> float:
    """Two-sided sign-flip test of one column of differences, see `flip_signs`."""
    return float(flip_signs(differences[:, None], clusters=clusters, resamples=resamples, seed=seed)[0])


def flip_signs(differences: Floats, *, clusters: npt.NDArray[np.str_] | None, resamples: int, seed: int) -> Floats:
    """Two-sided sign-flip tests of mean differences of 0; whole clusters flip where they are given.

    All sign patterns are counted where few differences are not 0, so three equal ones give 0.25 and never less; else
    patterns are drawn once for all columns, and the observed one counts as one of them, so p is never 0. The same seed
    gives the same p.

    Args:
        differences: (n, m), one column per pair of variants.
        clusters: (n,) names, or None.
        resamples: sign patterns that are drawn.
        seed: of the draw.

    Returns:
        (m,) p-values.
    """
    sums = differences if clusters is None else sum_clusters(differences, clusters)
    n_moving = (sums != 0).sum(axis=0)
    found = np.ones(sums.shape[1])
    few = (n_moving > 0) & (n_moving <= EXACT_SIGN_FLIPS)
    for place in np.flatnonzero(few):
        found[place] = _count_all(sums[sums[:, place] != 0, place])
    many = n_moving > EXACT_SIGN_FLIPS
    if many.any():
        found[many] = _draw_signs(sums[:, many], resamples=resamples, seed=seed)
    return found


def sum_clusters(columns: Floats, clusters: npt.NDArray[np.str_]) -> Floats:
    """Sums of each column over the rows of each cluster: (n_clusters, m), clusters by name."""
    names, places = np.unique(clusters, return_inverse=True)
    return np.column_stack([np.bincount(places, weights=column, minlength=len(names)) for column in columns.T])


def _threshold(sums: Floats) -> Floats:
    """Sums of the same differences in another order differ in the last digits; they count as equal."""
    return np.asarray(np.abs(sums.sum(axis=0)) - 1e-12 * np.abs(sums).sum(axis=0))


def _count_all(sums: Floats) -> float:
    patterns = ((np.arange(2 ** len(sums))[:, None] >> np.arange(len(sums))) & 1) * 2.0 - 1
    return float((np.abs(patterns @ sums) >= _threshold(sums)).mean())


def _draw_signs(sums: Floats, *, resamples: int, seed: int) -> Floats:
    rng, threshold = np.random.default_rng(seed), _threshold(sums)
    rows = max(1, _BLOCK // len(sums))
    extreme = np.zeros(sums.shape[1])
    for start in range(0, resamples, rows):
        signs = rng.integers(0, 2, (min(rows, resamples - start), len(sums))) * 2.0 - 1
        extreme += (np.abs(signs @ sums) >= threshold).sum(axis=0)
    return np.asarray((extreme + 1) / (resamples + 1))


def correct_holm(p_values: Floats) -> Floats:
    """Holm's step-down correction, in the given order.

    Worked: (0.01, 0.04, 0.03) -> (0.03, 0.06, 0.06).

    Source: Holm 1979, Scandinavian Journal of Statistics 6, 65-70.
    """
    order = np.argsort(p_values, kind="stable")
    left = len(p_values) - np.arange(len(p_values))
    stepped = np.minimum(1.0, np.maximum.accumulate(p_values[order] * left))
    corrected = np.empty_like(stepped)
    corrected[order] = stepped
    return corrected
