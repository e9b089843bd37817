"""Parquet, read as text."""

import io
import json
import math
import unicodedata

import polars as pl

from eval_pipeline.corpus.text_rows import BadRow, TextRow, TextRows, check_header, fault_of_values
from eval_pipeline.foundation.errors import TableError


def read_parquet(*, path: str, data: bytes) -> TextRows:
    """Read a Parquet table as text: numbers and dates by their plain spelling, lists of text joined by `;`.

    Raises:
        TableError: it is not Parquet, or a column cannot be spelled as text.
    """
    try:
        frame = pl.read_parquet(io.BytesIO(data))
    except (pl.exceptions.PolarsError, OSError) as error:
        message = f"{path} cannot be read as Parquet: {error}; write it again"
        raise TableError(message, path=path) from error
    header = [unicodedata.normalize("NFC", name) for name in frame.columns]
    check_header(path, header)
    texts = [_column_texts(path, frame[name]) for name in frame.columns]
    rows, bad = [], []
    for line, fields in enumerate(zip(*texts, strict=True), start=1):
        if fault := fault_of_values(fields):
            bad.append(BadRow(line=line, detail=fault))
            continue
        rows.append(
            TextRow(line=line, values={name: value for name, value in zip(header, fields, strict=True) if value})
        )
    return TextRows(columns=tuple(header), rows=tuple(rows), bad=tuple(bad))


def _column_texts(path: str, column: pl.Series) -> list[str]:
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
        message = f"{path}: column {column.name!r} of type {column.dtype} cannot be read as text; write it as text"
        raise TableError(message, path=path) from error


def _float_texts(column: pl.Series) -> list[str]:
    values = [None if value is None or math.isnan(value) else float(value) for value in column.to_list()]
    whole = all(value is None or (value.is_integer() and abs(value) < 2**53) for value in values)
    return ["" if value is None else str(int(value)) if whole else repr(value) for value in values]
