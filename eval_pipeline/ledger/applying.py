"""Apply commits to the file: one transaction each, the same ledger in any order, no change the second time."""

from collections.abc import Mapping
from pathlib import Path

import duckdb
import polars as pl

from eval_pipeline.foundation.errors import LedgerDamaged
from eval_pipeline.foundation.frames import UTC_TIME, Table
from eval_pipeline.foundation.ids import canonical_json, hash_text
from eval_pipeline.foundation.settings import ProjectPaths
from eval_pipeline.foundation.tables import TABLES
from eval_pipeline.ledger import commits
from eval_pipeline.ledger.commits import Header
from eval_pipeline.ledger.spelling import WITNESSES, quote, quote_table
from eval_pipeline.ledger.tally import write_tally

_INCOMING, _NOTED = "incoming_rows", "noted_rows"


def apply_pending(con: duckdb.DuckDBPyConnection, paths: ProjectPaths) -> list[str]:
    """Apply every pending commit and move it to `applied`; ids of the commits, oldest first.

    Raises:
        LedgerDamaged: a commit cannot be read or breaks a rule of the schema; those before it stay applied.
        LedgerVersion: a commit is newer than this version.
    """
    waiting = [(commits.read_header(folder), folder) for folder in commits.list_pending(paths)]
    waiting.sort(key=lambda pair: (pair[0].made_at_utc, pair[0].commit_id))
    for header, folder in waiting:
        finish_commit(con, paths, folder, header)
    return [header.commit_id for header, _ in waiting]


def finish_commit(con: duckdb.DuckDBPyConnection, paths: ProjectPaths, folder: Path, header: Header) -> None:
    """Apply a pending commit, count it and move it to `applied`; any step may be repeated after a kill.

    Raises:
        LedgerDamaged: see `apply_commit`.
    """
    apply_commit(con, folder, header)
    write_tally(con, paths)
    commits.file_as_applied(paths, folder, header)


def apply_commit(con: duckdb.DuckDBPyConnection, folder: Path, header: Header) -> bool:
    """Apply one commit in one transaction; False when the ledger had it already.

    Under a key that several commits bring, the row of the earliest (made_at_utc, commit_id) is shown, entirely.

    Raises:
        LedgerDamaged: see `commits.read_tables`; or a row breaks a rule of the schema.
    """
    if has_commit(con, header):
        return False
    tables = commits.read_tables(folder, header)
    con.execute("BEGIN TRANSACTION")
    try:
        for name, frame in tables.items():
            _apply_table(con, TABLES[name], frame, header)
        _note_commit(con, header)
        con.execute("COMMIT")
    except duckdb.Error as error:
        con.execute("ROLLBACK")
        message = f"commit {header.commit_id} of {header.asset} cannot be applied: {error}"
        raise LedgerDamaged(message) from error
    except BaseException:
        con.execute("ROLLBACK")
        raise
    return True


def has_commit(con: duckdb.DuckDBPyConnection, header: Header) -> bool:
    """Whether this commit was applied, from this copy or one that was made earlier."""
    found = con.execute(
        'SELECT count(*) FROM record."commit" WHERE commit_id = $commit_id AND made_at_utc <= $made_at',
        {"commit_id": header.commit_id, "made_at": header.made_at_utc},
    ).fetchone()
    return bool(found and found[0])


def _apply_table(con: duckdb.DuckDBPyConnection, table: Table, frame: pl.DataFrame, header: Header) -> None:
    incoming = frame.with_columns(
        made_at_utc=pl.lit(header.made_at_utc, dtype=UTC_TIME), commit_id=pl.lit(header.commit_id, dtype=pl.String)
    )
    con.register(_INCOMING, incoming)
    try:
        _note_repeated(con, table)
        con.execute(_spell_upsert(table))
    finally:
        con.unregister(_INCOMING)


def _spell_upsert(table: Table) -> str:
    columns = [*(column.name for column in table.columns), *WITNESSES]
    names = ", ".join(map(quote, columns))
    updates = ", ".join(f"{quote(name)} = excluded.{quote(name)}" for name in columns if name not in table.key)
    return (
        f"INSERT INTO {quote_table(table.name)} AS held ({names}) SELECT {names} FROM {_INCOMING} "  # noqa: S608  # names of our own schema
        f"ON CONFLICT ({', '.join(map(quote, table.key))}) DO UPDATE SET {updates} "
        "WHERE (excluded.made_at_utc, excluded.commit_id) < (held.made_at_utc, held.commit_id)"
    )


def _note_repeated(con: duckdb.DuckDBPyConnection, table: Table) -> None:
    """Note every commit behind a key that several commits bring, so that differing rows are never silent."""
    equal = commits.equality_columns(table)
    columns = ", ".join(f"{{0}}.{quote(name)}" for name in [*dict.fromkeys([*table.key, *equal]), "commit_id"])
    keys = ", ".join(map(quote, table.key))
    both = (
        f"FROM {quote_table(table.name)} AS held JOIN {_INCOMING} AS incoming USING ({keys}) "
        "WHERE held.commit_id <> incoming.commit_id"
    )
    query = f"SELECT {columns.format('held')} {both} UNION ALL SELECT {columns.format('incoming')} {both}"
    repeated = con.execute(query).pl()
    if not repeated.height:
        return
    noted = pl.DataFrame(
        {
            "table_name": [table.name] * repeated.height,
            "row_key": commits.spell_rows(repeated, table.key),
            "commit_id": repeated["commit_id"],
            "equality_hash": [hash_text(row) for row in commits.spell_rows(repeated, equal)],
        }
    )
    con.register(_NOTED, noted)
    con.execute(f"INSERT INTO record.repeated_row SELECT * FROM {_NOTED} ON CONFLICT DO NOTHING")  # noqa: S608  # a constant
    con.unregister(_NOTED)


def _note_commit(con: duckdb.DuckDBPyConnection, header: Header) -> None:
    row: Mapping[str, object] = {
        "commit_id": header.commit_id,
        "asset": header.asset,
        "partition": header.partition,
        "inputs": canonical_json(header.inputs),
        "code_version": header.code_version,
        "dagster_run_id": header.dagster_run_id,
        "made_at_utc": header.made_at_utc,
        "n_rows": sum(header.n_rows.values()),
        "n_conflicts": header.n_conflicts,
        "tables": canonical_json(header.n_rows),
    }
    names = ", ".join(map(quote, row))
    values = ", ".join(f"${name}" for name in row)
    con.execute(f'INSERT OR REPLACE INTO record."commit" ({names}) VALUES ({values})', row)  # noqa: S608  # names stand above
