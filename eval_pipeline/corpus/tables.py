"""Tables that users bring, read as text and nothing but text: `007`, `NA` and `1e5` stay what they are.

Only an empty field is missing. A row that does not fit the header is refused with its line, never cut or shifted.
"""

import csv
import io
import json
import math
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from eval_pipeline.corpus.refusals import Refusal
from eval_pipeline.foundation.errors import TableError
from eval_pipeline.foundation.ids import hash_bytes

_FIX_ROW = "mend the row and bring the table again"


@dataclass(frozen=True, kw_only=True)
class TextRow:
    """One row of a table.

    Attributes:
        line: 1-based line of a CSV or JSONL file (the header of a CSV is line 1), 1-based row of a Parquet file.
        values: text by column; a missing value has no entry.
    """

    line: int
    values: dict[str, str]


@dataclass(frozen=True, kw_only=True)
class TextTable:
    """A table of text.

    Attributes:
        path: relative to the project folder.
        columns: names in order, NFC.
        rows: the rows that fit.
        refusals: the rows that do not, each with its line.
        content_hash: SHA-256 of the file.
    """

    path: str
    columns: tuple[str, ...]
    rows: tuple[TextRow, ...]
    refusals: tuple[Refusal, ...]
    content_hash: str


def read_table(*, home: Path, relative: str, encoding: str = "utf-8") -> TextTable:
    """Read a CSV (also separated by tabs or semicolons), Parquet or JSONL table as text.

    Args:
        home: the project folder.
        relative: path of the table, relative to the project folder.
        encoding: of CSV and JSONL; a byte-order mark at the start is not part of the first name.

    Raises:
        TableError: the file is missing, empty, not of a known kind, not in the encoding (names the line), has no
            usable header or cannot be read as a whole.
    """
    path = home / relative
    if not path.is_file():
        message = f"{relative} is declared but not there; put the table in its place or change eval.yaml"
        raise TableError(message, path=relative)
    data = path.read_bytes()
    if not data:
        message = f"{relative} has zero bytes; a table without rows still needs its header line"
        raise TableError(message, path=relative)
    source = _Source(path=relative, content_hash=hash_bytes(data))
    match path.suffix.lower():
        case ".parquet" | ".pq":
            return _read_parquet(source, data)
        case ".jsonl" | ".ndjson":
            return _read_jsonl(source, _decode(source, data, encoding))
        case ".csv" | ".tsv" | ".txt":
            return _read_csv(source, _decode(source, data, encoding))
        case suffix:
            message = f"{relative} ends in {suffix!r}; tables are .csv, .tsv, .jsonl or .parquet"
            raise TableError(message, path=relative)


@dataclass(frozen=True, kw_only=True)
class _Source:
    path: str
    content_hash: str

    def refuse(self, line: int, reason: str, detail: str) -> Refusal:
        return Refusal(
            source_path=self.path,
            place=f"row {line}",
            reason=reason,
            detail=detail,
            next_step=_FIX_ROW,
            content_hash=self.content_hash,
        )

    def to_table(self, columns: list[str], rows: list[TextRow], refusals: list[Refusal]) -> TextTable:
        return TextTable(
            path=self.path,
            columns=tuple(columns),
            rows=tuple(rows),
            refusals=tuple(refusals),
            content_hash=self.content_hash,
        )


def _decode(source: _Source, data: bytes, encoding: str) -> str:
    name = "utf-8-sig" if encoding.lower().replace("_", "-") in {"utf-8", "utf8"} else encoding
    try:
        return data.decode(name)
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        message = (
            f"{source.path}, line {line}: not {encoding}; save the table as {encoding}, "
            f"or name its encoding under corpus.encoding in eval.yaml (Windows: cp1252)"
        )
        raise TableError(message, path=source.path, line=line) from error
    except LookupError as error:
        message = f"eval.yaml: corpus.encoding: {encoding!r} is no known encoding; try utf-8 or cp1252"
        raise TableError(message, path=source.path) from error


def _read_csv(source: _Source, text: str) -> TextTable:
    lines = list(io.StringIO(text, newline=""))
    records = _csv_records(lines, _delimiter_of(source, lines[0] if lines else ""))
    first = next((record for record in records if record.fields or record.fault), None)
    if first is None or first.fault:
        message = f"{source.path}, line 1: no header line{f' ({first.fault})' if first else ''}; name the columns first"
        raise TableError(message, path=source.path, line=1)
    header = [unicodedata.normalize("NFC", name) for name in first.fields]
    _check_header(source, header)
    rows, refusals = [], []
    for record in records:
        fault = record.fault or _fault_of(record.fields, len(header))
        if fault:
            refusals.append(source.refuse(record.line, "row does not fit its table", fault + record.extent))
        elif record.fields:
            pairs = zip(header, record.fields, strict=True)
            rows.append(TextRow(line=record.line, values={name: value for name, value in pairs if name and value}))
    return source.to_table([name for name in header if name], rows, refusals)


@dataclass(frozen=True, kw_only=True)
class _Record:
    line: int
    last_line: int
    fields: list[str]
    fault: str = ""

    @property
    def extent(self) -> str:
        return f" (lines {self.line} to {self.last_line})" if self.last_line > self.line else ""


def _csv_records(lines: list[str], delimiter: str) -> Iterator[_Record]:
    """Records with their lines; after a quote that is never closed, reading goes on with the next line."""
    start = 0
    while start < len(lines):
        reader = csv.reader(iter(lines[start:]), delimiter=delimiter, strict=True)
        done = 0
        try:
            for fields in reader:
                last = start + reader.line_num
                yield _Record(line=start + done + 1, last_line=last, fields=fields)
                done = reader.line_num
            return
        except csv.Error as error:
            line = start + done + 1
            yield _Record(line=line, last_line=line, fields=[], fault=f"its quotes do not match: {error}")
            start = line


def _delimiter_of(source: _Source, header: str) -> str:
    if source.path.lower().endswith(".tsv"):
        return "\t"
    return next((letter for letter in ",\t;" if letter in header), ",")


def _check_header(source: _Source, header: list[str]) -> None:
    repeated = sorted({name for name in header if name and header.count(name) > 1})
    if repeated or not any(header):
        what = f"column {repeated[0]!r} stands twice" if repeated else "no column has a name"
        message = f"{source.path}, line 1: {what}; give every column a name of its own"
        raise TableError(message, path=source.path, line=1)


def _fault_of(fields: list[str], n_columns: int) -> str:
    if fields and len(fields) != n_columns:
        return f"{len(fields)} fields, the header has {n_columns}; quote a value that holds the separator"
    if any("\0" in value for value in fields):
        return "a value holds a NUL character"
    return ""


def _read_jsonl(source: _Source, text: str) -> TextTable:
    rows, refusals = [], []
    columns: dict[str, None] = {}
    for line, content in enumerate(text.split("\n"), start=1):
        if not content.strip():
            continue
        try:
            values = _json_values(content)
        except ValueError as error:
            refusals.append(source.refuse(line, "row does not fit its table", f"not a JSON object of values: {error}"))
            continue
        columns.update(dict.fromkeys(values))
        rows.append(TextRow(line=line, values={name: value for name, value in values.items() if value}))
    return source.to_table(list(columns), rows, refusals)


def _json_values(content: str) -> dict[str, str]:
    def refuse(name: str) -> str:
        message = f"{name} is not a JSON value"
        raise ValueError(message)

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        named = {unicodedata.normalize("NFC", name): value for name, value in pairs}
        if len(named) < len(pairs):
            message = "a key stands twice"
            raise ValueError(message)
        return named

    parsed = json.loads(content, parse_int=str, parse_float=str, parse_constant=refuse, object_pairs_hook=once)
    if not isinstance(parsed, dict):
        message = f"found a {type(parsed).__name__}"
        raise ValueError(message)
    values = {name: _json_text(value) for name, value in parsed.items()}
    if any("\0" in value for value in values.values()):
        message = "a value holds a NUL character"
        raise ValueError(message)
    "".join(values.values()).encode()  # a lone surrogate is a UnicodeEncodeError, which is a ValueError
    return values


def _json_text(value: Any) -> str:
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case str():
            return value
        case list() if all(isinstance(item, str) for item in value):
            return ";".join(value)
        case _:
            return json.dumps(value, ensure_ascii=False, sort_keys=True)


def _read_parquet(source: _Source, data: bytes) -> TextTable:
    try:
        frame = pl.read_parquet(io.BytesIO(data))
    except (pl.exceptions.PolarsError, OSError) as error:
        message = f"{source.path} cannot be read as Parquet: {error}; write it again"
        raise TableError(message, path=source.path) from error
    header = [unicodedata.normalize("NFC", name) for name in frame.columns]
    _check_header(source, header)
    texts = [_column_texts(source, frame[name]) for name in frame.columns]
    rows, refusals = [], []
    for line, fields in enumerate(zip(*texts, strict=True), start=1):
        if any("\0" in value for value in fields):
            refusals.append(source.refuse(line, "row does not fit its table", "a value holds a NUL character"))
            continue
        rows.append(
            TextRow(line=line, values={name: value for name, value in zip(header, fields, strict=True) if value})
        )
    return source.to_table(header, rows, refusals)


def _column_texts(source: _Source, column: pl.Series) -> list[str]:
    """Plain text of a column; missing is empty. A float column that holds whole numbers only was an integer one."""
    if column.dtype.is_float():
        return _float_texts(column)
    if column.dtype == pl.Boolean:
        return ["" if value is None else str(value).lower() for value in column.to_list()]
    if column.dtype == pl.List(pl.String):
        return ["" if value is None else ";".join(item or "" for item in value) for value in column.to_list()]
    if column.dtype.is_nested():
        return ["" if value is None else json.dumps(value, default=str, sort_keys=True) for value in column.to_list()]
    try:
        return ["" if value is None else value for value in column.cast(pl.String).to_list()]
    except pl.exceptions.PolarsError as error:
        message = (
            f"{source.path}: column {column.name!r} of type {column.dtype} cannot be read as text; write it as text"
        )
        raise TableError(message, path=source.path) from error


def _float_texts(column: pl.Series) -> list[str]:
    values = [None if value is None or math.isnan(value) else float(value) for value in column.to_list()]
    whole = all(value is None or (value.is_integer() and abs(value) < 2**53) for value in values)
    return ["" if value is None else str(int(value)) if whole else repr(value) for value in values]
