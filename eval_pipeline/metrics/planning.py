"""What a set of questions can tell about a difference, before anyone looks for one."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from eval_pipeline.foundation.errors import InputError
from eval_pipeline.metrics.comparing import Scores, SideBySide, find_detectable, tabulate
from eval_pipeline.metrics.paired_tests import MCNEMAR, choose_test, list_pairs, sum_clusters
from eval_pipeline.metrics.power import Detectable, means_needed, questions_needed, smallest_difference

Floats = npt.NDArray[np.float64]
Names = npt.NDArray[np.str_]


@dataclass(frozen=True, kw_only=True)
class PairPlan:
    """What one pair of variants would need.

    Attributes:
        one: first variant.
        other: second variant.
        detectable: smallest difference that this set would show.
        needed: questions (clusters where whole ones are drawn) needed for the wanted difference; None where a million
            would not do, or where the two differ on too few questions for it to be possible.
    """

    one: str
    other: str
    detectable: Detectable
    needed: int | None


@dataclass(frozen=True, kw_only=True)
class SlicePlan:
    """Whether a slice is large enough to speak of the wanted difference.

    Attributes:
        slice: name.
        value: value of the slice.
        n: questions of the slice with a value, by the variant with the fewest.
        detectable: smallest difference that so many would show at the set's own discordance.
        speaks: whether that is at most the wanted difference.
    """

    slice: str
    value: str
    n: int
    detectable: Detectable
    speaks: bool


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What a set can tell apart (80 % power, 5 %, one planned pair).

    Attributes:
        n: questions that every variant has a value for.
        n_alike: of these, questions on which every variant has the same value: they tell nothing of a difference.
        wanted: the difference that was asked for.
        discordance: share of questions on which a pair differs, as used for slices: as stated, else the largest found.
        is_stated: whether the discordance was stated by the caller.
        pairs: every pair, in the order of names.
        slices: every value of every declared slice.
    """

    n: int
    n_alike: int
    wanted: float
    discordance: float
    is_stated: bool
    pairs: tuple[PairPlan, ...]
    slices: tuple[SlicePlan, ...]


def plan_comparison(
    scores: Mapping[str, Scores], *, wanted: float, slices: pl.DataFrame, discordance: float | None = None
) -> Plan:
    """Say what these questions can tell apart.

    Args:
        scores: by variant, over the same denominator.
        wanted: difference that should be seen, above 0.
        slices: slice, slice_value, n: questions with a value.
        discordance: stated share of questions on which a pair of variants differs; None for what was found.

    Raises:
        InputError: the wanted difference or the discordance is not between 0 and 1, or denominators differ.
    """
    _check(wanted, discordance)
    table = tabulate(scores)
    pairs = tuple(_plan_pair(table, pair, wanted, discordance) for pair in list_pairs(len(table.names)))
    found = [pair.detectable.discordance for pair in pairs]
    used = discordance if discordance is not None else max(found, default=0.0)
    spread = np.ptp(table.values, axis=1) if table.values.size else np.empty(0)
    return Plan(
        n=len(table.questions),
        n_alike=int((spread == 0).sum()),
        wanted=wanted,
        discordance=used,
        is_stated=discordance is not None,
        pairs=pairs,
        slices=tuple(_plan_slice(row, used, wanted) for row in slices.iter_rows(named=True)),
    )


def _check(wanted: float, discordance: float | None) -> None:
    for name, value in (("difference", wanted), ("discordance", discordance)):
        if value is not None and not 0 < value <= 1:
            message = f"the {name} is {value:g}; give a share above 0 and at most 1, such as 0.1"
            raise InputError(message)
    if discordance is not None and wanted > discordance:
        message = (
            f"a difference of {wanted:g} needs variants that differ on at least {wanted:g} of the questions, but the "
            f"stated discordance is {discordance:g}"
        )
        raise InputError(message)


def _plan_pair(table: SideBySide, pair: tuple[int, int], wanted: float, discordance: float | None) -> PairPlan:
    values, clusters = table.values, table.clusters
    left, right = values[:, pair[0]], values[:, pair[1]]
    detectable = find_detectable(left, right, clusters=clusters)
    if choose_test(values[:, list(pair)], clusters=clusters) == MCNEMAR:
        if discordance is not None:
            detectable = smallest_difference(n=len(left), discordance=discordance)
        needed = questions_needed(difference=wanted, discordance=detectable.discordance)
    else:
        needed = means_needed(difference=wanted, spread=_spread(left - right, clusters))
    return PairPlan(one=table.names[pair[0]], other=table.names[pair[1]], detectable=detectable, needed=needed)


def _spread(differences: Floats, clusters: Names | None) -> float:
    if clusters is not None and len(differences):
        sums = sum_clusters(differences[:, None], clusters)[:, 0]
        differences = sums * (len(sums) / len(differences))
    return float(differences.std(ddof=1)) if len(differences) > 1 else 0.0


def _plan_slice(row: Mapping[str, object], discordance: float, wanted: float) -> SlicePlan:
    n = int(str(row["n"]))
    detectable = smallest_difference(n=n, discordance=discordance)
    return SlicePlan(
        slice=str(row["slice"]),
        value=str(row["slice_value"]),
        n=n,
        detectable=detectable,
        speaks=detectable.difference is not None and detectable.difference <= wanted,
    )
