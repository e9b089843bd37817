"""The candidate pool: pairs that are labelled once and reused by every later run."""

import polars as pl

from eval_pipeline.foundation.outputs import StageOutput
from eval_pipeline.foundation.tables import labels as tables

CODE_VERSION = "1"
COLUMNS = ["question_id", "unit_id", "source", "rank"]


def pool_candidates(
    *,
    gold: pl.DataFrame,
    negatives: pl.DataFrame,
    rankings: pl.DataFrame,
    depth: int,
    random: pl.DataFrame | None = None,
) -> StageOutput:
    """Gather gold units, hard negatives and what each variant ranked among its first `depth`.

    Args:
        gold: question_id, unit_id.
        negatives: question_id, unit_id, axis, rank.
        rankings: question_id, variant_name, rank (1-based, of the final list), unit_id.
        depth: ranks of each variant that enter.
        random: question_id, unit_id, rank of random negatives; None leaves them out.

    Returns:
        labels.candidate: one row per pair and source, with the best rank in it; sorted.
    """
    rank = pl.col("rank").cast(pl.Int64)
    parts = [
        gold.select("question_id", "unit_id", pl.lit("gold").alias("source"), pl.lit(None, pl.Int64).alias("rank")),
        negatives.select("question_id", "unit_id", pl.format("negative:{}", "axis").alias("source"), rank),
        rankings.filter(pl.col("rank") <= depth).select(
            "question_id", "unit_id", pl.format("variant:{}", "variant_name").alias("source"), rank
        ),
    ]
    if random is not None:
        parts.append(random.select("question_id", "unit_id", pl.lit("random").alias("source"), rank))
    every = pl.concat([part.cast({"source": pl.String}) for part in parts])
    pooled = every.group_by("question_id", "unit_id", "source").agg(pl.col("rank").min()).select(COLUMNS)
    candidates = tables.CANDIDATE.validate(pooled.sort("question_id", "unit_id", "source"))
    pairs = candidates.select("question_id", "unit_id").unique()
    return StageOutput(
        tables={tables.CANDIDATE.name: candidates},
        summary={"questions": pairs["question_id"].n_unique(), "pairs": pairs.height},
    )
