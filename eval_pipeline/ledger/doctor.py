"""Say what is wrong with a ledger and its record, and mend what is safe to mend."""

import shutil
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import duckdb

from eval_pipeline.foundation.errors import LedgerDamaged, LedgerVersion, LineageError
from eval_pipeline.foundation.settings import ProjectPaths
from eval_pipeline.foundation.tables import TABLES
from eval_pipeline.ledger import commits
from eval_pipeline.ledger.connection import session
from eval_pipeline.ledger.locking import DEFAULT_WAIT_S, hold_lock
from eval_pipeline.ledger.mending import lost_commits
from eval_pipeline.ledger.opening import check_storage, connect, refuse_other_versions
from eval_pipeline.ledger.rebuilding import rebuild, rewrite_commit
from eval_pipeline.ledger.spelling import quote_table

UNFINISHED_AFTER_S = 24 * 3600.0  # a worker elsewhere may still be writing a younger one
_REBUILT = ("ledger missing", "ledger version", "ledger damaged", "commit lost", "row lost", "row without commit")


@dataclass(frozen=True, kw_only=True)
class Finding:
    """One thing that is wrong.

    Attributes:
        kind: the same words for the same fault.
        place: file, folder, table or commit, relative to the project folder where it is a path.
        message: what was expected and what was found.
        next_step: what to do about it.
        is_repairable: True when `repair` mends it.
    """

    kind: str
    place: str
    message: str
    next_step: str
    is_repairable: bool


def examine(paths: ProjectPaths, *, wait_s: float = DEFAULT_WAIT_S) -> list[Finding]:
    """Everything that is wrong with the ledger, its commits and the files they name; changes nothing.

    Raises:
        LedgerBusy: another process held the ledger longer than `wait_s`.
    """
    with hold_lock(paths.lock, wait_s=wait_s):
        return [*_examine_commits(paths), *_examine_leftovers(paths), *_examine_ledger(paths)]


def _examine_commits(paths: ProjectPaths) -> Iterator[Finding]:
    pending = commits.list_pending(paths)
    for folder in [*pending, *commits.list_applied(paths)]:
        try:
            commits.read_tables(folder, commits.read_header(folder))
        except LedgerVersion as error:
            yield _found("commit version", folder.name, str(error), "upgrade eval-pipeline", is_repairable=False)
        except LineageError as error:
            step = "repair writes it again where the ledger holds its rows, else sets it aside"
            yield _found("commit damaged", folder.name, str(error), step)
    for folder in pending:
        yield _found("commit waits", folder.name, "it was written but not applied", "any session applies it")


def _examine_leftovers(paths: ProjectPaths) -> Iterator[Finding]:
    for folder in _unfinished(paths):
        yield _found("commit unfinished", folder.name, "a process was killed while it wrote this", "repair removes it")
    for log in sorted(paths.home.glob(f"{paths.ledger.name}.wal.*")):
        message = "a damaged log was set aside; what it held was applied again from the commits"
        yield _found("log set aside", log.name, message, "delete it when you no longer need it", is_repairable=False)


def _unfinished(paths: ProjectPaths) -> list[Path]:
    folder, limit = paths.commits / commits.WRITING, time.time() - UNFINISHED_AFTER_S
    return sorted(path for path in folder.glob("*") if path.stat().st_mtime < limit)


def _examine_ledger(paths: ProjectPaths) -> Iterator[Finding]:
    if not paths.ledger.exists():
        if commits.list_applied(paths):
            yield _found("ledger missing", paths.ledger.name, "there are commits, but no ledger", "repair rebuilds it")
        return
    try:
        check_storage(paths.ledger)
        con = connect(paths.ledger, read_only=True)
    except LedgerVersion as error:
        yield _found("ledger version", paths.ledger.name, str(error), "repair rebuilds it from the commits")
        return
    except (LedgerDamaged, duckdb.Error) as error:
        yield _found("ledger damaged", paths.ledger.name, str(error), "repair rebuilds it from the commits")
        return
    try:
        yield from _examine_open(con, paths)
    finally:
        con.close()


def _examine_open(con: duckdb.DuckDBPyConnection, paths: ProjectPaths) -> Iterator[Finding]:
    try:
        refuse_other_versions(con, paths.ledger)
        for look in (_lost_commits, _commits_without_folder, _rows_lost, _files_missing):
            yield from look(con, paths)
    except LedgerVersion as error:
        yield _found("ledger version", paths.ledger.name, str(error), "repair rebuilds it from the commits")
    except duckdb.Error as error:
        yield _found("ledger damaged", paths.ledger.name, str(error), "repair rebuilds it from the commits")


def _lost_commits(con: duckdb.DuckDBPyConnection, paths: ProjectPaths) -> Iterator[Finding]:
    for folder in lost_commits(con, paths):
        yield _found("commit lost", folder.name, "it was applied, but the ledger does not know it", "repair rebuilds")


def _commits_without_folder(con: duckdb.DuckDBPyConnection, paths: ProjectPaths) -> Iterator[Finding]:
    folders = {folder.name for folder in [*commits.list_applied(paths), *commits.list_pending(paths)]}
    rows = con.execute('SELECT commit_id, asset FROM record."commit" ORDER BY commit_id').fetchall()
    for commit_id, asset in rows:
        if commit_id not in folders:
            message = f"the ledger has rows of {asset} from this commit, but its folder is gone"
            yield _found("commit gone", commit_id, message, "repair writes it again where the ledger holds all of it")


def _rows_lost(con: duckdb.DuckDBPyConnection, paths: ProjectPaths) -> Iterator[Finding]:
    """Compare the rows of each table and commit with what the commit says it brought, less what others show."""
    del paths
    expected = con.execute(_EXPECTED_ROWS).fetchall()
    wanted = {(name, commit_id): int(count) for name, commit_id, count in expected if count}
    held = {(name, commit_id): count for name in TABLES for commit_id, count in _rows_by_commit(con, name)}
    for name, commit_id in sorted(wanted.keys() | held.keys()):
        n_wanted, n_held = wanted.get((name, commit_id), 0), held.get((name, commit_id), 0)
        if n_wanted != n_held:
            kind = "row lost" if n_held < n_wanted else "row without commit"
            message = f"{name}: {n_held} rows of commit {commit_id}, {n_wanted} expected"
            yield _found(kind, name, message, "repair rebuilds the ledger from the commits")


_EXPECTED_ROWS = """
WITH brought AS (
  SELECT commit_id, unnest(json_keys(tables)) AS table_name, tables FROM record."commit"
), hidden AS (
  SELECT repeated_row.table_name, repeated_row.commit_id
  FROM record.repeated_row AS repeated_row JOIN record."commit" AS made USING (commit_id)
  QUALIFY row_number() OVER (
    PARTITION BY repeated_row.table_name, repeated_row.row_key ORDER BY made.made_at_utc, made.commit_id
  ) > 1
), n_hidden AS (
  SELECT table_name, commit_id, count(*) AS n FROM hidden GROUP BY ALL
)
SELECT
  brought.table_name,
  brought.commit_id,
  CAST(json_extract(brought.tables, '$."' || brought.table_name || '"') AS BIGINT) - coalesce(n_hidden.n, 0)
FROM brought LEFT JOIN n_hidden USING (table_name, commit_id)
"""


def _rows_by_commit(con: duckdb.DuckDBPyConnection, name: str) -> list[tuple[str, int]]:
    return con.execute(f"SELECT commit_id, count(*) FROM {quote_table(name)} GROUP BY commit_id").fetchall()  # noqa: S608  # names of our own schema


def _files_missing(con: duckdb.DuckDBPyConnection, paths: ProjectPaths) -> Iterator[Finding]:
    places = {
        "picture missing": "SELECT DISTINCT picture_path FROM corpus.unit ORDER BY 1",
        "vector file missing": "SELECT path FROM embeddings.vector_file ORDER BY 1",
    }
    for kind, query in places.items():
        for (relative,) in con.execute(query).fetchall():
            if not (paths.home / relative).is_file():
                message = "the ledger names this file, but it is not there"
                step = "'eval-pipeline doctor --repair' makes it again, or says why it cannot"
                yield _found(kind, relative, message, step, is_repairable=False)


def _found(kind: str, place: str, message: str, next_step: str, *, is_repairable: bool = True) -> Finding:
    return Finding(kind=kind, place=place, message=message, next_step=next_step, is_repairable=is_repairable)


def repair(paths: ProjectPaths, *, wait_s: float = DEFAULT_WAIT_S) -> list[Finding]:
    """Mend what `examine` finds and can be mended; nothing is deleted but unfinished commits older than a day.

    Returns:
        The findings that were acted upon; `examine` tells what is left.

    Raises:
        LedgerBusy: another process held the ledger longer than `wait_s`.
        LedgerDamaged: a commit that cannot be read stands in the way and could not be set aside.
    """
    findings = examine(paths, wait_s=wait_s)
    steps: tuple[tuple[tuple[str, ...], Callable[[], object]], ...] = (
        (("commit unfinished",), lambda: _remove(_unfinished(paths))),
        (("commit damaged", "commit gone"), lambda: _renew_commits(paths, findings, wait_s)),
        (_REBUILT, lambda: rebuild(paths, wait_s=wait_s)),
        (("commit waits",), lambda: _apply_waiting(paths, wait_s)),
    )
    for kinds, act in steps:
        if any(finding.kind in kinds for finding in findings):
            act()
    return [finding for finding in findings if finding.is_repairable]


def _remove(folders: Iterable[Path]) -> None:
    for folder in folders:
        shutil.rmtree(folder)


def _apply_waiting(paths: ProjectPaths, wait_s: float) -> None:
    with session(paths, wait_s=wait_s):
        pass


def _renew_commits(paths: ProjectPaths, findings: Iterable[Finding], wait_s: float) -> None:
    """Set damaged commits aside, then write each again from the ledger where the ledger still holds all of it."""
    names = {finding.place for finding in findings if finding.kind in ("commit damaged", "commit gone")}
    with hold_lock(paths.lock, wait_s=wait_s):
        for folder in [*commits.list_applied(paths), *commits.list_pending(paths)]:
            if folder.name in names:
                commits.set_aside(paths, folder)
        if any(finding.kind in _REBUILT for finding in findings) or not paths.ledger.exists():
            return  # a ledger that is itself in doubt proves nothing
        con = connect(paths.ledger, read_only=True)
        try:
            for name in sorted(names):
                rewrite_commit(con, paths, name)
        finally:
            con.close()
