"""Run files of other people's retrievers, read line by line: TREC text, JSONL or Parquet, plain, gzip or zstd."""

import io
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from eval_pipeline.foundation.errors import TableError

CODE_VERSION = "1"
GZIP_MAGIC, ZSTD_MAGIC = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"
COLUMNS = ("question_ref", "unit_ref", "score")
LINE_SCHEMA = {"line": pl.Int64, "question_ref": pl.String, "unit_ref": pl.String, "score": pl.Float64}
REFUSED_SCHEMA = {"line": pl.Int64, "reason": pl.String, "detail": pl.String}
N_TREC_FIELDS = 6


@dataclass(frozen=True, kw_only=True)
class RunLines:
    """What a run file says.

    Attributes:
        lines: line (1-based; a row number in Parquet), question_ref, unit_ref (as written), score (finite, 64 bit).
        refused: line, reason, detail of the lines that could not be read.
    """

    lines: pl.DataFrame
    refused: pl.DataFrame


def read_run_file(path: Path) -> RunLines:
    """Read a run file; its ending (before `.gz`, `.zst`) tells the form: `.jsonl`, `.parquet`, anything else is TREC.

    TREC text has six fields separated by blanks or tabs: question, Q0, unit, rank, score, tag. Blank lines and lines
    that begin with `#` are passed over. The rank is not read: the score decides. JSONL and Parquet have the columns
    `question_id`, `unit_id` and `score`; others are ignored.

    Raises:
        TableError: the file as a whole cannot be read: not there, not UTF-8, not Parquet, a column is missing.
    """
    name = path.name.removesuffix(".gz").removesuffix(".zst")
    readers: dict[str, Callable[[Path, bytes], RunLines]] = {".jsonl": _read_jsonl, ".parquet": _read_parquet}
    return readers.get(Path(name).suffix, _read_trec)(path, _read_bytes(path))


def _read_bytes(path: Path) -> bytes:
    import pyarrow as pa

    try:
        data = path.read_bytes()
        for magic, compression in ((GZIP_MAGIC, "gzip"), (ZSTD_MAGIC, "zstd")):
            if data.startswith(magic):
                return bytes(pa.input_stream(io.BytesIO(data), compression=compression).read())
    except OSError as error:
        message = f"{path.name} cannot be read: {error}"
        raise TableError(message, path=str(path)) from error
    return data


def _read_text(path: Path, data: bytes) -> pl.DataFrame:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        message = f"{path.name}, line {line}: not UTF-8; save the file as UTF-8"
        raise TableError(message, path=str(path), line=line) from error
    content = pl.Series("content", text.split("\n"), dtype=pl.String).str.strip_chars("\r \t")
    return pl.DataFrame({"line": pl.int_range(1, len(content) + 1, dtype=pl.Int64, eager=True), "content": content})


def _read_trec(path: Path, data: bytes) -> RunLines:
    every = _read_text(path, data)
    used = every.filter((pl.col("content") != "") & ~pl.col("content").str.starts_with("#"))
    fields = used.with_columns(field=pl.col("content").str.replace_all(r"[ \t]+", "\t").str.split("\t"))
    is_whole = pl.col("field").list.len() == N_TREC_FIELDS
    found = pl.format("{} fields, not 6: an id with a blank, or a missing field", pl.col("field").list.len())
    reason = pl.lit("wrong number of fields")
    short = fields.filter(~is_whole).select("line", reason.alias("reason"), found.alias("detail"))
    whole = fields.filter(is_whole)
    places = dict(zip(COLUMNS, (0, 2, 4), strict=True))
    named = whole.select("line", *(pl.col("field").list.get(place).alias(name) for name, place in places.items()))
    return _check_scores(named, short)


def _read_jsonl(path: Path, data: bytes) -> RunLines:
    every = _read_text(path, data).filter(pl.col("content") != "")
    keys = {"question_id": pl.String, "unit_id": pl.String, "score": pl.Float64}
    rows, refused = [], []
    for line, content in every.iter_rows():
        try:
            rows.append({"line": line, **_parse_object(content)})
        except (ValueError, RecursionError) as error:
            refused.append((line, "not a JSON object with question_id, unit_id, score", str(error)))
    frame = pl.DataFrame(rows, schema={"line": pl.Int64, **keys}).rename(_renamed())
    return _check_scores(frame, pl.DataFrame(refused, schema=REFUSED_SCHEMA, orient="row"))


def _parse_object(content: str) -> dict[str, str | float]:
    found = json.loads(content)
    if not isinstance(found, dict):
        message = f"found {type(found).__name__}"
        raise ValueError(message)
    question, unit, score = (found.get(name) for name in ("question_id", "unit_id", "score"))
    if not (isinstance(question, str) and isinstance(unit, str)):
        message = f"question_id and unit_id should be text, found {question!r} and {unit!r}"
        raise ValueError(message)
    if isinstance(score, bool) or not isinstance(score, int | float):
        message = f"score should be a number, found {score!r}"
        raise ValueError(message)
    return {"question_id": question, "unit_id": unit, "score": float(score)}


def _read_parquet(path: Path, data: bytes) -> RunLines:
    try:
        frame = pl.read_parquet(io.BytesIO(data))
        named = frame.select("question_id", "unit_id", "score").cast(
            {"question_id": pl.String, "unit_id": pl.String, "score": pl.Float64}
        )
    except pl.exceptions.PolarsError as error:
        message = f"{path.name}: Parquet with columns question_id, unit_id and score is expected: {error}"
        raise TableError(message, path=str(path)) from error
    rows = named.with_columns(line=pl.int_range(1, pl.len() + 1, dtype=pl.Int64)).rename(_renamed())
    nothing = pl.DataFrame(schema=REFUSED_SCHEMA)
    return _check_scores(rows.select(list(LINE_SCHEMA)), nothing)


def _renamed() -> dict[str, str]:
    return {"question_id": "question_ref", "unit_id": "unit_ref"}


def _check_scores(named: pl.DataFrame, refused: pl.DataFrame) -> RunLines:
    parsed = named.with_columns(value=pl.col("score").cast(pl.Float64, strict=False))
    is_named = pl.col("question_ref").is_not_null() & pl.col("unit_ref").is_not_null()
    is_good = is_named & pl.col("value").is_finite().fill_null(value=False)
    fault = pl.when(is_named).then(pl.lit("score is not a finite number")).otherwise(pl.lit("id is missing"))
    found = pl.format("found {}", pl.col("score").cast(pl.String).fill_null("nothing"))
    bad = parsed.filter(~is_good).select("line", fault.alias("reason"), found.alias("detail"))
    good = parsed.filter(is_good).select("line", "question_ref", "unit_ref", pl.col("value").alias("score"))
    return RunLines(
        lines=good.cast(LINE_SCHEMA),  # type: ignore[arg-type]  # polars types a schema too narrowly
        refused=pl.concat([refused.cast(REFUSED_SCHEMA), bad.cast(REFUSED_SCHEMA)]).sort("line"),  # type: ignore[arg-type]  # as above
    )
