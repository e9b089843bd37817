"""Rows of receipts and of what each rests on."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import polars as pl

from eval_pipeline.foundation.tables import receipts as tables
from eval_pipeline.metrics.arenas import CORPUS
from eval_pipeline.metrics.measures.measure import Measure
from eval_pipeline.metrics.scoring import QUESTION_NOT_RUN
from eval_pipeline.receipts.evidence import ArenaView
from eval_pipeline.receipts.identity import ReceiptContent
from eval_pipeline.tasks.contracts import Contract


@dataclass(frozen=True, kw_only=True)
class ReceiptRows:
    """Receipts of one variant, arena and measure, and their evidence.

    Attributes:
        receipts: rows of `receipts.receipt`.
        units: rows of `receipts.receipt_unit`.
        labels: rows of `receipts.receipt_label`.
        negatives: rows of `receipts.receipt_negative`.
    """

    receipts: pl.DataFrame
    units: pl.DataFrame
    labels: pl.DataFrame
    negatives: pl.DataFrame


@dataclass(frozen=True, kw_only=True)
class Reading:
    """One measure read in one arena.

    Attributes:
        view: the arena.
        measure: the measure.
        contract: contract.
        variant_id: variant.
        over_ties: True for controls, whose equal scores are in no order.
    """

    view: ArenaView
    measure: Measure
    contract: Contract
    variant_id: str
    over_ties: bool

    @property
    def condenses(self) -> bool:
        """Whether units without a label are taken out of the list before the first k are read."""
        kind = self.measure.kind
        return self.contract.policies.unjudged == "condense" and kind.reads_labels and kind.name != "judged"

    def read_units(self) -> pl.DataFrame:
        """Ranked units that the measure reads.

        Its first k; `limit` of them where unjudged ones are taken out; over ties, every unit that shares a score with
        one of these as well.

        Returns:
            question_id, rank, unit_id, label_id, tie (number of the group of equal score).
        """
        rows = number_ties(self.view.ranked).select("question_id", "rank", "unit_id", "label_id", "tie")
        if self.over_ties and self.condenses:
            return rows
        reach = self.contract.limit if self.condenses else self.measure.cut
        start = pl.col("rank").min().over("question_id", "tie") if self.over_ties else pl.col("rank")
        return rows.filter(start <= reach)

    def resting_labels(self, read: pl.DataFrame) -> pl.DataFrame:
        """Labels that the measure rests on: on the units it read, those behind R, and jointly sufficient sets.

        Returns:
            question_id, label_id (a label, or a jointly sufficient set, which is a label of several units); unique.
        """
        kind = self.measure.kind
        if not kind.reads_labels:
            return read.clear().select("question_id", "label_id")
        grades = (["sufficient"] if kind.needs_relevant else []) + (["supporting"] if kind.counts_supporting else [])
        behind = self.view.labels.filter(pl.col("grade").is_in(grades))
        rows = [read.filter(pl.col("label_id").is_not_null()), behind]
        if kind.counts_joint:
            rows.append(self.view.joint_sets.select("question_id", label_id="joint_set_id"))
        return pl.concat([frame.select("question_id", "label_id") for frame in rows]).unique()


def number_ties(ranked: pl.DataFrame) -> pl.DataFrame:
    """Sort ranked units and number the groups of equal score of each question, from 1, as `tie`."""
    rows = ranked.sort("question_id", "rank")
    begins = (pl.col("score") != pl.col("score").shift(1)).fill_null(value=True)
    return rows.with_columns(tie=begins.cum_sum().over("question_id"))


def make_rows(*, reading: Reading, scored: pl.DataFrame, losses: pl.DataFrame) -> ReceiptRows:
    """Receipts of one measure in one arena.

    Args:
        reading: measure and arena.
        scored: rows of `scoring.score_questions` of this measure.
        losses: question_id, stage_loss.
    """
    asked = scored.join(reading.view.questions, on="question_id", how="left").join(losses, on="question_id", how="left")
    silent = asked.filter(pl.col("excluded").is_not_null() | (pl.col("reason") == QUESTION_NOT_RUN))
    read = reading.read_units().join(silent, on="question_id", how="anti")
    labels = reading.resting_labels(read).join(silent, on="question_id", how="anti")
    gathered = asked.join(_lists(read, labels), on="question_id", how="left").sort("question_id")
    rows = [_receipt_row(reading, row) for row in gathered.iter_rows(named=True)]
    receipts = pl.DataFrame(rows, schema=tables.RECEIPT.schema)
    named = receipts.select("question_id", "receipt_id")
    return ReceiptRows(
        receipts=receipts,
        units=_link(read, named, tables.RECEIPT_UNIT.schema),
        labels=_link(labels, named, tables.RECEIPT_LABEL.schema),
        negatives=_negatives(reading.view, named),
    )


def _link(rows: pl.DataFrame, named: pl.DataFrame, columns: Iterable[str]) -> pl.DataFrame:
    joined = rows.join(named, on="question_id").select(list(columns))
    return joined.sort(joined.columns)


def _negatives(view: ArenaView, named: pl.DataFrame) -> pl.DataFrame:
    if view.candidates is None:
        return tables.RECEIPT_NEGATIVE.empty()
    drawn = view.candidates.filter(~pl.col("is_gold")).rename({"unit_id": "negative_unit_id"})
    return _link(drawn, named, tables.RECEIPT_NEGATIVE.schema)


def _lists(read: pl.DataFrame, labels: pl.DataFrame) -> pl.DataFrame:
    """What each question's receipt rests on, as lists: unit_ids, tie_sizes, n_unlabelled, label_ids."""
    units = (
        read.sort("question_id", "rank")
        .group_by("question_id")
        .agg(
            unit_ids=pl.col("unit_id"),
            tie_sizes=pl.col("tie").rle().struct.field("len"),
            n_unlabelled=pl.col("label_id").null_count(),
        )
    )
    return units.join(
        labels.group_by("question_id").agg(label_ids=pl.col("label_id")), on="question_id", how="full", coalesce=True
    )


def _receipt_row(reading: Reading, row: Mapping[str, Any]) -> dict[str, object]:
    content = ReceiptContent(
        measure=str(reading.measure),
        contract_id=reading.contract.contract_id,
        question_id=row["question_id"],
        variant_id=reading.variant_id,
        arena=reading.view.arena,
        arena_id=row["arena_id"],
        pool_id=row["pool_id"],
        reason=row["reason"],
        unit_ids=row["unit_ids"] or [],
        tie_sizes=(row["tie_sizes"] or []) if reading.over_ties else None,
        label_ids=row["label_ids"] or [],
        stage_loss=row["stage_loss"],
        is_censored=row["is_censored"],
    )
    return {
        "receipt_id": content.receipt_id,
        "measure": content.measure,
        "contract_id": content.contract_id,
        "question_id": content.question_id,
        "variant_id": content.variant_id,
        "arena": content.arena,
        "arena_id": content.arena_id,
        "pool_id": content.pool_id,
        "value": row["value"],
        "reason": content.reason,
        "n_candidates": None if content.arena == CORPUS else row["n_candidates"] or 0,
        "n_read": len(content.unit_ids),
        "n_unjudged": (row["n_unlabelled"] or 0) if reading.measure.kind.reads_labels else 0,
        "stage_loss": content.stage_loss,
        "is_censored": content.is_censored,
    }
