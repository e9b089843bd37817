"""Labels that follow a page whose file was moved or exported again."""

from datetime import datetime
from typing import Any

import polars as pl

from eval_pipeline.foundation.outputs import StageOutput
from eval_pipeline.foundation.tables import labels as tables
from eval_pipeline.labels.rows import Judgment, standing_labels, to_label_rows

CODE_VERSION = "1"
CONTENT = ("picture_hash", "text_hash")


def carry_labels(*, labels: pl.DataFrame, units: pl.DataFrame, known_units: pl.DataFrame, now: datetime) -> StageOutput:
    """Give a unit the labels of an earlier unit with the same content that is no longer in force.

    Picture hash and text hash must both be equal. An author who has judged the new unit is not spoken for, and a
    retracted label is not carried.

    Args:
        labels: rows of `labels.label`.
        units: units in force: unit_id, picture_hash, text_hash.
        known_units: every unit ever seen, the same columns (`corpus.unit`).
        now: when; a witness.

    Returns:
        labels.label rows that name the label they were carried from.
    """
    gone = known_units.select("unit_id", *CONTENT).join(units.select("unit_id"), on="unit_id", how="anti")
    heirs = units.select(pl.col("unit_id").alias("heir_id"), *CONTENT)
    moves = gone.join(heirs, on=list(CONTENT)).select("unit_id", "heir_id")
    said = {_voice(row, row["unit_id"]) for row in labels.iter_rows(named=True)}
    rows = standing_labels(labels).filter(pl.col("grade").is_not_null()).join(moves, on="unit_id")
    rows = rows.sort("question_id", "heir_id", "label_id")
    carried = [_carry(row, now) for row in rows.iter_rows(named=True) if _voice(row, row["heir_id"]) not in said]
    return StageOutput(tables={tables.LABEL.name: to_label_rows(carried)}, summary={"carried labels": len(carried)})


def _voice(row: dict[str, Any], unit_id: str) -> tuple[str | None, ...]:
    return (row["question_id"], unit_id, row["relation"], row["author_kind"], row["author"], row["judge_id"])


def _carry(row: dict[str, Any], now: datetime) -> Judgment:
    return Judgment(
        question_id=row["question_id"],
        unit_id=row["heir_id"],
        relation=row["relation"],
        grade=row["grade"],
        author_kind=row["author_kind"],
        author=row["author"],
        judge_id=row["judge_id"],
        reason=row["reason"],
        is_blind=row["is_blind"],
        origin_label_id=row["label_id"],
        decided_at_utc=now,
    )
