"""Intervals of means over questions: Wilson, BCa and cluster bootstrap, or the reason why there is none."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr, ndtri

Floats = npt.NDArray[np.float64]

MIN_CLUSTERS = 50
"""Below this a cluster bootstrap covers less than it says (MEASURES 5)."""

NO_QUESTIONS, CONSTANT, TOO_FEW_CLUSTERS, DEGENERATE = "no_questions", "constant", "too_few_clusters", "degenerate"

_BLOCK = 4_000_000
"""Entries of one block of resampling counts: 32 MB of float64."""


@dataclass(frozen=True, kw_only=True)
class Interval:
    """An interval, or why there is none.

    Attributes:
        low: lower end; None without an interval.
        high: upper end; None without an interval.
        method: `wilson`, `bca`, `cluster-bootstrap`; or the reason, such as `too_few_clusters`.
    """

    low: float | None
    high: float | None
    method: str


def _none(reason: str) -> Interval:
    return Interval(low=None, high=None, method=reason)


def interval_of_mean(
    values: Floats, *, level: float, resamples: int, seed: int, clusters: npt.NDArray[np.str_] | None = None
) -> Interval:
    """Interval of the mean of per-question values, by the rule of MEASURES 5.

    Args:
        values: (n,) finite, in a fixed order.
        level: such as 0.95.
        resamples: of the bootstrap.
        seed: of the bootstrap.
        clusters: (n,) name of the cluster of each question; None where questions are drawn singly.
    """
    if len(values) == 0:
        return _none(NO_QUESTIONS)
    if clusters is not None:
        return cluster_bootstrap(values, clusters, level=level, resamples=resamples, seed=seed)
    if is_binary(values):
        return wilson(int(values.sum()), len(values), level=level)
    return bca_of_means(values[:, None], level=level, resamples=resamples, seed=seed)[0]


def is_binary(values: Floats) -> bool:
    """True where every value is 0 or 1; constants included."""
    return bool(np.isin(values, (0.0, 1.0)).all())


def wilson(n_ones: int, n: int, *, level: float) -> Interval:
    """Wilson's score interval of a share, without continuity correction.

    Worked: 0 of 10 at 95 % -> 0 to 0.2775; 5 of 10 -> 0.2366 to 0.7634.

    Source: Wilson 1927, doi:10.1080/01621459.1927.10502953.
    """
    if n == 0:
        return _none(NO_QUESTIONS)
    z = float(ndtri(0.5 + level / 2))
    share, denominator = n_ones / n, 1 + z * z / n
    centre = (share + z * z / (2 * n)) / denominator
    half = z / denominator * float(np.sqrt(share * (1 - share) / n + z * z / (4 * n * n)))
    low = 0.0 if n_ones == 0 else max(0.0, centre - half)
    high = 1.0 if n_ones == n else min(1.0, centre + half)
    return Interval(low=low, high=high, method="wilson")


@lru_cache(maxsize=8)
def _cached_counts(n: int, resamples: int, seed: int) -> Floats:
    return _count_blocks(n, resamples, seed)[0]


def _count_blocks(n: int, resamples: int, seed: int) -> list[Floats]:
    """How often each of n items is drawn in each resample, in blocks of rows; the draw depends on n and seed only."""
    rng = np.random.default_rng(seed)
    rows = max(1, min(resamples, _BLOCK // max(n, 1)))
    blocks = []
    for start in range(0, resamples, rows):
        size = min(rows, resamples - start)
        drawn = rng.integers(0, n, (size, n)) + np.arange(size)[:, None] * n
        blocks.append(np.bincount(drawn.ravel(), minlength=size * n).reshape(size, n).astype(np.float64))
    return blocks


def resampled_sums(columns: Floats, *, resamples: int, seed: int) -> Floats:
    """Sums of each column over resampled rows.

    Args:
        columns: (n, m).
        resamples: number of resamples B.
        seed: same seed and n, same draw, whatever the columns.

    Returns:
        (B, m).
    """
    n = len(columns)
    if n * resamples <= _BLOCK:
        return _cached_counts(n, resamples, seed) @ columns
    return np.concatenate([block @ columns for block in _count_blocks(n, resamples, seed)])


def bca_of_means(columns: Floats, *, level: float, resamples: int, seed: int) -> list[Interval]:
    """Bias-corrected and accelerated bootstrap intervals of the means of several columns over the same rows.

    Args:
        columns: (n, m), finite.
        level: such as 0.95.
        resamples: number of resamples.
        seed: of the draw.

    Returns:
        One interval per column; `constant` for a column of one value, `degenerate` where the correction has no value.

    Source: Efron 1987, doi:10.1080/01621459.1987.10478410; ties of a resampled mean with the mean count half.
    """
    n = len(columns)
    means = columns.mean(axis=0)
    boot = resampled_sums(columns, resamples=resamples, seed=seed) / n
    # The same values summed in another order differ in the last digits; such a mean is a tie.
    slack = 1e-12 * np.abs(columns).max(axis=0, initial=0.0)
    below = ((boot < means - slack).sum(axis=0) + (boot <= means + slack).sum(axis=0)) / (2 * resamples)
    off = columns - means
    # The acceleration has no scale; a power of two changes no digit and keeps squares of tiny values from vanishing.
    off = np.ldexp(off, -np.frexp(np.abs(off).max(axis=0, initial=0.0))[1])
    spread = (off**2).sum(axis=0)
    is_constant = np.ptp(columns, axis=0) == 0
    acceleration = (off**3).sum(axis=0) / (6 * np.where(is_constant, 1.0, spread) ** 1.5)
    found = []
    for place in range(columns.shape[1]):
        if is_constant[place]:
            found.append(_none(CONSTANT))
        else:
            found.append(_bca(boot[:, place], float(below[place]), float(acceleration[place]), level))
    return found


def _bca(boot: Floats, below: float, acceleration: float, level: float) -> Interval:
    if not 0 < below < 1:
        return _none(DEGENERATE)
    bias = float(ndtri(below))
    ends = []
    for tail in ((1 - level) / 2, (1 + level) / 2):
        shifted = bias + float(ndtri(tail))
        ends.append(float(ndtr(bias + shifted / (1 - acceleration * shifted))))
    low, high = np.quantile(boot, ends)
    if not low < high:
        return _none(DEGENERATE)
    return Interval(low=float(low), high=float(high), method="bca")


def cluster_bootstrap(
    values: Floats, clusters: npt.NDArray[np.str_], *, level: float, resamples: int, seed: int
) -> Interval:
    """Percentile interval of the mean, whole clusters drawn anew; each resample divides by the questions it holds.

    Args:
        values: (n,) finite.
        clusters: (n,) names.
        level: such as 0.95.
        resamples: number of resamples.
        seed: of the draw.
    """
    if len(values) == 0:
        return _none(NO_QUESTIONS)
    names, places = np.unique(clusters, return_inverse=True)
    if len(names) < MIN_CLUSTERS:
        return _none(TOO_FEW_CLUSTERS)
    if np.ptp(values) == 0:
        return _none(CONSTANT)
    sums = np.bincount(places, weights=values)
    sizes = np.bincount(places).astype(np.float64)
    drawn = resampled_sums(np.column_stack([sums, sizes]), resamples=resamples, seed=seed)
    low, high = np.quantile(drawn[:, 0] / drawn[:, 1], [(1 - level) / 2, (1 + level) / 2])
    return Interval(low=float(low), high=float(high), method="cluster-bootstrap")
