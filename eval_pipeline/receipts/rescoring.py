"""Night over night: stored rankings of several nights, scored again under one set of labels and shared candidates."""

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from eval_pipeline.foundation.errors import InputError
from eval_pipeline.foundation.tables.receipts import RECEIPT
from eval_pipeline.metrics.arenas import CORPUS
from eval_pipeline.metrics.comparing import Scores
from eval_pipeline.metrics.denominators import make_denominator
from eval_pipeline.receipts.building import NamedVariant, build_receipts
from eval_pipeline.tasks.contracts import Contract


@dataclass(frozen=True, kw_only=True)
class Night:
    """What one night keeps of one variant.

    Attributes:
        name: of the side, as a person named it.
        variant: the configuration that ranked.
        retrieval_run_id: its run.
        rankings: question_id, stage, rank, unit_id, score of every stage.
        answered: question_id, stage of every list that came back.
        candidates: question_id, unit_id of the negatives that its arena held.
    """

    name: str
    variant: NamedVariant
    retrieval_run_id: str
    rankings: pl.DataFrame
    answered: pl.DataFrame
    candidates: pl.DataFrame


@dataclass(frozen=True, kw_only=True)
class Tonight:
    """What every night is scored under.

    Attributes:
        contract: contract.
        questions: question_id and slice columns.
        gold: question_id, position, unit_id.
        arenas: question_id, arena, unit_id, axis, rank.
        labels: labels in force.
        joint_sets: jointly sufficient sets.
        waiting: question_id, unit_id of pairs whose judge has not answered.
        excluded: question_id, arena, reason.
        hidden: unit_id of units that the asker may not see.
        batch_id: corpus snapshot.
        label_snapshot_id: labels in force.
    """

    contract: Contract
    questions: pl.DataFrame
    gold: pl.DataFrame
    arenas: pl.DataFrame
    labels: pl.DataFrame
    joint_sets: pl.DataFrame
    waiting: pl.DataFrame
    excluded: pl.DataFrame
    hidden: pl.DataFrame
    batch_id: str
    label_snapshot_id: str


def score_again(nights: Sequence[Night], tonight: Tonight, *, arena: str, measure: str) -> dict[str, Scores]:
    """Score every night's stored ranking under tonight's labels, on the candidates that all nights share.

    A page that came or went between the nights would otherwise make a difference that no retriever made.

    Args:
        nights: two or more.
        tonight: questions, labels and policies of all of them.
        arena: a restricted arena.
        measure: name of a measure of the contract.

    Returns:
        Scores by name of the side. A question without a shared negative has no value; which questions all sides score
        is for `metrics.sharing` to say.

    Raises:
        InputError: the arena is the corpus, whose earlier units are not kept as a list.
    """
    if arena == CORPUS:
        message = "nights share candidates in restricted arenas only; name one with --arena, such as siblings"
        raise InputError(message)
    shared = share_candidates(tonight.arenas.filter(pl.col("arena") == arena), nights)
    return {night.name: _score(night, tonight, shared, arena=arena, measure=measure) for night in nights}


def share_candidates(arenas: pl.DataFrame, nights: Sequence[Night]) -> pl.DataFrame:
    """Tonight's negatives that were in the arena of every night."""
    for night in nights:
        pairs = night.candidates.select("question_id", "unit_id")
        arenas = arenas.join(pairs, on=["question_id", "unit_id"], how="semi", maintain_order="left")
    return arenas


def _score(night: Night, tonight: Tonight, shared: pl.DataFrame, *, arena: str, measure: str) -> Scores:
    output = build_receipts(
        contract=tonight.contract,
        variant=night.variant,
        retrieval_run_id=night.retrieval_run_id,
        questions=tonight.questions,
        gold=tonight.gold,
        arenas=shared,
        rankings=night.rankings.select("question_id", "stage", "rank", "unit_id", "score"),
        labels=tonight.labels,
        evaluation_id="scored again",
        batch_id=tonight.batch_id,
        label_snapshot_id=tonight.label_snapshot_id,
        is_late=False,
        joint_sets=tonight.joint_sets,
        excluded=tonight.excluded,
        answered=night.answered.select("question_id", "stage"),
        waiting=tonight.waiting,
        hidden=tonight.hidden,
        arena_names=(arena,),
    )
    receipts = output.tables[RECEIPT.name].filter(pl.col("measure") == measure)
    values = receipts.filter(pl.col("value").is_not_null()).select("question_id", "value", "arena_id")
    denominator = make_denominator(
        values,
        batch_id=tonight.batch_id,
        label_snapshot_id=tonight.label_snapshot_id,
        contract_id=tonight.contract.contract_id,
    )
    return Scores(name=night.name, values=values.sort("question_id"), denominator=denominator)
