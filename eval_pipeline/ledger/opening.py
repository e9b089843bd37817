"""Open the ledger's file: check versions before DuckDB touches it, keep what a crash left, make the schema."""

import shutil
from dataclasses import dataclass
from pathlib import Path

import duckdb
import polars as pl

from eval_pipeline.foundation.errors import LedgerDamaged, LedgerVersion
from eval_pipeline.foundation.ids import hash_text
from eval_pipeline.foundation.tables import TABLES
from eval_pipeline.ledger.spelling import SCHEMA_PATH, shape_of

READABLE_STORAGE = range(64, 69)  # storage versions that duckdb 1.5.6 reads
_MAGIC_AT, _VERSION_AT, _MADE_BY_AT, _HEADER_BYTES = 8, 12, 52, 84
_SETTINGS: dict[str, str | bool | int | float | list[str]] = {
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    "enable_external_access": False,
}
_WHOLE_FILE = "schema.sql"


@dataclass(frozen=True, kw_only=True)
class Opened:
    """A ledger that stands open.

    Attributes:
        con: the connection; times are UTC.
        kept_log: copy of the write-ahead log that a killed process left, or None where there was none.
        is_new: True when the file was made by this opening.
    """

    con: duckdb.DuckDBPyConnection
    kept_log: Path | None
    is_new: bool


def open_ledger(path: Path) -> Opened:
    """Open the file, or make it; the caller holds the lock.

    A write-ahead log means that a process was killed. It is copied before DuckDB replays and removes it: DuckDB drops
    the part behind a cut without a word, and only the comparison with the commits shows whether something was lost.

    Raises:
        LedgerVersion: the file is of another version of DuckDB or of our schema; it is left untouched.
        LedgerDamaged: the file cannot be opened.
    """
    check_storage(path)
    is_new, kept_log = not path.exists(), _keep_log(path)
    try:
        con = connect(path)
    except duckdb.Error as error:
        con = _connect_without_log(path, error)
    try:
        _prepare_schema(con, path)
    except duckdb.Error as error:
        con.close()
        raise damaged(path, error) from error
    except BaseException:
        con.close()
        raise
    return Opened(con=con, kept_log=kept_log, is_new=is_new)


def connect(path: Path, *, read_only: bool = False) -> duckdb.DuckDBPyConnection:
    """Connect without extensions, network or files beside the ledger's own; times are UTC."""
    con = duckdb.connect(str(path), read_only=read_only, config=_SETTINGS)
    con.execute("SET TimeZone = 'UTC'")
    return con


def check_storage(path: Path) -> None:
    """Read the file's header and refuse what this DuckDB cannot read, before anything can change it.

    Raises:
        LedgerVersion: names file, both versions and the way out.
        LedgerDamaged: the file is not a DuckDB file.
    """
    if not path.exists():
        return
    with path.open("rb") as file:
        header = file.read(_HEADER_BYTES)
    if len(header) < _HEADER_BYTES or header[_MAGIC_AT:_VERSION_AT] != b"DUCK":
        raise damaged(path, "it is not a DuckDB file")
    version = int.from_bytes(header[_VERSION_AT : _VERSION_AT + 8], "little")
    if version in READABLE_STORAGE:
        return
    made_by = header[_MADE_BY_AT:].rstrip(b"\0").decode("ascii", "replace")
    by = f" by DuckDB {made_by}" if made_by else ""
    message = (
        f"{path} was written{by} with storage version {version}; DuckDB {duckdb.__version__} reads versions "
        f"{READABLE_STORAGE.start} to {READABLE_STORAGE.stop - 1}. The file was not changed. Install the DuckDB that "
        "wrote it and use EXPORT DATABASE and IMPORT DATABASE, or let 'eval-pipeline doctor --repair' build a new "
        "ledger from derived/commits and keep this file beside it"
    )
    raise LedgerVersion(message)


def log_of(path: Path) -> Path:
    """Path of DuckDB's write-ahead log of a ledger."""
    return path.with_name(f"{path.name}.wal")


def free_name(path: Path, word: str) -> Path:
    """First name `<file>.<word>-<number>` that is not taken."""
    number = 1
    while (candidate := path.with_name(f"{path.name}.{word}-{number}")).exists():
        number += 1
    return candidate


def _keep_log(path: Path) -> Path | None:
    log = log_of(path)
    if not log.exists() or not log.stat().st_size:
        return None
    kept = free_name(log, "aside")
    shutil.copy2(log, kept)
    return kept


def _connect_without_log(path: Path, error: duckdb.Error) -> duckdb.DuckDBPyConnection:
    """A log that cannot be replayed is set aside (its copy was made before); the commits make up for it."""
    log = log_of(path)
    if not log.exists():
        raise damaged(path, error) from error
    log.rename(free_name(log, "unreadable"))
    try:
        return connect(path)
    except duckdb.Error as again:
        raise damaged(path, again) from again


def damaged(path: Path, cause: object) -> LedgerDamaged:
    """The error that tells the way out of a file that cannot be read."""
    return LedgerDamaged(
        f"{path} cannot be read ({cause}); 'eval-pipeline doctor --repair' builds a new ledger from derived/commits "
        "and keeps this file beside it"
    )


def _prepare_schema(con: duckdb.DuckDBPyConnection, path: Path) -> None:
    schema = SCHEMA_PATH.read_text(encoding="utf-8")
    shape, held = hash_text(schema), read_versions(con)
    if held.get(_WHOLE_FILE) == (0, shape):
        return
    refuse_other_versions(con, path)
    con.execute("BEGIN TRANSACTION")
    con.execute(schema)
    rows = [(name, table.version, shape_of(table)) for name, table in TABLES.items()]
    con.register(
        "spelled", pl.DataFrame([*rows, (_WHOLE_FILE, 0, shape)], ["table_name", "version", "shape"], orient="row")
    )
    con.execute("INSERT OR REPLACE INTO record.schema_version SELECT * FROM spelled")
    con.unregister("spelled")
    con.execute("COMMIT")


def read_versions(con: duckdb.DuckDBPyConnection) -> dict[str, tuple[int, str]]:
    """Version and shape by table, as the file has them; empty for a file without our schema."""
    known = con.execute(
        "SELECT count(*) FROM duckdb_tables() WHERE schema_name = 'record' AND table_name = 'schema_version'"
    ).fetchone()
    if not known or not known[0]:
        return {}
    rows = con.execute("SELECT table_name, version, shape FROM record.schema_version").fetchall()
    return {name: (version, shape) for name, version, shape in rows}


def refuse_other_versions(con: duckdb.DuckDBPyConnection, path: Path) -> None:
    """Refuse a file whose tables are not those of today.

    Raises:
        LedgerVersion: names file, table, both versions and the way out.
    """
    for name, (version, shape) in sorted(read_versions(con).items()):
        table = TABLES.get(name)
        if name == _WHOLE_FILE or (table and (version, shape) == (table.version, shape_of(table))):
            continue
        known = f"version {table.version}" if table else "no such table"
        message = (
            f"{path}: table {name} has version {version} ({shape}), this version of eval-pipeline has {known}"
            f"{f' ({shape_of(table)})' if table else ''}. The file was not changed. "
            "'eval-pipeline doctor --repair' builds a new ledger from derived/commits and keeps this file beside it"
        )
        raise LedgerVersion(message)
