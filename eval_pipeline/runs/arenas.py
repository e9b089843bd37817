"""Arenas: the candidates over which a ranking is read."""

import polars as pl

CODE_VERSION = "1"
RANDOM, SIBLINGS = "random", "siblings"
SCHEMA = {"question_id": pl.String, "arena": pl.String, "unit_id": pl.String}


def build_arenas(*, gold: pl.DataFrame, hard: pl.DataFrame, random: pl.DataFrame) -> pl.DataFrame:
    """Candidates of every arena but `corpus`, per question.

    `siblings` is the gold units and the hard negatives of the first one; `random` is the gold units and as many random
    negatives as the question has hard ones (all of them where it has none, as nothing is compared there); arenas of
    other sizes (`random@499`) are taken whole. A gold unit is never a negative. An arena without negatives is left
    out: every ranking of it would be right.

    Args:
        gold: rows of `questions.question_gold`: question_id, position, unit_id.
        hard: unit_id (a gold unit), negative_unit_id, from its pool; axes and ranks do not matter.
        random: unit_id (a gold unit), arena, rank, negative_unit_id.

    Returns:
        question_id, arena, unit_id; unique, sorted.
    """
    first = gold.filter(pl.col("position") == pl.col("position").min().over("question_id"))
    first = first.select("question_id", pl.col("unit_id").alias("first_unit_id"))
    hard_rows = _negatives(first, hard.select("unit_id", "negative_unit_id").unique(), gold)
    n_hard = hard_rows.group_by("question_id").agg(n_hard=pl.len().cast(pl.Int64))
    random_rows = _trim(_negatives(first, random, gold), n_hard)
    siblings = hard_rows.select("question_id", pl.lit(SIBLINGS).alias("arena"), "unit_id")
    negatives = pl.concat([siblings, random_rows.select("question_id", "arena", "unit_id")])
    filled = negatives.select("question_id", "arena").unique()
    golds = filled.join(gold.select("question_id", "unit_id"), on="question_id").select(
        "question_id", "arena", "unit_id"
    )
    return pl.concat([golds, negatives]).unique().sort("question_id", "arena", "unit_id").cast(SCHEMA)  # type: ignore[arg-type]  # polars types a schema too narrowly


def _negatives(first: pl.DataFrame, drawn: pl.DataFrame, gold: pl.DataFrame) -> pl.DataFrame:
    rows = first.join(drawn, left_on="first_unit_id", right_on="unit_id").rename({"negative_unit_id": "unit_id"})
    return rows.join(gold.select("question_id", "unit_id"), on=["question_id", "unit_id"], how="anti")


def _trim(rows: pl.DataFrame, n_hard: pl.DataFrame) -> pl.DataFrame:
    ordered = rows.sort("question_id", "arena", "rank", "unit_id").unique(
        ["question_id", "arena", "unit_id"], keep="first", maintain_order=True
    )
    placed = ordered.with_columns(place=pl.int_range(1, pl.len() + 1, dtype=pl.Int64).over("question_id", "arena"))
    bounded = placed.join(n_hard, on="question_id", how="left")
    is_kept = (pl.col("arena") != RANDOM) | pl.col("n_hard").is_null() | (pl.col("place") <= pl.col("n_hard"))
    return bounded.filter(is_kept)
