"""Paired comparison of variants over the same questions: difference, p-value, Holm over all pairs."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt
import polars as pl
from scipy.stats import binomtest

from eval_pipeline.metrics.denominators import Denominator, require_same
from eval_pipeline.metrics.intervals import Interval, interval_of_mean, is_binary

Floats = npt.NDArray[np.float64]

EXACT_SIGN_FLIPS = 14
"""Up to this many differences that are not 0, all sign patterns are counted (2**14) instead of drawn."""


@dataclass(frozen=True, kw_only=True)
class Scores:
    """One variant's values of one measure in one arena.

    Attributes:
        name: of the variant.
        values: columns question_id, value; only questions with a value, each once.
        denominator: what they are a mean over.
        clusters: columns question_id, cluster; None where questions are drawn singly.
    """

    name: str
    values: pl.DataFrame
    denominator: Denominator
    clusters: pl.DataFrame | None = None


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """One pair of variants.

    Attributes:
        one: first variant.
        other: second variant.
        difference: mean of one minus mean of other.
        interval: of the difference, over questions or clusters.
        p_value: of the test, above 0.
        p_holm: corrected over all pairs that were compared together.
        test: `mcnemar` or `sign-flip`.
        n: questions.
        n_alike: questions on which both have the same value.
        discordant: ids of the others, sorted.
    """

    one: str
    other: str
    difference: float
    interval: Interval
    p_value: float
    p_holm: float
    test: str
    n: int
    n_alike: int
    discordant: tuple[str, ...]


def compare_all(scores: Mapping[str, Scores], *, level: float, resamples: int, seed: int) -> list[Comparison]:
    """Compare every pair of variants; Holm's correction is over all of them.

    Args:
        scores: by variant.
        level: of the intervals.
        resamples: of intervals and of sign flips.
        seed: of both.

    Returns:
        One comparison per pair, in the order of the names.

    Raises:
        InputError: two variants have different denominators; names every part that differs.
    """
    pairs = [
        _compare(scores[one], scores[other], level=level, resamples=resamples, seed=seed)
        for one, other in combinations(sorted(scores), 2)
    ]
    corrected = correct_holm(np.array([pair.p_value for pair in pairs]))
    return [Comparison(**{**vars(pair), "p_holm": float(value)}) for pair, value in zip(pairs, corrected, strict=True)]


def _compare(one: Scores, other: Scores, *, level: float, resamples: int, seed: int) -> Comparison:
    require_same(one.denominator, other.denominator)
    both = one.values.join(other.values, on="question_id", suffix="_other", how="inner").sort("question_id")
    left, right = both["value"].to_numpy(), both["value_other"].to_numpy()
    differences = left - right
    clusters = None
    if one.clusters is not None:
        named = both.select("question_id").join(one.clusters, on="question_id", how="left", maintain_order="left")
        clusters = named["cluster"].to_numpy().astype(np.str_)
    is_paired_binary = is_binary(left) and is_binary(right) and clusters is None
    if is_paired_binary:
        p_value, test = mcnemar_p(left, right), "mcnemar"
    else:
        p_value, test = sign_flip_p(differences, clusters=clusters, resamples=resamples, seed=seed), "sign-flip"
    differing = both.filter(pl.Series(differences != 0))["question_id"].to_list()
    return Comparison(
        one=one.name,
        other=other.name,
        difference=float(differences.mean()) if len(differences) else 0.0,
        interval=_interval_of_difference(differences, clusters, level=level, resamples=resamples, seed=seed),
        p_value=p_value,
        p_holm=p_value,
        test=test,
        n=len(differences),
        n_alike=len(differences) - len(differing),
        discordant=tuple(differing),
    )


def _interval_of_difference(
    differences: Floats, clusters: npt.NDArray[np.str_] | None, *, level: float, resamples: int, seed: int
) -> Interval:
    """A difference is no share, so Wilson does not fit it: BCa, or whole clusters."""
    if len(differences) and clusters is None and np.ptp(differences) == 0:
        return Interval(low=None, high=None, method="constant")
    if clusters is None and is_binary(differences):
        # One variant is never worse: its differences look like shares, but are bootstrapped as differences.
        shifted = interval_of_mean(differences * 0.5, level=level, resamples=resamples, seed=seed)
        low = None if shifted.low is None else shifted.low * 2
        high = None if shifted.high is None else shifted.high * 2
        return Interval(low=low, high=high, method=shifted.method)
    return interval_of_mean(differences, level=level, resamples=resamples, seed=seed, clusters=clusters)


def mcnemar_p(one: Floats, other: Floats) -> float:
    """Exact two-sided McNemar test on paired 0/1 values: a binomial test on the discordant questions.

    Worked: 5 questions that only one answers, 0 that only the other does -> 2 / 32 = 0.0625; none discordant -> 1.
    """
    n_one = int(((one == 1) & (other == 0)).sum())
    n_other = int(((one == 0) & (other == 1)).sum())
    if n_one + n_other == 0:
        return 1.0
    return float(binomtest(n_one, n_one + n_other, 0.5).pvalue)


def sign_flip_p(differences: Floats, *, clusters: npt.NDArray[np.str_] | None, resamples: int, seed: int) -> float:
    """Two-sided sign-flip test of a mean difference of 0; whole clusters flip where they are given.

    All sign patterns are counted where few differences are not 0, so three equal ones give 0.25 and never less; else
    patterns are drawn, and the observed one counts as one of them, so p is never 0. The same seed gives the same p.
    """
    sums = differences
    if clusters is not None:
        _, places = np.unique(clusters, return_inverse=True)
        sums = np.bincount(places, weights=differences).astype(np.float64)
    sums = sums[sums != 0]
    if len(sums) == 0:
        return 1.0
    observed = abs(sums.sum())
    # Sums of the same differences in another order differ in the last digits; they count as equal.
    threshold = observed - 1e-12 * np.abs(sums).sum()
    if len(sums) <= EXACT_SIGN_FLIPS:
        patterns = ((np.arange(2 ** len(sums))[:, None] >> np.arange(len(sums))) & 1) * 2.0 - 1
        return float((np.abs(patterns @ sums) >= threshold).mean())
    signs = np.random.default_rng(seed).integers(0, 2, (resamples, len(sums))) * 2.0 - 1
    extreme = int((np.abs(signs @ sums) >= threshold).sum())
    return (extreme + 1) / (resamples + 1)


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


def share_values(scores: Mapping[str, Scores]) -> tuple[str, ...]:
    """Ids of the questions that every variant has a value for: the shared set that a refused comparison may use."""
    shared: set[str] | None = None
    for one in scores.values():
        ids = set(one.values["question_id"])
        shared = ids if shared is None else shared & ids
    return tuple(sorted(shared or ()))
