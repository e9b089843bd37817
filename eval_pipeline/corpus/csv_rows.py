"""CSV, read strictly: a row that is ragged or leaves a quote open is refused with its line, never cut or shifted."""

import csv
import io
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from eval_pipeline.corpus.text_rows import BadRow, TextRow, TextRows, check_header, fault_of_values
from eval_pipeline.foundation.errors import TableError


def read_csv(*, path: str, text: str) -> TextRows:
    """Read a table separated by commas, tabs or semicolons (the first of them that the header holds).

    Args:
        path: as shown in messages; `.tsv` means tabs.
        text: content without byte-order mark.

    Raises:
        TableError: there is no usable header.
    """
    lines = list(io.StringIO(text, newline=""))
    records = _csv_records(lines, _delimiter_of(path, lines[0] if lines else ""))
    first = next((record for record in records if record.fields or record.fault), None)
    if first is None or first.fault:
        message = f"{path}, line 1: no header line{f' ({first.fault})' if first else ''}; name the columns first"
        raise TableError(message, path=path, line=1)
    header = [unicodedata.normalize("NFC", name) for name in first.fields]
    check_header(path, header)
    rows, bad = [], []
    for record in records:
        fault = record.fault or _fault_of(record.fields, len(header))
        if fault:
            bad.append(BadRow(line=record.line, detail=fault + record.extent))
        elif record.fields:
            pairs = zip(header, record.fields, strict=True)
            rows.append(TextRow(line=record.line, values={name: value for name, value in pairs if name and value}))
    return TextRows(columns=tuple(name for name in header if name), rows=tuple(rows), bad=tuple(bad))


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


def _delimiter_of(path: str, header: str) -> str:
    if path.lower().endswith(".tsv"):
        return "\t"
    return next((letter for letter in ",\t;" if letter in header), ",")


def _fault_of(fields: list[str], n_columns: int) -> str:
    if fields and len(fields) != n_columns:
        return f"{len(fields)} fields, the header has {n_columns}; quote a value that holds the separator"
    return fault_of_values(fields)
