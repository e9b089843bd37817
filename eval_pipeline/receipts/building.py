"""Build receipts, what they rest on, and the figures above them: one variant under one contract."""

from collections.abc import Sequence
from typing import Protocol

import polars as pl

from eval_pipeline.foundation.errors import MeasureUndefined
from eval_pipeline.foundation.outputs import StageOutput
from eval_pipeline.foundation.tables import metrics as metric_tables
from eval_pipeline.foundation.tables import receipts as tables
from eval_pipeline.metrics.arenas import CORPUS, stage_of
from eval_pipeline.metrics.chance import chance_of
from eval_pipeline.metrics.losses import find_losses
from eval_pipeline.metrics.measures.measure import Measure
from eval_pipeline.metrics.names import parse_measure
from eval_pipeline.metrics.scoring import score_questions
from eval_pipeline.receipts.evidence import ArenaView, Evidence, gather_evidence, view_arena
from eval_pipeline.receipts.figures import FigureContext, make_figures
from eval_pipeline.receipts.rows import Reading, make_rows
from eval_pipeline.tasks.contracts import Contract

CODE_VERSION = "2"

LOSING_KINDS = ("sufficient", "acceptable")
"""Measures whose receipts name the stage that lost the evidence."""


class NamedVariant(Protocol):
    """What a receipt needs to know of a variant."""

    @property
    def variant_id(self) -> str:
        """Hash of the full configuration."""
        ...

    @property
    def name(self) -> str:
        """Name in eval.yaml."""
        ...

    @property
    def is_control(self) -> bool:
        """Whether measures are expectations over the orders of equal scores."""
        ...


def build_receipts(
    *,
    contract: Contract,
    variant: NamedVariant,
    retrieval_run_id: str,
    questions: pl.DataFrame,
    gold: pl.DataFrame,
    arenas: pl.DataFrame,
    rankings: pl.DataFrame,
    labels: pl.DataFrame,
    evaluation_id: str,
    batch_id: str,
    label_snapshot_id: str,
    is_late: bool,
    question_set_id: str | None = None,
    joint_sets: pl.DataFrame | None = None,
    pools: pl.DataFrame | None = None,
    excluded: pl.DataFrame | None = None,
    answered: pl.DataFrame | None = None,
    waiting: pl.DataFrame | None = None,
    hidden: pl.DataFrame | None = None,
    corpus_units: pl.DataFrame | None = None,
    arena_names: Sequence[str] | None = None,
) -> StageOutput:
    """Score one variant on every question, arena and measure of a contract, and keep what each number rests on.

    Args:
        contract: measures, arenas, policies, slices, resampling, limit.
        variant: configuration that ranked.
        retrieval_run_id: its run.
        questions: question_id, one column per declared slice (a value, or a list of values) and, where the contract
            resamples documents or entities, a column of that name. Every question asked in any arena: those
            that count in the naive arena only are listed here and excluded from the others.
        gold: question_id, position, unit_id.
        arenas: question_id, arena, unit_id, axis, rank of the negatives; gold units may be listed too (axis null).
            The arena `corpus` is not listed: it is every unit.
        rankings: question_id, stage, rank, unit_id, score, of every stage; an arena is read from stage `arena:NAME`
            where that is there, else from `final`.
        labels: labels in force: question_id, unit_id, grade (null where contested), label_id and, where known, state
            (`waiting`: its judge has not answered).
        evaluation_id: evaluation.
        batch_id: corpus snapshot.
        label_snapshot_id: labels in force.
        is_late: whether the contract was registered after the run's first ranking.
        question_set_id: hash of the contract's questions, kept as an input of the commit.
        joint_sets: question_id, joint_set_id, unit_id.
        pools: question_id, pool_id: the pool behind the arena `siblings`.
        excluded: question_id, reason and, where it holds in one arena only, arena (null: in every one).
        answered: question_id, stage of every list that came back, so that an empty answer is not taken for a question
            that was not run; by default the lists with at least one unit.
        waiting: question_id, unit_id of pairs whose judge has not answered.
        hidden: unit_id of units that the asker may not see; without it leak@k has the reason `access_unknown`.
        corpus_units: unit_id of the corpus snapshot: labels of units that are gone do not count in R, and the corpus
            arena has a size.
        arena_names: only these arenas of the contract, where the questions asked differ between arenas; None for all.

    Returns:
        receipts.receipt, receipt_unit, receipt_label, receipt_negative, member_list and metrics.metric. An arena that
        the variant did not rank at all has no row; controls rank no corpus. Same inputs, same rows, in any order.

    Raises:
        InputError: duplicate questions or ranked units, scores that are not finite, a missing resampling unit.
        MeasureUndefined: a policy says `error` and its case is there.
    """
    evidence = gather_evidence(
        questions=questions,
        gold=gold,
        arenas=arenas,
        rankings=rankings,
        labels=labels,
        answered=answered,
        waiting=waiting,
        joint_sets=joint_sets,
        pools=pools,
        excluded=excluded,
        hidden=hidden,
        corpus_units=corpus_units,
    )
    context = FigureContext(
        contract=contract,
        evaluation_id=evaluation_id,
        variant_id=variant.variant_id,
        retrieval_run_id=retrieval_run_id,
        batch_id=batch_id,
        label_snapshot_id=label_snapshot_id,
        is_late=is_late,
    )
    outputs = [
        _build_arena(view_arena(evidence, arena), evidence, context, over_ties=variant.is_control)
        for arena in contract.arenas
        if (arena_names is None or arena in arena_names) and _is_ranked(evidence, arena)
    ]
    inputs = [retrieval_run_id, batch_id, label_snapshot_id, contract.contract_id, evaluation_id, question_set_id]
    return _merge(outputs, inputs=[item for item in inputs if item], variant=variant.name)


def _is_ranked(evidence: Evidence, arena: str) -> bool:
    stages = set(evidence.answered["stage"])
    return stage_of(arena, stages) in stages


def _build_arena(
    view: ArenaView, evidence: Evidence, context: FigureContext, *, over_ties: bool
) -> dict[str, list[pl.DataFrame]]:
    contract = context.contract
    measures = [parse_measure(name) for name in contract.measures]
    scored = score_questions(
        measures=measures,
        ranked=view.ranked,
        questions=view.questions,
        policies=contract.policies,
        limit=contract.limit,
        joint_sets=view.joint_sets,
        over_ties=over_ties,
    )
    _refuse_unretrieved(view, scored, contract)
    parts = [
        make_rows(
            reading=Reading(
                view=view,
                measure=measure,
                contract=contract,
                variant_id=context.variant_id,
                over_ties=over_ties,
            ),
            scored=scored.filter(pl.col("measure") == str(measure)),
            losses=_losses(view, evidence, measure),
        )
        for measure in measures
    ]
    receipts = pl.concat([part.receipts for part in parts])
    figures = make_figures(
        scored=_join_receipts(scored, receipts, view, measures),
        questions=evidence.questions,
        arena=view.arena,
        context=context,
    )
    return {
        tables.RECEIPT.name: [receipts],
        tables.RECEIPT_UNIT.name: [part.units for part in parts],
        tables.RECEIPT_LABEL.name: [part.labels for part in parts],
        tables.RECEIPT_NEGATIVE.name: [part.negatives for part in parts],
        tables.MEMBER_LIST.name: [figures.lists],
        metric_tables.METRIC.name: [figures.metrics],
    }


def _refuse_unretrieved(view: ArenaView, scored: pl.DataFrame, contract: Contract) -> None:
    if contract.policies.unretrieved != "error" or view.arena == CORPUS:
        return
    counted = view.questions.filter(pl.col("excluded").is_null()).select("question_id")
    censored = scored.filter("is_censored").join(counted, on="question_id", how="semi").sort("question_id")
    if censored.height:
        message = (
            f"arena {view.arena}: gold of {censored['question_id'].n_unique()} questions was not returned, first "
            f"{censored.item(0, 'question_id')}, and the policy unretrieved says error; score the arena with "
            "'eval-pipeline arenas export', or declare unretrieved: below"
        )
        raise MeasureUndefined(message, reason="unretrieved")


def _losses(view: ArenaView, evidence: Evidence, measure: Measure) -> pl.DataFrame:
    """Stage losses belong to the corpus arena: only there do the stages run."""
    if view.arena != CORPUS or measure.kind.name not in LOSING_KINDS:
        return pl.DataFrame(schema={"question_id": pl.String, "stage_loss": pl.String})
    counted = view.questions.filter(pl.col("excluded").is_null() & pl.col("is_run"))
    return find_losses(
        rankings=evidence.rankings,
        sufficient=view.labels.filter(pl.col("grade") == "sufficient"),
        question_ids=counted["question_id"].to_list(),
        k=measure.cut,
        hidden=evidence.hidden,
    )


def _join_receipts(
    scored: pl.DataFrame, receipts: pl.DataFrame, view: ArenaView, measures: Sequence[Measure]
) -> pl.DataFrame:
    keys = ["question_id", "measure"]
    chance = chance_of(measures, view.questions)
    sizes = view.questions.select("question_id", "arena_id", "n_candidates")
    return (
        scored.join(receipts.select(*keys, "receipt_id"), on=keys, how="left", maintain_order="left")
        .join(chance, on=keys, how="left", maintain_order="left")
        .join(sizes, on="question_id", how="left", maintain_order="left")
    )


def _merge(outputs: Sequence[dict[str, list[pl.DataFrame]]], *, inputs: Sequence[str], variant: str) -> StageOutput:
    merged: dict[str, pl.DataFrame] = {}
    schemas = (*tables.ALL, metric_tables.METRIC)
    for table in schemas:
        frames = [frame for output in outputs for frame in output[table.name]]
        rows = pl.concat([table.empty(), *(frame.select(list(table.schema)) for frame in frames)])
        merged[table.name] = table.validate(rows.unique().sort(list(table.key)))
    summary: dict[str, int | float | str] = {
        "variant": variant,
        "receipts": merged[tables.RECEIPT.name].height,
        "figures": merged[metric_tables.METRIC.name].height,
    }
    return StageOutput(tables=merged, inputs=tuple(sorted(inputs)), summary=summary)
