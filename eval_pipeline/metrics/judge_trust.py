"""How far a judge can be trusted, measured against labels that people gave, before it is used."""

from dataclasses import dataclass

import numpy as np
import polars as pl

from eval_pipeline.foundation.tables.labels import GRADES
from eval_pipeline.labels.agreement import (
    BOUNDARY,
    LEVEL,
    MIN_CLUSTERS,
    N_RESAMPLES,
    Agreement,
    Figure,
    measure_agreement,
)

CODE_VERSION = "1"


@dataclass(frozen=True, kw_only=True)
class Trust:
    """A judge against people.

    Attributes:
        all: agreement over all pairs that both graded; every pair weighs the same.
        boundary: the same over pairs that people graded sufficient or supporting.
        kappa_low: lower bound of the 95 % cluster-bootstrap interval of kappa over questions.
        kappa_high: upper bound.
        n_abstained: pairs on which the judge abstained.
        n_without: pairs on which it gave no verdict.
        flips: share of the pairs asked twice whose two verdicts differ.
    """

    all: Agreement
    boundary: Agreement
    kappa_low: Figure
    kappa_high: Figure
    n_abstained: int
    n_without: int
    flips: Figure


def measure_trust(*, person: pl.DataFrame, model: pl.DataFrame, repeated: pl.DataFrame, seed: int = 0) -> Trust:
    """Compare a judge's grades with people's.

    Args:
        person: question_id, unit_id, grade: labels of people in force; pairs that are contested left out.
        model: question_id, unit_id, outcome: the judge's grades and abstentions on these pairs.
        repeated: first, second: outcomes of pairs that were asked twice.
        seed: of the bootstrap.
    """
    graded = model.filter(pl.col("outcome") != "abstain").rename({"outcome": "grade"})
    everybody = person.select("question_id").unique().with_columns(is_drawn=True, inclusion_probability=1.0)
    known = person.drop_nulls("grade")
    near = known.filter(pl.col("grade").is_in(list(BOUNDARY)))
    low, high = _kappa_interval(known, graded, seed)
    n_abstained = model.height - graded.height
    return Trust(
        all=measure_agreement(model=graded, person=known, audit=everybody, seed=seed),
        boundary=measure_agreement(model=graded, person=near, audit=everybody, seed=seed),
        kappa_low=low,
        kappa_high=high,
        n_abstained=n_abstained,
        n_without=known.height - model.height,
        flips=_flips(repeated),
    )


def _flips(repeated: pl.DataFrame) -> Figure:
    if repeated.is_empty():
        return Figure(value=None, reason="none_asked_twice")
    return Figure(value=float(repeated.select((pl.col("first") != pl.col("second")).mean()).item()))


def _kappa_interval(person: pl.DataFrame, graded: pl.DataFrame, seed: int) -> tuple[Figure, Figure]:
    """Percentiles of kappa over resampled questions; a named reason for fewer than 50 of them or a constant."""
    pairs = person.join(graded, on=["question_id", "unit_id"], suffix="_model").sort("question_id", "unit_id")
    names = pairs["question_id"].unique().sort().to_list()
    if len(names) < MIN_CLUSTERS:
        missing = Figure(value=None, reason="too_few_clusters" if names else "no_audited_pairs")
        return missing, missing
    tables = np.zeros((len(names), len(GRADES), len(GRADES)))
    places = {name: place for place, name in enumerate(names)}
    for question_id, said, model in pairs.select("question_id", "grade", "grade_model").iter_rows():
        tables[places[question_id], GRADES.index(said), GRADES.index(model)] += 1
    drawn = np.random.default_rng(seed).integers(0, len(names), size=(N_RESAMPLES, len(names)))
    shares = tables[drawn].sum(axis=1)
    shares /= shares.sum(axis=(1, 2), keepdims=True)
    chance = (shares.sum(axis=1) * shares.sum(axis=2)).sum(axis=1)
    agreed = np.trace(shares, axis1=1, axis2=2)
    defined = chance < 1.0
    kappas = (agreed[defined] - chance[defined]) / (1.0 - chance[defined])
    if not kappas.size or kappas.min() == kappas.max():
        constant = Figure(value=None, reason="constant")
        return constant, constant
    tail = (1.0 - LEVEL) / 2.0
    return Figure(value=float(np.quantile(kappas, tail))), Figure(value=float(np.quantile(kappas, 1.0 - tail)))
