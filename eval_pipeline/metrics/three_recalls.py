"""Representation, neighbour and final recall of one run: three numbers that are never averaged."""

from dataclasses import dataclass

import polars as pl

from eval_pipeline.metrics.losses import loss_of_stage

NO_VECTORS = "searches no vectors"
NO_INDEX = "searches exactly"
NO_QUESTION = "no question has a sufficient unit"


@dataclass(frozen=True, kw_only=True)
class Recall:
    """One of them.

    Attributes:
        value: from 0 to 1; None with a reason.
        n: questions behind it.
        reason: why there is no value; empty where there is one.
    """

    value: float | None
    n: int
    reason: str = ""


@dataclass(frozen=True, kw_only=True)
class ThreeRecalls:
    """The three.

    Attributes:
        representation: share of questions with a sufficient unit within the exact first d of the vectors.
        neighbour: mean share of the exact first d that the approximate index returned.
        final: share of questions with a sufficient unit within the first k that were returned in the end.
        depth: d: the longest exact list.
        k: cut-off of `final`.
    """

    representation: Recall
    neighbour: Recall
    final: Recall
    depth: int
    k: int


def measure_recalls(
    *, rankings: pl.DataFrame, sufficient: pl.DataFrame, question_ids: pl.DataFrame, k: int
) -> ThreeRecalls:
    """Measure them over the questions that have a sufficient unit.

    Args:
        rankings: question_id, stage, rank, unit_id, of one variant; nested parts and arenas are passed over.
        sufficient: question_id, unit_id.
        question_ids: question_id of the questions that were run and count.
        k: cut-off of the final list.
    """
    asked = question_ids.select("question_id").unique().join(sufficient, on="question_id", how="semi")
    rows = rankings.join(asked, on="question_id", how="semi")
    exact, approximate, final = (_rows_of(rows, loss) for loss in ("representation", "neighbour", "cut-off"))
    depth = int(exact["rank"].max() or 0) if exact.height else 0  # type: ignore[arg-type]  # a rank is an integer
    return ThreeRecalls(
        representation=_hit(exact, sufficient, asked) if exact.height else _none(asked, NO_VECTORS),
        neighbour=_overlap(exact, approximate, asked, NO_VECTORS if exact.is_empty() else NO_INDEX),
        final=_hit(final.filter(pl.col("rank") <= k), sufficient, asked),
        depth=depth,
        k=k,
    )


def _rows_of(rows: pl.DataFrame, loss: str) -> pl.DataFrame:
    stages = [
        name for name in rows["stage"].unique().sort().to_list() if ":" not in name and loss_of_stage(name) == loss
    ]
    return rows.filter(pl.col("stage") == stages[0]) if stages else rows.clear()


def _hit(rows: pl.DataFrame, sufficient: pl.DataFrame, asked: pl.DataFrame) -> Recall:
    if asked.is_empty():
        return Recall(value=None, n=0, reason=NO_QUESTION)
    hits = rows.join(sufficient, on=["question_id", "unit_id"], how="semi")["question_id"].n_unique()
    return Recall(value=hits / asked.height, n=asked.height)


def _overlap(exact: pl.DataFrame, approximate: pl.DataFrame, asked: pl.DataFrame, reason: str) -> Recall:
    if approximate.is_empty() or exact.is_empty():
        return _none(asked, reason)
    found = exact.join(
        approximate.select("question_id", "unit_id", is_found=True), on=["question_id", "unit_id"], how="left"
    )
    shares = (
        found.group_by("question_id").agg(share=pl.col("is_found").fill_null(value=False).mean()).sort("question_id")
    )
    return Recall(value=float(shares["share"].mean() or 0.0), n=shares.height)  # type: ignore[arg-type]  # a share is a number


def _none(asked: pl.DataFrame, reason: str) -> Recall:
    return Recall(value=None, n=asked.height, reason=reason if asked.height else NO_QUESTION)
