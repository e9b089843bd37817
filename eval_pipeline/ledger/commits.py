"""Commits, the record: immutable folders of one header and one Parquet file per table, written whole or not at all."""

import json
import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import uuid4

import polars as pl

from eval_pipeline.foundation.errors import LedgerDamaged
from eval_pipeline.foundation.frames import Table
from eval_pipeline.foundation.ids import Jsonable, canonical_json, content_id, hash_file, hash_text
from eval_pipeline.foundation.settings import ProjectPaths
from eval_pipeline.foundation.tables import TABLES
from eval_pipeline.ledger.upcasting import upcast

HEADER = "header.json"
FORMAT = 1
PENDING, APPLIED, WRITING, SET_ASIDE = "pending", "applied", "writing", "set_aside"


@dataclass(frozen=True, kw_only=True)
class Header:
    """What a commit says of itself.

    Attributes:
        commit_id: hash of asset, partition, code version and the equality columns of its rows.
        asset: what made it.
        partition: partition it was made for; None without one.
        inputs: ids of what the rows were made from.
        code_version: version of the algorithm.
        dagster_run_id: run that made it; None outside Dagster.
        made_at_utc: when; a witness, no part of the id.
        n_rows: rows by table.
        n_conflicts: rows left out because the ledger already held another row under their key.
        versions: version of the schema by table.
        files: SHA-256 of the Parquet file by table.
    """

    commit_id: str
    asset: str
    partition: str | None
    inputs: tuple[str, ...]
    code_version: str
    dagster_run_id: str | None
    made_at_utc: datetime
    n_rows: Mapping[str, int]
    n_conflicts: int
    versions: Mapping[str, int]
    files: Mapping[str, str]


def commit_id_of(tables: Mapping[str, pl.DataFrame], *, asset: str, partition: str | None, code_version: str) -> str:
    """Id of a commit: order of rows, times, costs and run ids do not matter."""
    rows = {name: hash_rows(TABLES[name], frame) for name, frame in tables.items() if frame.height}
    return content_id("commit", {"asset": asset, "partition": partition, "code": code_version, "rows": rows})


def hash_rows(table: Table, frame: pl.DataFrame) -> str:
    """SHA-256 of the rows of a frame, sorted by key, over the columns that take part in row equality."""
    return hash_text("\n".join(spell_rows(frame.sort(table.key), equality_columns(table))))


def equality_columns(table: Table) -> list[str]:
    """Names of the columns in which two makings of one row must agree."""
    return [column.name for column in table.columns if column.in_equality]


def spell_rows(frame: pl.DataFrame, columns: Sequence[str]) -> list[str]:
    """Each row as one line of JSON: the values of the columns, in order."""
    return [json.dumps(row, ensure_ascii=False, separators=(",", ":")) for row in frame.select(columns).iter_rows()]


def write_commit(paths: ProjectPaths, header: Header, tables: Mapping[str, pl.DataFrame]) -> Path:
    """Write a commit folder beside its place, sync files and folders, and rename it whole into `pending`.

    Args:
        paths: project folder.
        header: as made by the caller; `files` is filled in here.
        tables: frames by table name, valid under their schemas; empty ones are left out.

    Returns:
        The folder of the commit. A commit that is already pending under this id is left as it is.
    """
    place = paths.commits / PENDING / header.commit_id
    if place.exists():
        return place
    part = paths.commits / WRITING / f"{header.commit_id}-{uuid4().hex}"
    part.mkdir(parents=True)
    place.parent.mkdir(parents=True, exist_ok=True)
    try:
        files = {name: _write_table(part, name, frame) for name, frame in sorted(tables.items()) if frame.height}
        _write_synced(part / HEADER, spell_header(header, files).encode())
        sync_folder(part)
        part.rename(place)
    except BaseException:
        shutil.rmtree(part, ignore_errors=True)
        raise
    sync_folder(place.parent)
    return place


def _write_table(part: Path, name: str, frame: pl.DataFrame) -> str:
    path = part / f"{name}.parquet"
    with path.open("wb") as file:
        frame.sort(TABLES[name].key).write_parquet(file, compression="zstd", statistics=False)
        file.flush()
        os.fsync(file.fileno())
    return hash_file(path)


def _write_synced(path: Path, data: bytes) -> None:
    with path.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def sync_folder(path: Path) -> None:
    """Make renames and new names inside a folder survive a power cut."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def spell_header(header: Header, files: Mapping[str, str]) -> str:
    """A header as canonical JSON with a final newline."""
    content: Mapping[str, Jsonable] = {
        "format": FORMAT,
        "commit_id": header.commit_id,
        "asset": header.asset,
        "partition": header.partition,
        "inputs": list(header.inputs),
        "code_version": header.code_version,
        "dagster_run_id": header.dagster_run_id,
        "made_at_utc": header.made_at_utc.astimezone(UTC).isoformat(timespec="microseconds"),
        "n_rows": dict(header.n_rows),
        "n_conflicts": header.n_conflicts,
        "versions": dict(header.versions),
        "files": dict(files),
    }
    return canonical_json(content) + "\n"


def read_header(folder: Path) -> Header:
    """Read the header of a commit folder.

    Raises:
        LedgerDamaged: it is missing, is not JSON, lacks a key, or is of a format this version does not know.
    """
    try:
        content = json.loads((folder / HEADER).read_text(encoding="utf-8"))
        if content.pop("format") != FORMAT:
            raise _damaged(folder, f"its format is not {FORMAT}")
        made_at, inputs = datetime.fromisoformat(content.pop("made_at_utc")), tuple(content.pop("inputs"))
        return Header(made_at_utc=made_at, inputs=inputs, **content)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise _damaged(folder, f"its header cannot be read ({error})") from error


def read_tables(folder: Path, header: Header) -> dict[str, pl.DataFrame]:
    """Read and check the tables of a commit; older ones are brought to the schema of today.

    Raises:
        LedgerDamaged: a file is missing, its bytes are not those that were written, or its rows break their schema.
        LedgerVersion: a table is newer than this version knows.
    """
    tables = {}
    for name, digest in sorted(header.files.items()):
        path = folder / f"{name}.parquet"
        if not path.is_file():
            raise _damaged(folder, f"{path.name} is missing")
        if hash_file(path) != digest:
            raise _damaged(folder, f"{path.name} does not hold the bytes that were written")
        tables[name] = upcast(name, header.versions[name], pl.read_parquet(path, glob=False))
    return tables


def _damaged(folder: Path, what: str) -> LedgerDamaged:
    return LedgerDamaged(
        f"commit {folder.name} in {folder.parent.name}/: {what}; 'eval-pipeline doctor' shows what rests on it, "
        "'eval-pipeline doctor --repair' sets it aside"
    )


def list_pending(paths: ProjectPaths) -> list[Path]:
    """Folders of commits that wait to be applied, by name."""
    return sorted(_folders(paths.commits / PENDING))


def list_applied(paths: ProjectPaths) -> list[Path]:
    """Folders of commits that were applied, by month and name."""
    return [commit for month in sorted(_folders(paths.commits / APPLIED)) for commit in sorted(_folders(month))]


def _folders(folder: Path) -> Iterator[Path]:
    if folder.is_dir():
        yield from (path for path in folder.iterdir() if path.is_dir() and not path.name.startswith("."))


def file_as_applied(paths: ProjectPaths, folder: Path, header: Header) -> Path:
    """Move an applied commit from `pending` to its month; a second copy of the same commit is dropped.

    Of two copies the one made earlier is kept, as its witness is the one that is shown.
    """
    place = paths.commits / APPLIED / f"{header.made_at_utc.astimezone(UTC):%Y-%m}" / folder.name
    place.parent.mkdir(parents=True, exist_ok=True)
    if place.exists():
        loser = folder if header.made_at_utc >= read_header(place).made_at_utc else place
        shutil.rmtree(loser)
    if folder.exists():
        folder.rename(place)
    sync_folder(place.parent)
    sync_folder(folder.parent)
    return place


def header_from_ledger(row: Mapping[str, Any], tables: Mapping[str, pl.DataFrame]) -> Header:
    """Header of a commit from its row in `record.commit` and its rows in the tables."""
    return Header(
        commit_id=row["commit_id"],
        asset=row["asset"],
        partition=row["partition"],
        inputs=tuple(json.loads(row["inputs"])),
        code_version=row["code_version"],
        dagster_run_id=row["dagster_run_id"],
        made_at_utc=row["made_at_utc"],
        n_rows={name: frame.height for name, frame in tables.items()},
        n_conflicts=row["n_conflicts"],
        versions={name: TABLES[name].version for name in tables},
        files={},
    )


def set_aside(paths: ProjectPaths, folder: Path) -> Path:
    """Move a commit that cannot be read out of the way, under a name that is free; nothing is deleted."""
    place, number = paths.commits / SET_ASIDE / folder.name, 1
    while place.exists():
        number += 1
        place = place.with_name(f"{folder.name}-{number}")
    place.parent.mkdir(parents=True, exist_ok=True)
    folder.rename(place)
    return place
