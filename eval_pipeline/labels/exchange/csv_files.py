"""Labels as CSV: one line per pair, or per label that was given."""

import csv
import io
from pathlib import Path

from eval_pipeline.corpus.csv_rows import read_csv
from eval_pipeline.corpus.refusals import Refusal
from eval_pipeline.foundation.errors import TableError
from eval_pipeline.foundation.ids import hash_bytes
from eval_pipeline.labels.exchange.rows import PICTURES, InRow, OutRow, ReadFile, quote_formula, unquote_formula

REQUIRED = ("question_id", "unit_id", "grade", "reviewer")
COLUMNS = (
    *("queue", "question_id", "question", "relation", "unit_id", "source", "picture", "text"),
    *("grade", "reviewer", "author_kind", "reason", "blind", "decided_at"),
)


def write_csv(rows: list[OutRow]) -> bytes:
    """CSV in UTF-8 with COLUMNS, and `model:JUDGE` for each judge whose answer is shown; lines end in CRLF."""
    judges = sorted({judge for row in rows for judge in row.model_answers})
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow([*COLUMNS, *(f"model:{judge}" for judge in judges)])
    for row in rows:
        shown = [row.model_answers.get(judge, "") for judge in judges]
        told = (row.queue, row.question_id, row.question, row.relation, row.unit_id, row.source)
        page = (f"{PICTURES}/{row.picture_name}", row.text)
        said = (row.grade, row.reviewer, row.author_kind, row.reason, str(row.is_blind).lower(), row.decided_at)
        writer.writerow([quote_formula(value) for value in (*told, *page, *said, *shown)])
    return text.getvalue().encode("utf-8")


def read_csv_labels(path: Path, *, name: str) -> ReadFile:
    """Read labels back; columns that are not known are passed over.

    Raises:
        TableError: the file is not UTF-8, has no header or lacks a column that is needed.
    """
    data = path.read_bytes()
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        message = f"{name} is not UTF-8 (byte {error.start}); save it as CSV in UTF-8"
        raise TableError(message, path=name) from error
    table = read_csv(path=name, text=text)
    missing = [column for column in REQUIRED if column not in table.columns]
    if missing:
        message = (
            f"{name}, line 1: column {', '.join(missing)} is missing; found {', '.join(table.columns)}; "
            f"needed are {', '.join(REQUIRED)}, as 'eval-pipeline labels export' writes them"
        )
        raise TableError(message, path=name, line=1)
    content_hash = hash_bytes(data)
    refused = [
        Refusal(
            source_path=name,
            place=f"line {bad.line}",
            reason="unreadable row",
            detail=bad.detail,
            next_step="mend the line and import the file again",
            content_hash=content_hash,
        )
        for bad in table.bad
    ]
    rows = [
        InRow(
            place=f"line {row.line}",
            **{
                column: unquote_formula(row.values.get(column, "").strip())
                for column in (*REQUIRED, "author_kind", "reason", "blind", "decided_at")
            },
        )
        for row in table.rows
    ]
    return ReadFile(name=name, content_hash=content_hash, rows=tuple(rows), refused=tuple(refused))
