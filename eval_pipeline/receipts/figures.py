"""Figures: one row per slice and measure, and the list of receipts that each is a mean of."""

import json
from dataclasses import dataclass

import polars as pl

from eval_pipeline.foundation.ids import canonical_json
from eval_pipeline.foundation.tables import metrics as metric_tables
from eval_pipeline.foundation.tables import receipts as tables
from eval_pipeline.metrics.aggregate import SliceFigure, aggregate
from eval_pipeline.metrics.denominators import make_denominator
from eval_pipeline.receipts.identity import member_list_id, metric_id
from eval_pipeline.tasks.contracts import Contract


@dataclass(frozen=True, kw_only=True)
class FigureContext:
    """What every figure of one variant's evaluation carries.

    Attributes:
        contract: contract.
        evaluation_id: evaluation.
        variant_id: variant.
        retrieval_run_id: run that was scored.
        batch_id: corpus snapshot.
        label_snapshot_id: labels in force.
        is_late: whether the contract came after the run's first ranking.
    """

    contract: Contract
    evaluation_id: str
    variant_id: str
    retrieval_run_id: str
    batch_id: str
    label_snapshot_id: str
    is_late: bool


@dataclass(frozen=True, kw_only=True)
class Figures:
    """Figures of one arena.

    Attributes:
        metrics: rows of `metrics.metric`.
        lists: rows of `receipts.member_list`.
    """

    metrics: pl.DataFrame
    lists: pl.DataFrame


def make_figures(*, scored: pl.DataFrame, questions: pl.DataFrame, arena: str, context: FigureContext) -> Figures:
    """Figures of one variant in one arena.

    Args:
        scored: rows of `scoring.score_questions` with arena_id, receipt_id, n_candidates and chance.
        questions: questions with their slice columns.
        arena: its name.
        context: what the figures carry.
    """
    metrics, lists = [], {}
    figures = aggregate(
        scored=scored,
        questions=questions,
        slices=context.contract.slices,
        resampling=context.contract.resampling,
    )
    for figure in figures:
        list_row = _list_row(figure.members)
        lists[list_row["list_id"]] = list_row
        metrics.append(_metric_row(figure, arena, context, str(list_row["list_id"])))
    return Figures(
        metrics=pl.DataFrame(metrics, schema=metric_tables.METRIC.schema),
        lists=pl.DataFrame(list(lists.values()), schema=tables.MEMBER_LIST.schema),
    )


def _list_row(members: pl.DataFrame) -> dict[str, object]:
    receipt_ids = sorted(set(members["receipt_id"]))
    return {
        "list_id": member_list_id(receipt_ids),
        "receipt_ids": json.dumps(receipt_ids, separators=(",", ":")),
        "n_receipts": len(receipt_ids),
    }


def _metric_row(figure: SliceFigure, arena: str, context: FigureContext, list_id: str) -> dict[str, object]:
    denominator = make_denominator(
        figure.rows,
        batch_id=context.batch_id,
        label_snapshot_id=context.label_snapshot_id,
        contract_id=context.contract.contract_id,
    )
    identity = metric_id(
        measure=figure.measure,
        contract_id=context.contract.contract_id,
        evaluation_id=context.evaluation_id,
        variant_id=context.variant_id,
        retrieval_run_id=context.retrieval_run_id,
        arena=arena,
        slice_name=figure.slice,
        slice_value=figure.slice_value,
        denominator_id=denominator.denominator_id,
        list_id=list_id,
    )
    sizes = figure.rows["n_candidates"]
    return {
        "metric_id": identity,
        "evaluation_id": context.evaluation_id,
        "variant_id": context.variant_id,
        "retrieval_run_id": context.retrieval_run_id,
        "arena": arena,
        "slice": figure.slice,
        "slice_value": figure.slice_value,
        "measure": figure.measure,
        "estimate": figure.estimate,
        "reason": figure.reason,
        "low": figure.interval.low,
        "high": figure.interval.high,
        "interval": figure.interval.method,
        "n_questions": figure.n_questions,
        "n_scored": figure.n_scored,
        "n_candidates_min": sizes.min(),
        "n_candidates_max": sizes.max(),
        "policy_counts": canonical_json(dict(figure.policy_counts)),
        "denominator_id": denominator.denominator_id,
        "chance": figure.chance,
        "member_list_id": list_id,
        "is_late": context.is_late,
    }
