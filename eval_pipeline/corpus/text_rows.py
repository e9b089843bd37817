"""Rows of text, as the readers of the single formats give them."""

from dataclasses import dataclass

from eval_pipeline.foundation.errors import TableError


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
class BadRow:
    """A row that does not fit its table.

    Attributes:
        line: as in `TextRow`.
        detail: what was expected and what was found.
    """

    line: int
    detail: str


@dataclass(frozen=True, kw_only=True)
class TextRows:
    """What a reader finds.

    Attributes:
        columns: names in order, NFC.
        rows: the rows that fit.
        bad: the rows that do not.
    """

    columns: tuple[str, ...]
    rows: tuple[TextRow, ...]
    bad: tuple[BadRow, ...]


def check_header(path: str, header: list[str]) -> None:
    """Check that every named column has a name of its own; columns without a name are passed over.

    Raises:
        TableError: a name stands twice, or no column has one.
    """
    repeated = sorted({name for name in header if name and header.count(name) > 1})
    if repeated or not any(header):
        what = f"column {repeated[0]!r} stands twice" if repeated else "no column has a name"
        message = f"{path}, line 1: {what}; give every column a name of its own"
        raise TableError(message, path=path, line=1)


def fault_of_values(values: list[str] | tuple[str, ...]) -> str:
    """What is wrong with the characters of a row; empty where nothing is."""
    return "a value holds a NUL character" if any("\0" in value for value in values) else ""
