"""What one may do with an open ledger: ask a named query, read a table, record what a stage made."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

import duckdb
import polars as pl

from eval_pipeline.foundation.errors import LineageError, UnknownName
from eval_pipeline.foundation.frames import Table
from eval_pipeline.foundation.outputs import StageOutput
from eval_pipeline.foundation.settings import ProjectPaths
from eval_pipeline.foundation.tables import TABLES
from eval_pipeline.ledger import commits
from eval_pipeline.ledger.applying import finish_commit
from eval_pipeline.ledger.query_files import load_query
from eval_pipeline.ledger.spelling import WITNESSES, quote, quote_table

_OFFERED = "offered_rows"

DAMAGE = (duckdb.IOException, duckdb.InternalException, duckdb.FatalException, duckdb.SerializationException)
"""What DuckDB raises when the file itself cannot be read."""


@dataclass(frozen=True, kw_only=True)
class RecordedCommit:
    """What came of recording an output.

    Attributes:
        commit_id: the commit, or None where no row was new and nothing was written.
        n_rows: rows that were offered.
        n_new_rows: rows that the ledger did not hold and that were written.
        n_conflicts: offered rows whose key the ledger holds with other content; the held row stays.
        tables: new rows by table, without tables that got none.
        conflicts: conflicting rows by table, without tables that have none.
    """

    commit_id: str | None
    n_rows: int
    n_new_rows: int
    n_conflicts: int
    tables: Mapping[str, int]
    conflicts: Mapping[str, int]


class Session:
    """An open ledger, under its lock; made by `connection.session` and good until that block ends.

    Attributes:
        paths: the project folder.
        mended: commits that the file had lost and that were applied again when it was opened.
        completed: commits that waited and were applied when it was opened.
    """

    def __init__(
        self,
        con: duckdb.DuckDBPyConnection,
        paths: ProjectPaths,
        *,
        mended: tuple[str, ...] = (),
        completed: tuple[str, ...] = (),
    ) -> None:
        self._con = con
        self.paths = paths
        self.mended = mended
        self.completed = completed

    def read(
        self,
        name: str,
        *,
        params: Mapping[str, object] | None = None,
        frames: Mapping[str, pl.DataFrame] | None = None,
    ) -> pl.DataFrame:
        """Run `queries/<name>.sql`.

        Args:
            name: `stage/name`.
            params: values bound as `$name`.
            frames: frames that the query reads as tables, by name.

        Returns:
            Rows as the query orders them; integers are Int64, times are UTC.

        Raises:
            UnknownName: there is no such query.
            LineageError: the query fails; names it.
        """
        query, offered = load_query(name), dict(frames or {})
        for frame_name, frame in offered.items():
            self._con.register(frame_name, frame)
        try:
            return _plain(self._con.execute(query, dict(params or {})).pl())
        except DAMAGE:
            raise
        except duckdb.Error as error:
            message = f"query {name} failed: {error}"
            raise LineageError(message) from error
        finally:
            for frame_name in offered:
                self._con.unregister(frame_name)

    def table(self, name: str) -> pl.DataFrame:
        """All rows of a table, with the columns of its schema, sorted by key.

        Raises:
            UnknownName: there is no such table.
        """
        if name not in TABLES:
            message = f"no table {name!r} in the ledger; known: {', '.join(TABLES)}"
            raise UnknownName(message, name=name)
        return read_table(self._con, TABLES[name])

    def find(self, table: str, column: str, values: Sequence[str]) -> pl.DataFrame:
        """Rows whose column holds one of the values (`foundation.lineage.LineageReader`), sorted by key.

        Returns:
            Columns of the table and `commit_id`; no rows for no values.

        Raises:
            UnknownName: there is no such table or column.
        """
        known = TABLES.get(table)
        if known is None or column not in known.schema:
            message = f"no column {column!r} of a table {table!r} in the ledger"
            raise UnknownName(message, name=f"{table}.{column}")
        names = ", ".join(map(quote, [*known.schema, "commit_id"]))
        query = (
            f"SELECT {names} FROM {quote_table(table)} "  # noqa: S608  # names of our own schema, checked above
            f"WHERE {quote(column)} IN (SELECT unnest($values::VARCHAR[])) ORDER BY {', '.join(map(quote, known.key))}"
        )
        return self._con.execute(query, {"values": list(values)}).pl()

    def find_commits(self, commit_ids: Sequence[str]) -> pl.DataFrame:
        """Commits by id, sorted by id: commit_id, asset, partition, code_version, dagster_run_id, made_at_utc."""
        query = (
            'SELECT commit_id, asset, "partition", code_version, dagster_run_id, made_at_utc FROM record."commit" '
            "WHERE commit_id IN (SELECT unnest($values::VARCHAR[])) ORDER BY commit_id"
        )
        return self._con.execute(query, {"values": list(commit_ids)}).pl()

    def record(
        self,
        *,
        output: StageOutput,
        asset: str,
        partition: str | None,
        code_version: str,
        dagster_run_id: str | None,
        made_at: datetime,
    ) -> RecordedCommit:
        """Write the rows that are new as one commit and apply it; write nothing where none is new.

        Args:
            output: tables of a stage, each valid under its schema.
            asset: what made it.
            partition: partition, or None.
            code_version: version of the algorithm.
            dagster_run_id: run, or None outside Dagster.
            made_at: time with a zone; shown beside the rows, no part of any id.

        Raises:
            LineageError: a frame breaks its schema, a table is unknown or the time has no zone; nothing is written.
        """
        if made_at.tzinfo is None:
            message = f"{asset}: the time of a commit needs a zone, found {made_at.isoformat()}"
            raise LineageError(message)
        sorted_out = {name: self._sort_out(name, frame) for name, frame in sorted(output.tables.items())}
        new = {name: fresh for name, (fresh, _) in sorted_out.items() if fresh.height}
        conflicts = {name: count for name, (_, count) in sorted_out.items() if count}
        header = commits.Header(
            commit_id=commits.commit_id_of(new, asset=asset, partition=partition, code_version=code_version),
            asset=asset,
            partition=partition,
            inputs=tuple(output.inputs),
            code_version=code_version,
            dagster_run_id=dagster_run_id,
            made_at_utc=made_at.astimezone(UTC),
            n_rows={name: frame.height for name, frame in new.items()},
            n_conflicts=sum(conflicts.values()),
            versions={name: TABLES[name].version for name in new},
            files={},
        )
        if new:
            self._commit(header, new)
        return RecordedCommit(
            commit_id=header.commit_id if new else None,
            n_rows=output.n_rows,
            n_new_rows=sum(header.n_rows.values()),
            n_conflicts=header.n_conflicts,
            tables=header.n_rows,
            conflicts=conflicts,
        )

    def _commit(self, header: commits.Header, tables: Mapping[str, pl.DataFrame]) -> None:
        folder = commits.write_commit(self.paths, header, tables)
        finish_commit(self._con, self.paths, folder, commits.read_header(folder))

    def _sort_out(self, name: str, frame: pl.DataFrame) -> tuple[pl.DataFrame, int]:
        """New rows of a checked frame, and how many of the others differ from what is held under their key."""
        table = TABLES.get(name)
        if table is None:
            message = f"{name} is no table of the ledger; add it to foundation.tables and to schema.sql"
            raise LineageError(message)
        checked = table.validate(frame)
        if not checked.height:
            return checked, 0
        self._con.register(_OFFERED, checked)
        try:
            new = _new_rows(self._con, table)
            return new, _count_conflicts(self._con, table) if new.height < checked.height else 0
        finally:
            self._con.unregister(_OFFERED)


def read_table(
    con: duckdb.DuckDBPyConnection, table: Table, *, with_witnesses: bool = False, commit_id: str | None = None
) -> pl.DataFrame:
    """All rows of a table, or those that a commit brought, sorted by key, with or without the witness columns."""
    names = ", ".join(map(quote, [*table.schema, *(WITNESSES if with_witnesses else ())]))
    order = ", ".join(map(quote, table.key))
    query = (
        f"SELECT {names} FROM {quote_table(table.name)} "  # noqa: S608  # names of our own schema
        f"WHERE $commit_id IS NULL OR commit_id = $commit_id ORDER BY {order}"
    )
    return con.execute(query, {"commit_id": commit_id}).pl()


def _new_rows(con: duckdb.DuckDBPyConnection, table: Table) -> pl.DataFrame:
    keys = ", ".join(map(quote, table.key))
    names = ", ".join(f"offered.{quote(name)}" for name in table.schema)
    query = (
        f"SELECT {names} FROM {_OFFERED} AS offered ANTI JOIN {quote_table(table.name)} AS held "  # noqa: S608  # names of our own schema
        f"USING ({keys})"
    )
    return con.execute(query).pl().sort(table.key)


def _count_conflicts(con: duckdb.DuckDBPyConnection, table: Table) -> int:
    keys = ", ".join(map(quote, table.key))
    columns = [quote(name) for name in commits.equality_columns(table)]
    differs = " OR ".join(f"offered.{name} IS DISTINCT FROM held.{name}" for name in columns)
    query = (
        f"SELECT count(*) FROM {_OFFERED} AS offered JOIN {quote_table(table.name)} AS held "  # noqa: S608  # names of our own schema
        f"USING ({keys}) WHERE {differs}"
    )
    row = con.execute(query).fetchone()
    return int(row[0]) if row else 0


def _plain(frame: pl.DataFrame) -> pl.DataFrame:
    """Sums and counts come as 128-bit numbers or 32-bit ones; everybody here expects Int64."""
    wide = [
        name
        for name, dtype in frame.schema.items()
        if (dtype.is_integer() and dtype != pl.Int64) or (isinstance(dtype, pl.Decimal) and dtype.scale == 0)
    ]
    return frame.with_columns(pl.col(wide).cast(pl.Int64)) if wide else frame
