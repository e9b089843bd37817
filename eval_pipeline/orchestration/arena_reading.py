"""Arenas of the questions in force, with what a receipt needs to know of every candidate."""

import polars as pl

from eval_pipeline.negatives import random_draws
from eval_pipeline.orchestration.question_sets import QuestionSet
from eval_pipeline.orchestration.reading import corpus_snapshot
from eval_pipeline.orchestration.resources import Project
from eval_pipeline.runs.arenas import build_arenas


def read_negatives(project: Project, asked: QuestionSet) -> pl.DataFrame:
    """Hard negatives of the first gold unit of every question: question_id, unit_id, axis, rank, pool_id.

    Another gold unit of the question is no negative of it, whatever pool it is in.
    """
    first = asked.gold.filter(pl.col("position") == 1).select("question_id", gold_unit_id="unit_id")
    pools = first.join(asked.unit_pools, left_on="gold_unit_id", right_on="unit_id").select("question_id", "pool_id")
    negatives = project.read("negatives/negatives_of", frames={"wanted": pools.select("pool_id")})
    return (
        pools.join(negatives, on="pool_id")
        .select("question_id", "pool_id", "axis", "rank", unit_id="negative_unit_id")
        .join(asked.gold, on=["question_id", "unit_id"], how="anti")
        .sort("question_id", "axis", "rank")
    )


def random_arenas(project: Project) -> list[tuple[str, int, str]]:
    """Name, size and settings id of every declared random arena."""
    declared = project.declared.negatives
    sizes = [("random", declared.random), *((f"random@{n}", n) for n in declared.random_arenas)]
    return [(name, n, random_draws.settings_id_of(n=n, seed=declared.seed)) for name, n in sizes]


def read_random(project: Project) -> pl.DataFrame:
    """Random negatives of the present corpus snapshot and settings: unit_id (gold), arena, rank, negative_unit_id."""
    batch_id, _ = corpus_snapshot(project)
    named = [(name, settings_id) for name, _, settings_id in random_arenas(project)]
    wanted = pl.DataFrame(named, schema={"arena": pl.String, "settings_id": pl.String}, orient="row")
    return project.read("negatives/random_in_force", batch_id=batch_id, frames={"wanted": wanted})


def read_arenas(project: Project, asked: QuestionSet, *, visible: frozenset[str]) -> pl.DataFrame:
    """Candidates of every arena but `corpus`: question_id, arena, unit_id, axis, rank.

    `axis` is null for gold units, `random` for random negatives, else the axis of the hard negative, the first
    declared one where a negative stands in several; `rank` is its rank in the pool, null for gold.

    Args:
        project: the project.
        asked: questions, gold units, pools.
        visible: units that the asker may see; others are no candidates, of a retriever or of a control.
    """
    hard = project.read("negatives/negatives_of", frames={"wanted": asked.unit_pools.select("pool_id")})
    random = read_random(project)
    arenas = build_arenas(gold=asked.gold, hard=hard.select("unit_id", "negative_unit_id"), random=random)
    seen = arenas.filter(pl.col("unit_id").is_in(sorted(visible)))
    return _with_places(seen, asked, read_negatives(project, asked), random)


def _with_places(
    arenas: pl.DataFrame, asked: QuestionSet, negatives: pl.DataFrame, random: pl.DataFrame
) -> pl.DataFrame:
    first = asked.gold.filter(pl.col("position") == 1).select("question_id", gold_unit_id="unit_id")
    hard_places = negatives.select("question_id", pl.lit("siblings").alias("arena"), "unit_id", "axis", "rank")
    random_places = first.join(random, left_on="gold_unit_id", right_on="unit_id").select(
        "question_id", "arena", pl.lit("random").alias("axis"), "rank", unit_id="negative_unit_id"
    )
    places = pl.concat([hard_places, random_places.select(hard_places.columns)]).unique(
        subset=["question_id", "arena", "unit_id"], keep="first", maintain_order=True
    )
    return arenas.join(places, on=["question_id", "arena", "unit_id"], how="left").sort(
        "question_id", "arena", "unit_id"
    )
