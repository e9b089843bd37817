"""A retriever's ranking, read over the candidates of an arena."""

import polars as pl

from eval_pipeline.foundation.errors import InputError
from eval_pipeline.foundation.ids import content_id
from eval_pipeline.foundation.ordering import rank_by_score

CORPUS = "corpus"
FINAL_STAGE = "final"
ARENA_STAGE = "arena:"

CORPUS_ARENA_ID = content_id("arena", "every unit of the corpus")
"""The corpus arena is named by its rule: which night's corpus it was stands with the figure, not with the receipt."""


def stage_of(arena: str, stages: set[str]) -> str:
    """Stage that is read for an arena: the one that was ranked for it where there is one, else the final ranking."""
    own = f"{ARENA_STAGE}{arena}"
    return own if own in stages else FINAL_STAGE


def check_finite(rows: pl.DataFrame) -> None:
    """Refuse scores that have no place in an order.

    Args:
        rows: columns question_id, unit_id, score.

    Raises:
        InputError: a score is missing or not finite; names question and unit.
    """
    broken = rows.filter(pl.col("score").is_null() | ~pl.col("score").is_finite())
    if broken.height:
        first = broken.sort("question_id", "unit_id").row(0, named=True)
        message = (
            f"question {first['question_id']}: unit {first['unit_id']} has score {first['score']}, which has no "
            f"place in an order ({broken.height} rows in all); give finite scores"
        )
        raise InputError(message)


def rank_within(rankings: pl.DataFrame, *, arena: str, candidates: pl.DataFrame | None) -> pl.DataFrame:
    """Restrict rankings to the candidates of an arena; order is kept, fusion is not done again.

    Args:
        rankings: columns question_id, stage, rank, unit_id, score.
        arena: its name.
        candidates: columns question_id, unit_id; None for the corpus arena, in which every unit is one.

    Returns:
        question_id, unit_id, score, rank from 1 without gaps: score descending, then unit id ascending.

    Raises:
        InputError: a score is not finite; names question and unit.
    """
    stage = stage_of(arena, set(rankings["stage"].unique()))
    rows = rankings.filter(pl.col("stage") == stage).select("question_id", "unit_id", pl.col("score").cast(pl.Float64))
    check_finite(rows)
    if candidates is not None:
        rows = rows.join(
            candidates.select("question_id", "unit_id").unique(), on=["question_id", "unit_id"], how="semi"
        )
    return rank_by_score(rows)


def collect_candidates(arenas: pl.DataFrame, gold: pl.DataFrame, *, arena: str) -> pl.DataFrame:
    """Candidates of a restricted arena: its negatives, and the gold units of the question.

    Args:
        arenas: columns question_id, arena, unit_id, axis, rank; the gold units may be listed or not. An axis that
            is null reads like the arena, a rank that is null follows the unit ids.
        gold: columns question_id, position, unit_id.
        arena: name.

    Returns:
        question_id, unit_id, is_gold, axis and rank (null for gold); one row per question and unit. Only questions with
        a gold unit and at least one negative.
    """
    rows = arenas.filter(pl.col("arena") == arena).select("question_id", "unit_id", "axis", "rank")
    golden = gold.select("question_id", "unit_id").unique()
    negatives = (
        rows.join(golden, on=["question_id", "unit_id"], how="anti")
        .with_columns(pl.col("axis").fill_null(arena.partition("@")[0]), pl.col("rank").cast(pl.Int64))
        .sort("question_id", "unit_id", "axis", "rank")
        .unique(subset=["question_id", "unit_id"], keep="first", maintain_order=True)
        .with_columns(
            pl.col("rank").fill_null(pl.int_range(1, pl.len() + 1, dtype=pl.Int64).over("question_id")),
            is_gold=pl.lit(value=False),
        )
    )
    own = golden.join(rows, on="question_id", how="semi")
    own = own.with_columns(
        axis=pl.lit(None, dtype=pl.String), rank=pl.lit(None, dtype=pl.Int64), is_gold=pl.lit(value=True)
    )
    rows = pl.concat([own.select(negatives.columns), negatives])
    both = rows.group_by("question_id").agg(whole=pl.col("is_gold").any() & (~pl.col("is_gold")).any())
    kept = both.filter("whole").select("question_id")
    return rows.join(kept, on="question_id", how="semi").sort("question_id", "unit_id")


def name_arenas(candidates: pl.DataFrame) -> pl.DataFrame:
    """Id of each question's candidate set, over its units with axis and rank.

    Returns:
        question_id, arena_id, n_candidates.
    """
    grouped = (
        candidates.sort("question_id", "unit_id")
        .group_by("question_id", maintain_order=True)
        .agg(pl.struct("unit_id", "axis", "rank").alias("members"))
    )
    rows = [
        (question, content_id("arena", [[m["unit_id"], m["axis"], m["rank"]] for m in members]), len(members))
        for question, members in grouped.iter_rows()
    ]
    schema = {"question_id": pl.String, "arena_id": pl.String, "n_candidates": pl.Int64}
    return pl.DataFrame(rows, schema=schema, orient="row")
