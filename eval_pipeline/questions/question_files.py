"""Read a file of questions as rows with the line on which each stands."""

import json
from pathlib import Path
from typing import Any

import polars as pl

from eval_pipeline.foundation.config import QuestionImportConfig
from eval_pipeline.foundation.errors import TableError

SUFFIXES = (".csv", ".parquet", ".jsonl")


def read_question_file(path: Path, declared: QuestionImportConfig) -> list[tuple[int, dict[str, Any]]]:
    """Rows of a question file as (line, values), in file order.

    Lines are 1-based: in CSV the header is line 1 (a question with line breaks inside counts as one line), in JSONL
    blank lines count, in Parquet the first row is 1.

    Raises:
        TableError: the file is missing, of another kind, unreadable, or lacks a declared column.
    """
    if not path.is_file():
        message = f"questions.import: {declared.path} is not there; put the file into the project folder"
        raise TableError(message, path=declared.path)
    match path.suffix.lower():
        case ".csv":
            rows = _read_csv(path, declared.path)
        case ".parquet":
            rows = _read_parquet(path, declared.path)
        case ".jsonl":
            rows = _read_jsonl(path, declared.path)
        case other:
            message = f"questions.import: {declared.path} ends in {other!r}; allowed: {', '.join(SUFFIXES)}"
            raise TableError(message, path=declared.path)
    _check_columns(rows, declared)
    return rows


def _read_csv(path: Path, name: str) -> list[tuple[int, dict[str, Any]]]:
    try:
        frame = pl.read_csv(path, infer_schema=False)
    except (pl.exceptions.PolarsError, UnicodeDecodeError) as error:
        message = f"{name} cannot be read as CSV in UTF-8: {error}"
        raise TableError(message, path=name) from error
    return list(enumerate(frame.to_dicts(), start=2))


def _read_parquet(path: Path, name: str) -> list[tuple[int, dict[str, Any]]]:
    try:
        frame = pl.read_parquet(path)
    except (pl.exceptions.PolarsError, OSError) as error:
        message = f"{name} cannot be read as Parquet: {error}"
        raise TableError(message, path=name) from error
    return list(enumerate(frame.to_dicts(), start=1))


def _read_jsonl(path: Path, name: str) -> list[tuple[int, dict[str, Any]]]:
    try:
        lines = path.read_text(encoding="utf-8-sig").split("\n")
    except UnicodeDecodeError as error:
        message = f"{name} is not UTF-8: {error}"
        raise TableError(message, path=name) from error
    rows: list[tuple[int, dict[str, Any]]] = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except json.JSONDecodeError as error:
            message = f"{name}, line {number}: not JSON: {error}"
            raise TableError(message, path=name, line=number) from error
        if not isinstance(value, dict):
            message = f"{name}, line {number}: an object is expected, found {type(value).__name__}"
            raise TableError(message, path=name, line=number)
        rows.append((number, value))
    keys = list(dict.fromkeys(key for _, row in rows for key in row))
    return [(number, {key: row.get(key) for key in keys}) for number, row in rows]


def _check_columns(rows: list[tuple[int, dict[str, Any]]], declared: QuestionImportConfig) -> None:
    if not rows:
        return
    columns = list(rows[0][1])
    optional = (declared.answer, declared.document, declared.pages, declared.page_id, declared.available)
    for column in (declared.id, declared.text, *(name for name in optional if name is not None)):
        if column not in columns:
            message = f"{declared.path} has no column {column!r}; it has {', '.join(columns)}"
            raise TableError(message, path=declared.path)
