"""Coverage: how often an interval that says 95 % holds the true mean."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import betaincinv
from scipy.stats import binom

from eval_pipeline.metrics.intervals import MIN_CLUSTERS, Interval, bca_of_means, interval_of_mean
from eval_pipeline.metrics.validation.lines import Line, Proof, simulation_error

Floats = npt.NDArray[np.float64]

LEVEL, LOW, HIGH = 0.95, 0.92, 0.98
WILSON_LOW, WILSON_HIGH = 0.925, 0.967
SIZES, SHARES = (20, 50, 200), (0.05, 0.43, 0.67, 0.95)
BETAS = ((2.0, 2.0), (4.0, 1.5))
RESAMPLES = 2_000


@dataclass(frozen=True, kw_only=True)
class _Ends:
    """Ends of an interval for every count of ones: (n + 1,) each; NaN where there is none."""

    low: Floats
    high: Floats


def prove_coverage(*, n_sets: int, seed: int = 0) -> Proof:
    """Exact sums for 0/1 means; simulated sets for other means and for clustered ones.

    Args:
        n_sets: simulated sets for each line that has no exact sum.
        seed: of the sets.
    """
    return Proof(
        name="coverage",
        claim="a 95 % interval holds the true mean in 92 to 98 % of sets, by the method that is the default there",
        lines=(*_binary_lines(), *_bca_lines(n_sets, seed), *_clustered_lines(n_sets, seed), *_failing_lines()),
    )


def cover_binary(ends: Callable[[int], _Ends], *, n: int, share: float) -> float:
    """Exact coverage of an interval of a share: the chance of every count of ones whose interval holds the share."""
    found = ends(n)
    holds = (found.low <= share) & (share <= found.high)
    return float(binom.pmf(np.arange(n + 1), n, share)[holds].sum())


def default_ends(n: int) -> _Ends:
    """The default interval of every set of n zeros and ones, through the rule that figures use."""
    found = [
        interval_of_mean((np.arange(n) < ones).astype(np.float64), level=LEVEL, resamples=RESAMPLES, seed=0)
        for ones in range(n + 1)
    ]
    return _Ends(low=_or_nan([item.low for item in found]), high=_or_nan([item.high for item in found]))


def _or_nan(values: list[float | None]) -> Floats:
    return np.array([np.nan if value is None else value for value in values])


def percentile_ends(n: int) -> _Ends:
    """Percentile bootstrap of a share, exact: a resample of n with k ones is binomial. Not a default."""
    shares = np.arange(n + 1) / n
    tail = (1 - LEVEL) / 2
    return _Ends(low=binom.ppf(tail, n, shares) / n, high=binom.ppf(1 - tail, n, shares) / n)


def jeffreys_ends(n: int) -> _Ends:
    """Jeffreys' interval of a share. Not a default.

    Source: Brown, Cai & DasGupta 2001, doi:10.1214/ss/1009213286, with 0 and 1 as ends of all zeros and all ones.
    """
    ones = np.arange(n + 1)
    tail = (1 - LEVEL) / 2
    low = np.where(ones == 0, 0.0, betaincinv(ones + 0.5, n - ones + 0.5, tail))
    high = np.where(ones == n, 1.0, betaincinv(ones + 0.5, n - ones + 0.5, 1 - tail))
    return _Ends(low=low, high=high)


def _binary_lines() -> Iterator[Line]:
    found = []
    for n in SIZES:
        ends = default_ends(n)
        for share in SHARES:
            value = cover_binary(lambda _, ends=ends: ends, n=n, share=share)  # type: ignore[misc]  # bound here
            found.append(value)
            yield Line(what=f"0/1 mean, n = {n}, p = {share:.2f}: Wilson, exact", value=value, low=LOW, high=HIGH)
    half_digit = 0.0005
    yield Line(what="lowest of these", value=min(found), low=WILSON_LOW, high=WILSON_HIGH, slack=half_digit)
    yield Line(what="highest of these", value=max(found), low=WILSON_LOW, high=WILSON_HIGH, slack=half_digit)


def _share_covered(intervals: list[Interval], truth: float) -> float:
    """An interval that is not there does not hold the truth."""
    return float(
        np.mean(
            [item.low is not None and item.high is not None and item.low <= truth <= item.high for item in intervals]
        )
    )


def _bca_lines(n_sets: int, seed: int) -> Iterator[Line]:
    rng = np.random.default_rng(seed)
    for n in (50, 200):
        for a, b in BETAS:
            sets = rng.beta(a, b, (n, n_sets))
            intervals = bca_of_means(sets, level=LEVEL, resamples=RESAMPLES, seed=seed)
            yield _simulated(f"mean of Beta({a:g}, {b:g}), n = {n}: BCa", intervals, a / (a + b), n_sets)


def _simulated(what: str, intervals: list[Interval], truth: float, n_sets: int) -> Line:
    value = _share_covered(intervals, truth)
    return Line(what=what, value=value, low=LOW, high=HIGH, slack=simulation_error(LOW, n_sets))


def _clustered_lines(n_sets: int, seed: int) -> Iterator[Line]:
    rng = np.random.default_rng(seed + 1)
    for n_clusters in (MIN_CLUSTERS, 2 * MIN_CLUSTERS):
        for is_binary in (True, False):
            intervals = [_draw_clustered(rng, n_clusters, is_binary=is_binary) for _ in range(n_sets)]
            kind = "0/1" if is_binary else "graded"
            yield _simulated(
                f"{kind} mean over {n_clusters} clusters of 1 to 6: cluster bootstrap", intervals, 2 / 3, n_sets
            )


def _draw_clustered(rng: np.random.Generator, n_clusters: int, *, is_binary: bool) -> Interval:
    """Questions of one document are alike: each document has its own mean, Beta(4, 2), whose mean is 2/3."""
    sizes = rng.integers(1, 7, n_clusters)
    means = np.repeat(rng.beta(4, 2, n_clusters), sizes)
    values = (rng.random(len(means)) < means).astype(np.float64) if is_binary else rng.beta(4 * means, 4 * (1 - means))
    names = np.repeat(np.arange(n_clusters).astype(np.str_), sizes)
    return interval_of_mean(values, level=LEVEL, resamples=RESAMPLES, seed=0, clusters=names)


def _failing_lines() -> Iterator[Line]:
    """Methods that fail where the default does not: below 92 %, so neither is the default."""
    yield Line(
        what="0/1 mean, n = 20, p = 0.95: percentile bootstrap, exact",
        value=cover_binary(percentile_ends, n=20, share=0.95),
        low=0.0,
        high=LOW,
        is_default=False,
    )
    yield Line(
        what="0/1 mean, n = 50, p = 0.05: Jeffreys, exact",
        value=cover_binary(jeffreys_ends, n=50, share=0.05),
        low=0.0,
        high=LOW,
        is_default=False,
    )
