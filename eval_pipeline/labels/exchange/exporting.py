"""Pairs and labels as rows of a file, and the folder that holds the file with its page pictures."""

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import polars as pl

from eval_pipeline.foundation.files import write_atomically
from eval_pipeline.labels.deciding import REVIEWER_KINDS
from eval_pipeline.labels.exchange import csv_files, label_studio
from eval_pipeline.labels.exchange.rows import PICTURES, OutRow
from eval_pipeline.labels.rows import standing_labels

FileKind = Literal["csv", "label-studio"]
NAMES: Mapping[FileKind, str] = {"csv": "labels.csv", "label-studio": "label-studio.json"}


@dataclass(frozen=True, kw_only=True)
class ExportGround:
    """What rows are made from.

    Attributes:
        questions: text and relation by question id.
        pages: source, picture and text by unit id; pairs on other units are left out.
        answers: grade by judge, by pair; empty where the model's answers are hidden.
        is_blind: whether they are hidden.
    """

    questions: Mapping[str, tuple[str, str]]
    pages: Mapping[str, tuple[str, Path, str]]
    answers: Mapping[tuple[str, str], Mapping[str, str]]
    is_blind: bool


def rows_to_label(pairs: pl.DataFrame, ground: ExportGround) -> list[OutRow]:
    """Rows without a grade, in the order of the pairs.

    Args:
        pairs: question_id, unit_id, queue.
        ground: see there.
    """
    known = [
        row
        for row in pairs.iter_rows(named=True)
        if row["unit_id"] in ground.pages and row["question_id"] in ground.questions
    ]
    return [_row(row, ground, is_blind=ground.is_blind) for row in known]


def rows_of_labels(labels: pl.DataFrame, queues: Mapping[tuple[str, str], str], ground: ExportGround) -> list[OutRow]:
    """Rows of the standing labels of people, sorted by pair and author; the stand-in of a demo is no person.

    Args:
        labels: rows of `labels.label`.
        queues: queue by pair; pairs in none get an empty one.
        ground: see there.
    """
    people = standing_labels(labels.filter(pl.col("author_kind").is_in(list(REVIEWER_KINDS))))
    given = people.filter(pl.col("grade").is_not_null()).sort("question_id", "unit_id", "author_kind", "author")
    rows = []
    for row in given.iter_rows(named=True):
        if row["unit_id"] in ground.pages and row["question_id"] in ground.questions:
            told = {**row, "queue": queues.get((row["question_id"], row["unit_id"]), "")}
            rows.append(_row(told, ground, is_blind=row["is_blind"]))
    return rows


def write_export(*, folder: Path, rows: Sequence[OutRow], kind: FileKind) -> Path:
    """Write the file and, beside it, the pictures of its pages; return the file.

    Raises:
        FileNotFoundError: a stored picture is gone.
    """
    write = csv_files.write_csv if kind == "csv" else label_studio.write_tasks
    target = folder / NAMES[kind]
    (folder / PICTURES).mkdir(parents=True, exist_ok=True)
    for row in rows:
        picture = folder / PICTURES / row.picture_name
        if not picture.exists():
            shutil.copyfile(row.picture, picture)
    if kind == "label-studio":
        write_atomically(folder / "label-studio.xml", label_studio.INTERFACE.encode("utf-8"))
    write_atomically(target, write(list(rows)))
    return target


def _row(row: Mapping[str, object], ground: ExportGround, *, is_blind: bool) -> OutRow:
    question_id, unit_id = str(row["question_id"]), str(row["unit_id"])
    question, relation = ground.questions[question_id]
    source, picture, text = ground.pages[unit_id]
    decided = row.get("decided_at_utc")
    return OutRow(
        question_id=question_id,
        question=question,
        relation=relation,
        unit_id=unit_id,
        source=source,
        picture=picture,
        text=text,
        queue=str(row["queue"]),
        grade=str(row.get("grade") or ""),
        reviewer=str(row.get("author") or ""),
        author_kind=str(row.get("author_kind") or ""),
        reason=str(row.get("reason") or ""),
        is_blind=is_blind,
        decided_at=decided.isoformat() if decided else "",  # type: ignore[attr-defined]
        model_answers=ground.answers.get((question_id, unit_id), {}),
    )
