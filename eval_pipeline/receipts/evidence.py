"""What a variant's receipts rest on, and how it reads in one arena."""

from collections.abc import Mapping
from dataclasses import dataclass

import polars as pl

from eval_pipeline.foundation.errors import InputError
from eval_pipeline.foundation.ids import content_id
from eval_pipeline.metrics.arenas import CORPUS, CORPUS_ARENA_ID, collect_candidates, name_arenas, rank_within, stage_of
from eval_pipeline.metrics.scoring import JOINT_SETS_SCHEMA, NO_GOLD

NO_NEGATIVES = "no_negatives"
SIBLINGS = "siblings"
WAITING_STATE = "waiting"

PAIR = ("question_id", "unit_id")

EMPTY_ARENA_ID = content_id("arena", [])
"""A question without a gold unit or without negatives has no candidates."""


@dataclass(frozen=True, kw_only=True)
class Evidence:
    """Frames as `build_receipts` takes them, with what is absent made empty.

    Attributes:
        questions: question_id and slice columns; the questions asked.
        gold: question_id, position, unit_id.
        arenas: question_id, arena, unit_id, axis, rank.
        rankings: question_id, stage, rank, unit_id, score.
        answered: question_id, stage; lists that were answered, empty ones included.
        labels: question_id, unit_id, grade, label_id; only pairs with a grade.
        waiting: question_id, unit_id; pairs whose judge has not answered yet.
        joint_sets: question_id, joint_set_id, unit_id.
        pools: question_id, pool_id.
        excluded: question_id, arena (null for every arena), reason.
        hidden: unit_id; units that the asker may not see; None where that is not known.
        corpus_units: unit_id; units of the corpus; None where that is not known.
    """

    questions: pl.DataFrame
    gold: pl.DataFrame
    arenas: pl.DataFrame
    rankings: pl.DataFrame
    answered: pl.DataFrame
    labels: pl.DataFrame
    waiting: pl.DataFrame
    joint_sets: pl.DataFrame
    pools: pl.DataFrame
    excluded: pl.DataFrame
    hidden: pl.DataFrame | None
    corpus_units: pl.DataFrame | None


@dataclass(frozen=True, kw_only=True)
class ArenaView:
    """Evidence as it reads in one arena.

    Attributes:
        arena: name.
        ranked: question_id, rank, unit_id, score, grade, label_id, is_gold, is_waiting and, where known, is_hidden.
        questions: question_id, is_run, n_candidates, n_relevant, n_supporting, n_gold, n_joint, excluded, arena_id,
            pool_id; one row per question asked.
        labels: labels on candidates: question_id, unit_id, grade, label_id.
        joint_sets: sets whose units are all candidates.
        candidates: question_id, unit_id, is_gold, axis, rank; None in the corpus arena.
    """

    arena: str
    ranked: pl.DataFrame
    questions: pl.DataFrame
    labels: pl.DataFrame
    joint_sets: pl.DataFrame
    candidates: pl.DataFrame | None


def gather_evidence(
    *,
    questions: pl.DataFrame,
    gold: pl.DataFrame,
    arenas: pl.DataFrame,
    rankings: pl.DataFrame,
    labels: pl.DataFrame,
    answered: pl.DataFrame | None,
    waiting: pl.DataFrame | None,
    joint_sets: pl.DataFrame | None,
    pools: pl.DataFrame | None,
    excluded: pl.DataFrame | None,
    hidden: pl.DataFrame | None,
    corpus_units: pl.DataFrame | None,
) -> Evidence:
    """Bring frames into the shape that is read; see `building.build_receipts` for their meaning.

    Raises:
        InputError: a question is listed twice.
    """
    if questions["question_id"].is_duplicated().any():
        first = questions.filter(pl.col("question_id").is_duplicated()).sort("question_id").item(0, "question_id")
        message = f"question {first} is listed twice; a question counts once"
        raise InputError(message)
    asked = questions.select("question_id")
    mine = rankings.join(asked, on="question_id", how="semi")
    lists = mine.select("question_id", "stage").unique()
    if answered is not None:
        lists = pl.concat([lists, answered.select("question_id", "stage")]).unique()
    stated = labels.filter(pl.col("state") == WAITING_STATE) if "state" in labels.columns else labels.clear()
    pairs = [stated.select(PAIR)] + ([waiting.select(PAIR)] if waiting is not None else [])
    return Evidence(
        questions=questions.sort("question_id"),
        gold=gold.select("question_id", "position", "unit_id").join(asked, on="question_id", how="semi"),
        arenas=arenas.select("question_id", "arena", "unit_id", "axis", "rank"),
        rankings=mine.select("question_id", "stage", "rank", "unit_id", "score"),
        answered=lists,
        labels=labels.filter(pl.col("grade").is_not_null()).select(*PAIR, "grade", "label_id"),
        waiting=pl.concat(pairs).unique(),
        joint_sets=_or_empty(joint_sets, JOINT_SETS_SCHEMA),
        pools=_or_empty(pools, {"question_id": pl.String, "pool_id": pl.String}),
        excluded=_exclusions(excluded),
        hidden=None if hidden is None else hidden.select("unit_id").unique(),
        corpus_units=None if corpus_units is None else corpus_units.select("unit_id").unique(),
    )


def _or_empty(frame: pl.DataFrame | None, schema: Mapping[str, type[pl.DataType]]) -> pl.DataFrame:
    return pl.DataFrame(schema=schema) if frame is None else frame.select(list(schema)).unique()


def _exclusions(excluded: pl.DataFrame | None) -> pl.DataFrame:
    if excluded is None:
        return pl.DataFrame(schema={"question_id": pl.String, "arena": pl.String, "reason": pl.String})
    arena = pl.col("arena") if "arena" in excluded.columns else pl.lit(None)
    return excluded.select("question_id", arena.cast(pl.String).alias("arena"), "reason")


def view_arena(evidence: Evidence, arena: str) -> ArenaView:
    """Read the evidence in one arena.

    Raises:
        InputError: a ranking has a score that is not finite.
    """
    is_corpus = arena == CORPUS
    candidates = None if is_corpus else collect_candidates(evidence.arenas, evidence.gold, arena=arena)
    labels = _among(evidence.labels, candidates, evidence.corpus_units)
    ranked = _describe(rank_within(evidence.rankings, arena=arena, candidates=candidates), evidence, labels)
    joint = _whole_sets(evidence.joint_sets, candidates, evidence.corpus_units)
    return ArenaView(
        arena=arena,
        ranked=ranked,
        questions=_count(evidence, arena, candidates, labels, joint),
        labels=labels,
        joint_sets=joint,
        candidates=candidates,
    )


def _among(pairs: pl.DataFrame, candidates: pl.DataFrame | None, corpus_units: pl.DataFrame | None) -> pl.DataFrame:
    if candidates is not None:
        return pairs.join(candidates.select(PAIR), on=PAIR, how="semi")
    return pairs if corpus_units is None else pairs.join(corpus_units, on="unit_id", how="semi")


def _whole_sets(
    joint_sets: pl.DataFrame, candidates: pl.DataFrame | None, corpus_units: pl.DataFrame | None
) -> pl.DataFrame:
    sizes = joint_sets.group_by("question_id", "joint_set_id").len("n_all")
    present = _among(joint_sets, candidates, corpus_units).group_by("question_id", "joint_set_id").len("n_present")
    whole = sizes.join(present, on=["question_id", "joint_set_id"]).filter(pl.col("n_all") == pl.col("n_present"))
    return joint_sets.join(whole, on=["question_id", "joint_set_id"], how="semi").sort(
        "question_id", "joint_set_id", "unit_id"
    )


def _describe(ranked: pl.DataFrame, evidence: Evidence, labels: pl.DataFrame) -> pl.DataFrame:
    """Add what is known of each ranked pair: its label for this very question, gold, waiting, hidden."""
    true = pl.lit(value=True)
    rows = ranked.join(labels, on=PAIR, how="left", maintain_order="left")
    flags = {"is_gold": evidence.gold.select(PAIR).unique(), "is_waiting": evidence.waiting}
    for name, pairs in flags.items():
        rows = rows.join(pairs.with_columns(true.alias(name)), on=PAIR, how="left", maintain_order="left")
    if evidence.hidden is not None:
        hidden = evidence.hidden.with_columns(is_hidden=true)
        rows = rows.join(hidden, on="unit_id", how="left", maintain_order="left")
        rows = rows.with_columns(pl.col("is_hidden").fill_null(value=False))
    # A pair that has its label waits no longer, whatever the list of waiting pairs says.
    return rows.with_columns(
        pl.col("is_gold").fill_null(value=False),
        pl.col("is_waiting").fill_null(value=False) & pl.col("grade").is_null(),
    )


def _count(
    evidence: Evidence, arena: str, candidates: pl.DataFrame | None, labels: pl.DataFrame, joint: pl.DataFrame
) -> pl.DataFrame:
    gold = evidence.gold.select(PAIR).unique() if candidates is None else candidates.filter("is_gold").select(PAIR)
    by_question = {
        "n_relevant": labels.filter(pl.col("grade") == "sufficient"),
        "n_supporting": labels.filter(pl.col("grade") == "supporting"),
        "n_gold": gold,
        "n_joint": joint.select("question_id", "joint_set_id").unique(),
    }
    asked = evidence.questions.select("question_id")
    for name, pairs in by_question.items():
        counts = pairs.group_by("question_id").agg(pl.len().cast(pl.Int64).alias(name))
        asked = asked.join(counts, on="question_id", how="left").with_columns(pl.col(name).fill_null(0))
    stage = stage_of(arena, set(evidence.answered["stage"]))
    run = evidence.answered.filter(pl.col("stage") == stage).select("question_id", is_run=pl.lit(value=True))
    asked = asked.join(run, on="question_id", how="left").with_columns(pl.col("is_run").fill_null(value=False))
    asked = asked.join(_arena_names(evidence, candidates, asked), on="question_id", how="left")
    if arena == SIBLINGS:
        asked = asked.join(evidence.pools.unique("question_id", keep="first"), on="question_id", how="left")
    else:
        asked = asked.with_columns(pool_id=pl.lit(None, dtype=pl.String))
    return _exclude(asked, evidence, arena).sort("question_id")


def _arena_names(evidence: Evidence, candidates: pl.DataFrame | None, asked: pl.DataFrame) -> pl.DataFrame:
    if candidates is not None:
        return name_arenas(candidates)
    size = None if evidence.corpus_units is None else evidence.corpus_units.height
    return asked.select("question_id", arena_id=pl.lit(CORPUS_ARENA_ID), n_candidates=pl.lit(size, dtype=pl.Int64))


def _exclude(asked: pl.DataFrame, evidence: Evidence, arena: str) -> pl.DataFrame:
    """A declared exclusion first; then what an arena cannot be without: a gold unit and a negative."""
    declared = (
        evidence.excluded.filter(pl.col("arena").is_null() | (pl.col("arena") == arena))
        .sort("question_id", "reason")
        .unique("question_id", keep="first", maintain_order=True)
        .select("question_id", declared="reason")
    )
    golden = evidence.gold.select("question_id").unique().with_columns(has_own_gold=pl.lit(value=True))
    asked = asked.join(declared, on="question_id", how="left").join(golden, on="question_id", how="left")
    lacking = pl.when(pl.col("has_own_gold").is_null()).then(pl.lit(NO_GOLD)).otherwise(pl.lit(NO_NEGATIVES))
    asked = asked.with_columns(
        excluded=pl.when(pl.col("declared").is_not_null())
        .then("declared")
        .when(pl.col("arena_id").is_null())
        .then(lacking)
        .otherwise(pl.lit(None, dtype=pl.String)),
        arena_id=pl.col("arena_id").fill_null(EMPTY_ARENA_ID),
    )
    return asked.drop("declared", "has_own_gold")
