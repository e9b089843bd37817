"""Paired comparison of variants over the same questions: difference, interval, p-value, Holm over all pairs."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from eval_pipeline.foundation.errors import InputError
from eval_pipeline.metrics.denominators import Denominator, require_same
from eval_pipeline.metrics.intervals import Interval, bca_of_means, cluster_bootstrap
from eval_pipeline.metrics.paired_tests import (
    MCNEMAR,
    choose_test,
    correct_holm,
    list_pairs,
    p_values_of_pairs,
    sum_clusters,
)
from eval_pipeline.metrics.power import Detectable, smallest_difference, smallest_mean_difference

Floats = npt.NDArray[np.float64]
Names = npt.NDArray[np.str_]


@dataclass(frozen=True, kw_only=True)
class Scores:
    """One variant's values of one measure in one arena.

    Attributes:
        name: of the variant.
        values: columns question_id, value and, for a shared set, arena_id; only questions with a value, each once.
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
        mean_one: mean of the first.
        mean_other: mean of the second, over the same questions.
        difference: mean of one minus mean of other.
        interval: of the difference, over questions or clusters; not corrected for the number of pairs.
        p_value: of the test, above 0.
        p_holm: corrected over all pairs that were compared together.
        test: `mcnemar` or `sign-flip`.
        n: questions.
        n_alike: questions on which both have the same value.
        one_better: ids of the questions on which the first has the higher value, sorted.
        other_better: ids of those on which the second has.
        detectable: smallest difference that these questions would show (80 % power, 5 %, one planned pair) at the
            discordance that was found.
    """

    one: str
    other: str
    mean_one: float
    mean_other: float
    difference: float
    interval: Interval
    p_value: float
    p_holm: float
    test: str
    n: int
    n_alike: int
    one_better: tuple[str, ...]
    other_better: tuple[str, ...]
    detectable: Detectable

    @property
    def discordant(self) -> tuple[str, ...]:
        """Ids of the questions on which the two differ, sorted."""
        return tuple(sorted((*self.one_better, *self.other_better)))


@dataclass(frozen=True, kw_only=True)
class SideBySide:
    """Values of several variants on the same questions.

    Attributes:
        names: of the variants, sorted.
        questions: (n,) ids, sorted.
        values: (n, m).
        clusters: (n,) names, or None.
    """

    names: tuple[str, ...]
    questions: Names
    values: Floats
    clusters: Names | None


def compare_all(scores: Mapping[str, Scores], *, level: float, resamples: int, seed: int) -> list[Comparison]:
    """Compare every pair of variants; Holm's correction is over all of them.

    Args:
        scores: by variant.
        level: of the intervals.
        resamples: of intervals and of sign flips.
        seed: of both.

    Returns:
        One comparison per pair, in the order of the names; none where there is no question.

    Raises:
        InputError: two variants have different denominators, and every part that differs is named; or a question has
            no cluster.
    """
    table = tabulate(scores)
    if len(table.names) < 2 or not len(table.questions):
        return []
    p_values, tests = p_values_of_pairs(table.values, clusters=table.clusters, resamples=resamples, seed=seed)
    corrected = correct_holm(p_values)
    intervals = _intervals(table, level=level, resamples=resamples, seed=seed)
    return [
        _compare(table, pair, tests[place], intervals[place], (float(p_values[place]), float(corrected[place])))
        for place, pair in enumerate(list_pairs(len(table.names)))
    ]


def tabulate(scores: Mapping[str, Scores]) -> SideBySide:
    """Variants side by side; as their denominators agree, all have a value on the same questions.

    Raises:
        InputError: two variants have different denominators, or a question has no cluster.
    """
    names = tuple(sorted(scores))
    for name in names[1:]:
        require_same(scores[names[0]].denominator, scores[name].denominator)
    if not names:
        return SideBySide(names=(), questions=np.array([], dtype=np.str_), values=np.empty((0, 0)), clusters=None)
    wide = scores[names[0]].values.select("question_id").sort("question_id")
    for name in names:
        column = scores[name].values.select("question_id", pl.col("value").alias(f"value of {name}"))
        wide = wide.join(column, on="question_id", how="inner", maintain_order="left")
    clusters = None
    named = scores[names[0]].clusters
    if named is not None:
        found = wide.select("question_id").join(named, on="question_id", how="left", maintain_order="left")
        if found["cluster"].null_count():
            first = found.filter(pl.col("cluster").is_null()).item(0, "question_id")
            message = (
                f"question {first} is in no cluster, and the contract draws whole ones; name its document or entity"
            )
            raise InputError(message)
        clusters = found["cluster"].to_numpy().astype(np.str_)
    values = wide.select(f"value of {name}" for name in names).to_numpy().astype(np.float64)
    return SideBySide(
        names=names, questions=wide["question_id"].to_numpy().astype(np.str_), values=values, clusters=clusters
    )


def _compare(
    table: SideBySide, pair: tuple[int, int], test: str, interval: Interval, p_values: tuple[float, float]
) -> Comparison:
    left, right = table.values[:, pair[0]], table.values[:, pair[1]]
    return Comparison(
        one=table.names[pair[0]],
        other=table.names[pair[1]],
        mean_one=float(left.mean()),
        mean_other=float(right.mean()),
        difference=float((left - right).mean()),
        interval=interval,
        p_value=p_values[0],
        p_holm=p_values[1],
        test=test,
        n=len(left),
        n_alike=int((left == right).sum()),
        one_better=tuple(table.questions[left > right].tolist()),
        other_better=tuple(table.questions[left < right].tolist()),
        detectable=find_detectable(left, right, clusters=table.clusters),
    )


def find_detectable(left: Floats, right: Floats, *, clusters: Names | None) -> Detectable:
    """Smallest difference that the planned test of a pair would show at the discordance that was found.

    Args:
        left: (n,) values of the first variant.
        right: (n,) values of the second.
        clusters: (n,) names, or None.
    """
    differences = left - right
    if choose_test(np.column_stack([left, right]), clusters=clusters) == MCNEMAR:
        discordance = float((differences != 0).mean()) if len(differences) else 0.0
        return smallest_difference(n=len(differences), discordance=discordance)
    if clusters is None:
        return smallest_mean_difference(differences)
    sums = sum_clusters(differences[:, None], clusters)[:, 0]
    return smallest_mean_difference(sums * (len(sums) / len(differences)))


def _intervals(table: SideBySide, *, level: float, resamples: int, seed: int) -> list[Interval]:
    """A difference is no share, so Wilson does not fit it: BCa, all pairs on one draw; or whole clusters."""
    pairs = list_pairs(len(table.names))
    differences = np.column_stack([table.values[:, one] - table.values[:, other] for one, other in pairs])
    if table.clusters is None:
        return bca_of_means(differences, level=level, resamples=resamples, seed=seed)
    return [
        cluster_bootstrap(column, table.clusters, level=level, resamples=resamples, seed=seed)
        for column in differences.T
    ]
