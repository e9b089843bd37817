"""What the two controls that judge the negatives scored, question by question."""

from collections.abc import Mapping

import polars as pl

from eval_pipeline.metrics.rejectable import APPEARANCE, ARENA, LOOKS_ALONE, MEASURE, RANDOM, VALUES
from eval_pipeline.orchestration.evaluating import Ground
from eval_pipeline.orchestration.resources import Project


def read_control_values(project: Project, ground: Ground) -> pl.DataFrame:
    """Values behind the stored figures of the present evaluation, see `metrics.rejectable.VALUES`; else no row."""
    params = {"evaluation_id": ground.basis.evaluation_id, "arena": ARENA, "measure": MEASURE}
    with project.session() as ledger:
        return describe_values(ledger.read("receipts/values_in_arena", params=params), ground)


def pick_control_values(receipts: pl.DataFrame, ground: Ground) -> pl.DataFrame:
    """The same from receipts that are not recorded yet.

    Args:
        receipts: rows of receipts.receipt of every run of the ground.
        ground: what they rest on.
    """
    names = {run.variant.variant_id: run.variant.name for run in ground.runs}
    rows = receipts.filter((pl.col("arena") == ARENA) & (pl.col("measure") == MEASURE))
    named = rows.with_columns(variant=_name_variants(names))
    return describe_values(named.select("variant", "question_id", "value"), ground)


def _name_variants(names: Mapping[str, str]) -> pl.Expr:
    return pl.col("variant_id").replace_strict(names, return_dtype=pl.String)


def describe_values(values: pl.DataFrame, ground: Ground) -> pl.DataFrame:
    """Add what the rule needs to know of a question.

    Args:
        values: variant, question_id, value of one measure in one arena.
        ground: arenas, templates and what the contract resamples.
    """
    negatives = ground.arenas.filter((pl.col("arena") == ARENA) & pl.col("axis").is_not_null())
    apart = negatives.group_by("question_id").agg(is_apart=(pl.col("axis") == LOOKS_ALONE).all())
    unit, questions = ground.contract.resampling.unit, ground.cohort.questions
    cluster = pl.lit(None) if unit == "question" else pl.col(unit)
    clusters = questions.select("question_id", cluster=cluster.cast(pl.String))
    return (
        values.filter(pl.col("variant").is_in([APPEARANCE, RANDOM]))
        .join(apart, on="question_id", how="left")
        .join(ground.asked.questions.select("question_id", "template_id"), on="question_id", how="left")
        .join(clusters, on="question_id", how="left")
        .with_columns(pl.col("is_apart").fill_null(False))
        .select(pl.col(name).cast(dtype) for name, dtype in VALUES.items())
        .sort("variant", "question_id")
    )
