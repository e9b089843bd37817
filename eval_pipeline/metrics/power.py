"""What a set of questions can tell apart: power of the planned test, smallest detectable difference, questions needed.

Discordance is the share of questions on which two variants differ. It is stated with every answer: a difference of 0.10
is easy to see where 0.10 of the questions differ, and hard where half of them do.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri
from scipy.stats import binom

Floats = npt.NDArray[np.float64]

POWER, LEVEL = 0.8, 0.95
"""Chance of seeing a difference that is there, and 1 - chance of seeing one that is not, of one planned pair."""

MOST_QUESTIONS = 1_000_000
STEP = 0.001
"""Differences are told to three digits, rounded up."""

NO_DIFFERENCES, TOO_FEW = "no_discordance", "too_few_questions"


@dataclass(frozen=True, kw_only=True)
class Detectable:
    """The smallest difference that would be seen, or why there is none.

    Attributes:
        difference: in the measure's own unit; None with a reason.
        reason: `scored`; `too_few_questions` where not even the largest difference that the discordance allows would be
            seen; `no_discordance` where the variants never differ.
        n: questions, or clusters where whole ones are drawn.
        discordance: share of questions on which the two differ, as stated.
        method: `mcnemar` (exact) or `normal`.
    """

    difference: float | None
    reason: str
    n: int
    discordance: float
    method: str


def mcnemar_power(*, n: int, difference: float, discordance: float, level: float = LEVEL) -> float:
    """Power of the exact two-sided McNemar test on n questions.

    Args:
        n: questions, at least 0.
        difference: true difference of the two means, 0 to `discordance`.
        discordance: share of questions on which the two differ, above 0.
        level: 1 - chance of a false alarm, of one planned pair.

    Returns:
        Sum over the number of discordant questions D (binomial in n and the discordance) of the chance that D of them
        split so unevenly that the test declares a difference.

    Worked: n = 200, difference 0.10, discordance 0.20 -> 0.875.
    """
    if n == 0:
        return 0.0
    middle, spread = n * discordance, np.sqrt(n * discordance * (1 - discordance))
    reach = 9 * spread + 10
    discordant = np.arange(max(0, int(middle - reach)), min(n, int(middle + reach)) + 1)
    one_better = min(1.0, (discordance + difference) / (2 * discordance))
    cut = _critical(discordant, level)
    declared = binom.cdf(cut, discordant, one_better) + binom.sf(discordant - cut - 1, discordant, one_better)
    return float((binom.pmf(discordant, n, discordance) * np.where(cut >= 0, declared, 0.0)).sum())


def _critical(discordant: npt.NDArray[np.int64], level: float) -> npt.NDArray[np.int64]:
    """Largest count of the rarer kind at which the test declares a difference; -1 where none does."""
    tail = (1 - level) / 2
    cut = np.maximum(binom.ppf(tail, discordant, 0.5), 0).astype(np.int64)
    return np.asarray(np.where(binom.cdf(cut, discordant, 0.5) <= tail, cut, cut - 1), dtype=np.int64)


def smallest_difference(*, n: int, discordance: float, level: float = LEVEL, power: float = POWER) -> Detectable:
    """The smallest difference of 0/1 means that n questions show with the given power, rounded up to 0.001.

    Worked: n = 200, discordance 0.20 -> 0.092.
    """
    if discordance <= 0:
        return Detectable(difference=None, reason=NO_DIFFERENCES, n=n, discordance=0.0, method="mcnemar")
    steps = int(np.floor(discordance / STEP + 1e-9))
    tried = [number * STEP for number in range(1, steps + 1)]
    if not tried or tried[-1] < discordance - 1e-12:
        tried.append(discordance)
    low, high = 0, len(tried)
    while low < high:
        middle = (low + high) // 2
        if mcnemar_power(n=n, difference=tried[middle], discordance=discordance, level=level) >= power:
            high = middle
        else:
            low = middle + 1
    if low == len(tried):
        return Detectable(difference=None, reason=TOO_FEW, n=n, discordance=discordance, method="mcnemar")
    return Detectable(difference=round(tried[low], 6), reason="scored", n=n, discordance=discordance, method="mcnemar")


def questions_needed(
    *, difference: float, discordance: float, level: float = LEVEL, power: float = POWER
) -> int | None:
    """The smallest number of questions that show a difference of 0/1 means with the given power.

    Returns:
        None where a million questions would not do.

    Worked: difference 0.10, discordance 0.20 -> 168.
    """
    if not 0 < difference <= discordance <= 1:
        return None
    high = 8
    while mcnemar_power(n=high, difference=difference, discordance=discordance, level=level) < power:
        high *= 2
        if high > MOST_QUESTIONS:
            return None
    low = high // 2
    while low < high:
        middle = (low + high) // 2
        if mcnemar_power(n=middle, difference=difference, discordance=discordance, level=level) >= power:
            high = middle
        else:
            low = middle + 1
    return low


def smallest_mean_difference(differences: Floats, *, level: float = LEVEL, power: float = POWER) -> Detectable:
    """The smallest mean difference that a sign-flip test on like differences shows, by the normal approximation.

    Args:
        differences: (n,) observed differences of two variants, or of whole clusters scaled by n_clusters / n_questions,
            so that their mean is the difference of the two means.
        level: 1 - chance of a false alarm.
        power: chance of seeing it.

    Returns:
        (z of level + z of power) times the standard error; the discordance is the share of differences that are not 0.
    """
    n = len(differences)
    discordance = float((differences != 0).mean()) if n else 0.0
    if n < 2:
        return Detectable(difference=None, reason=TOO_FEW, n=n, discordance=discordance, method="normal")
    if np.ptp(differences) == 0:
        return Detectable(difference=None, reason=NO_DIFFERENCES, n=n, discordance=discordance, method="normal")
    error = float(differences.std(ddof=1)) / np.sqrt(n)
    found = float((ndtri(0.5 + level / 2) + ndtri(power)) * error)
    return Detectable(difference=found, reason="scored", n=n, discordance=discordance, method="normal")


def means_needed(*, difference: float, spread: float, level: float = LEVEL, power: float = POWER) -> int | None:
    """Questions (or clusters) needed to show a mean difference, from the standard deviation of the differences."""
    if difference <= 0:
        return None
    found = int(np.ceil(((ndtri(0.5 + level / 2) + ndtri(power)) * spread / difference) ** 2 - 1e-9))
    return max(2, found) if found <= MOST_QUESTIONS else None
