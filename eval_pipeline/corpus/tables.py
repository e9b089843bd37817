"""Tables that users bring, read as text and nothing but text: `007`, `NA` and `1e5` stay what they are.

Only an empty field is missing. A row that does not fit the header is refused with its line, never cut or shifted.
"""

from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from eval_pipeline.corpus.csv_rows import read_csv
from eval_pipeline.corpus.jsonl_rows import read_jsonl
from eval_pipeline.corpus.parquet_rows import read_parquet
from eval_pipeline.corpus.refusals import Refusal
from eval_pipeline.corpus.text_rows import TextRow, TextRows
from eval_pipeline.foundation.errors import TableError
from eval_pipeline.foundation.ids import hash_bytes


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
    found = _read_rows(relative, data, encoding)
    content_hash = hash_bytes(data)
    return TextTable(
        path=relative,
        columns=found.columns,
        rows=found.rows,
        refusals=tuple(
            Refusal(
                source_path=relative,
                place=f"row {bad.line}",
                reason="row does not fit its table",
                detail=bad.detail,
                next_step="mend the row and bring the table again",
                content_hash=content_hash,
            )
            for bad in found.bad
        ),
        content_hash=content_hash,
    )


def _read_rows(relative: str, data: bytes, encoding: str) -> TextRows:
    match PurePosixPath(relative).suffix.lower():
        case ".parquet" | ".pq":
            return read_parquet(path=relative, data=data)
        case ".jsonl" | ".ndjson":
            return read_jsonl(_decode(relative, data, encoding))
        case ".csv" | ".tsv" | ".txt":
            return read_csv(path=relative, text=_decode(relative, data, encoding))
        case suffix:
            message = f"{relative} ends in {suffix!r}; tables are .csv, .tsv, .jsonl or .parquet"
            raise TableError(message, path=relative)


def _decode(relative: str, data: bytes, encoding: str) -> str:
    name = "utf-8-sig" if encoding.lower().replace("_", "-") in {"utf-8", "utf8"} else encoding
    try:
        return data.decode(name)
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        message = (
            f"{relative}, line {line}: not {encoding}; save the table as {encoding}, "
            f"or name its encoding under corpus.encoding in eval.yaml (Windows: cp1252)"
        )
        raise TableError(message, path=relative, line=line) from error
    except LookupError as error:
        message = f"eval.yaml: corpus.encoding: {encoding!r} is no known encoding; try utf-8 or cp1252"
        raise TableError(message, path=relative) from error
