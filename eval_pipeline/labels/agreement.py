"""Agreement between model and person, on the random audit only (MEASURES 3)."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from eval_pipeline.foundation.errors import LineageError
from eval_pipeline.foundation.tables.labels import GRADES
from eval_pipeline.labels.in_force import labels_in_force
from eval_pipeline.labels.rows import JUDGE_KIND, PERSON_KINDS

CODE_VERSION = "1"
MIN_CLUSTERS = 50
N_RESAMPLES = 2000
LEVEL = 0.95
BOUNDARY = ("sufficient", "supporting")

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Figure:
    """A number, or the reason why there is none.

    Attributes:
        value: the number; None where it is undefined.
        reason: named reason; None where there is a value.
    """

    value: float | None
    reason: str | None = None


@dataclass(frozen=True, kw_only=True)
class Agreement:
    """How far a model's labels agree with persons' labels on the audit.

    Attributes:
        n_pairs: pairs that both labelled.
        n_questions: audited questions among them.
        raw: share of pairs with the same grade, each weighted by 1 / inclusion probability of its question.
        low: lower bound of the 95 % cluster-bootstrap interval of `raw` over questions.
        high: upper bound.
        kappa: Cohen's kappa on the weighted table; `undefined: one class` where chance agreement is 1.
        boundary: weighted share of the same grade among pairs that persons graded sufficient or supporting.
        table: counts of pairs, by (person's grade, model's grade), all nine cells.
    """

    n_pairs: int
    n_questions: int
    raw: Figure
    low: Figure
    high: Figure
    kappa: Figure
    boundary: Figure
    table: dict[tuple[str, str], int]


def measure_agreement(*, model: pl.DataFrame, person: pl.DataFrame, audit: pl.DataFrame, seed: int = 0) -> Agreement:
    """Compare two sets of labels on the pairs of drawn audit questions.

    Args:
        model: question_id, unit_id, grade: the judge's labels.
        person: question_id, unit_id, grade (null when contested: left out): blind adjudications.
        audit: question_id, is_drawn, inclusion_probability: one draw.
        seed: of the bootstrap.

    Raises:
        LineageError: a side labels a pair twice; pass labels in force.
    """
    drawn = audit.filter("is_drawn").select("question_id", weight=1.0 / pl.col("inclusion_probability"))
    pairs = _join(model, person).join(drawn, on="question_id").sort("question_id", "unit_id")
    weights = pairs["weight"].to_numpy().astype(np.float64)
    agrees = (pairs["model"] == pairs["person"]).to_numpy().astype(np.float64)
    on_boundary = pairs["person"].is_in(list(BOUNDARY)).to_numpy()
    low, high = _interval(pairs["question_id"], weights, agrees, seed)
    return Agreement(
        n_pairs=pairs.height,
        n_questions=pairs["question_id"].n_unique(),
        raw=_share(weights, agrees, "no_audited_pairs"),
        low=low,
        high=high,
        kappa=_kappa(_table(pairs, weights)),
        boundary=_share(weights[on_boundary], agrees[on_boundary], "no_boundary_pairs"),
        table=_count_cells(pairs),
    )


def audit_agreement(
    *, labels: pl.DataFrame, audit: pl.DataFrame, judge_name: str, judge_id: str | None = None, seed: int = 0
) -> Agreement:
    """Agreement of a judge with persons, straight from label rows.

    Persons' labels count where they were given blind; a later change of mind that was not blind does not enter.

    Args:
        labels: rows of `labels.label`.
        audit: rows of `labels.audit_question` of one draw.
        judge_name: the judge.
        judge_id: its version; None takes every version, pairs on which they differ left out.
        seed: of the bootstrap.
    """
    of_judge = labels.filter(pl.col("author_kind") == JUDGE_KIND)
    of_persons = labels.filter(pl.col("author_kind").is_in(list(PERSON_KINDS)) & pl.col("is_blind"))
    model = labels_in_force(labels=of_judge, judge_name=judge_name, judge_id=judge_id)
    person = labels_in_force(labels=of_persons, judge_name=judge_name)
    return measure_agreement(model=model, person=person, audit=audit, seed=seed)


def _join(model: pl.DataFrame, person: pl.DataFrame) -> pl.DataFrame:
    sides = []
    for name, frame in (("model", model), ("person", person)):
        side = frame.select("question_id", "unit_id", pl.col("grade").alias(name)).drop_nulls(name)
        if side.select("question_id", "unit_id").is_duplicated().any():
            message = f"the {name}'s labels hold a pair twice; pass labels in force, one per pair"
            raise LineageError(message)
        sides.append(side)
    return sides[0].join(sides[1], on=["question_id", "unit_id"])


def _share(weights: Floats, agrees: Floats, reason: str) -> Figure:
    if weights.size == 0:
        return Figure(value=None, reason=reason)
    return Figure(value=float((weights * agrees).sum() / weights.sum()))


def _table(pairs: pl.DataFrame, weights: Floats) -> Floats:
    table = np.zeros((len(GRADES), len(GRADES)))
    for person, model, weight in zip(pairs["person"], pairs["model"], weights, strict=True):
        table[GRADES.index(person), GRADES.index(model)] += weight
    return table


def _count_cells(pairs: pl.DataFrame) -> dict[tuple[str, str], int]:
    counts = {(person, model): 0 for person in GRADES for model in GRADES}
    for cell in pairs.select("person", "model").iter_rows():
        counts[cell] += 1
    return counts


def _kappa(table: Floats) -> Figure:
    if table.sum() == 0:
        return Figure(value=None, reason="no_audited_pairs")
    used = np.flatnonzero(table.sum(axis=0) + table.sum(axis=1))
    if len(used) == 1:
        return Figure(value=None, reason="undefined: one class")
    shares = table / table.sum()
    chance = float((shares.sum(axis=0) * shares.sum(axis=1)).sum())
    return Figure(value=(float(np.trace(shares)) - chance) / (1.0 - chance))


def _interval(question_ids: pl.Series, weights: Floats, agrees: Floats, seed: int) -> tuple[Figure, Figure]:
    names = question_ids.unique().sort()
    if len(names) < MIN_CLUSTERS:
        missing = Figure(value=None, reason="too_few_clusters" if len(names) else "no_audited_pairs")
        return missing, missing
    places = np.searchsorted(names.to_numpy().astype(np.str_), question_ids.to_numpy().astype(np.str_))
    total = np.bincount(places, weights=weights)
    right = np.bincount(places, weights=weights * agrees)
    drawn = np.random.default_rng(seed).integers(0, len(names), size=(N_RESAMPLES, len(names)))
    rates = right[drawn].sum(axis=1) / total[drawn].sum(axis=1)
    if rates.min() == rates.max():
        constant = Figure(value=None, reason="constant")
        return constant, constant
    tail = (1.0 - LEVEL) / 2.0
    return Figure(value=float(np.quantile(rates, tail))), Figure(value=float(np.quantile(rates, 1.0 - tail)))
