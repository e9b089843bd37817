"""Build the ledger anew from its commits, and tell whether two ledgers say the same."""

from dataclasses import dataclass
from pathlib import Path

import duckdb
import polars as pl

from eval_pipeline.foundation.settings import ProjectPaths
from eval_pipeline.foundation.tables import TABLES
from eval_pipeline.ledger import commits
from eval_pipeline.ledger.applying import apply_commit
from eval_pipeline.ledger.locking import DEFAULT_WAIT_S, hold_lock
from eval_pipeline.ledger.opening import connect, free_name, log_of, open_ledger
from eval_pipeline.ledger.sessions import read_table
from eval_pipeline.ledger.tally import write_tally

_OWN_QUERIES = {
    "record.commit": 'SELECT commit_id, asset, "partition", code_version, tables FROM record."commit" ORDER BY 1',
    "record.repeated_row": "SELECT * FROM record.repeated_row ORDER BY ALL",
}
_WITNESSED_COMMITS = 'SELECT * FROM record."commit" ORDER BY commit_id'


@dataclass(frozen=True, kw_only=True)
class Rebuilt:
    """What a rebuild did.

    Attributes:
        n_commits: commits that the new file holds.
        backup: the old file, beside the new one; None where there was none.
    """

    n_commits: int
    backup: Path | None


def rebuild(paths: ProjectPaths, *, wait_s: float = DEFAULT_WAIT_S) -> Rebuilt:
    """Build a new file from every commit, applied or pending, and rename it into place; the old file is kept.

    Raises:
        LedgerBusy: another process held the ledger longer than `wait_s`.
        LedgerDamaged: a commit cannot be read; the old file stays in place.
    """
    with hold_lock(paths.lock, wait_s=wait_s):
        new = paths.ledger.with_name(f"{paths.ledger.name}.rebuilding")
        for leftover in (new, log_of(new)):
            leftover.unlink(missing_ok=True)
        n_commits = _fill(new, paths)
        backup = _put_in_place(new, paths.ledger)
        for folder in commits.list_pending(paths):
            commits.file_as_applied(paths, folder, commits.read_header(folder))
    return Rebuilt(n_commits=n_commits, backup=backup)


def _fill(new: Path, paths: ProjectPaths) -> int:
    folders = [*commits.list_applied(paths), *commits.list_pending(paths)]
    read = sorted(
        ((commits.read_header(folder), folder) for folder in folders),
        key=lambda pair: (pair[0].made_at_utc, pair[0].commit_id),
    )
    con = open_ledger(new).con
    try:
        for header, folder in read:
            apply_commit(con, folder, header)
        con.execute("CHECKPOINT")
        paths.commits.mkdir(parents=True, exist_ok=True)
        write_tally(con, paths)
    finally:
        con.close()
    return len({header.commit_id for header, _ in read})


def _put_in_place(new: Path, ledger: Path) -> Path | None:
    """A log must never lie beside a file that it does not belong to, so it moves first."""
    if log_of(ledger).exists():
        log_of(ledger).rename(free_name(log_of(ledger), "before"))
    backup = None
    if ledger.exists():
        backup = free_name(ledger, "before")
        backup.hardlink_to(ledger)
    new.replace(ledger)
    commits.sync_folder(ledger.parent)
    return backup


def compare(left: Path, right: Path, *, with_witnesses: bool = True) -> list[str]:
    """Differences between two ledger files, one line per table; empty where they say the same.

    Args:
        left: a ledger that nobody writes to meanwhile.
        right: another one.
        with_witnesses: False leaves out which commit is shown and when it was made.
    """
    here, there = connect(left, read_only=True), connect(right, read_only=True)
    try:
        pairs = {
            name: (
                read_table(here, table, with_witnesses=with_witnesses),
                read_table(there, table, with_witnesses=with_witnesses),
            )
            for name, table in TABLES.items()
        }
        queries = _OWN_QUERIES | ({"record.commit": _WITNESSED_COMMITS} if with_witnesses else {})
        pairs |= {name: (here.execute(query).pl(), there.execute(query).pl()) for name, query in queries.items()}
    finally:
        here.close()
        there.close()
    return [line for name, (mine, theirs) in pairs.items() if (line := _difference(name, mine, theirs))]


def _difference(name: str, mine: pl.DataFrame, theirs: pl.DataFrame) -> str | None:
    if mine.equals(theirs):
        return None
    if mine.height != theirs.height:
        return f"{name}: {mine.height} rows here, {theirs.height} there"
    same = [mine.row(place) == theirs.row(place) for place in range(mine.height)]
    return f"{name}: {same.count(False)} rows differ, first: {mine.row(same.index(False), named=True)}"


def rewrite_commit(con: duckdb.DuckDBPyConnection, paths: ProjectPaths, commit_id: str) -> Path | None:
    """Write a commit again from the rows that the ledger holds of it, where the hash of its content proves them whole.

    Args:
        con: open ledger.
        paths: project folder; the damaged folder was moved away before.
        commit_id: the commit.

    Returns:
        Its new folder, or None where the ledger does not hold all of its rows as they were.
    """
    noted = con.execute('SELECT * FROM record."commit" WHERE commit_id = $id', {"id": commit_id}).pl()
    if not noted.height:
        return None
    row = noted.row(0, named=True)
    held = {name: read_table(con, table, commit_id=commit_id) for name, table in TABLES.items()}
    tables = {name: frame for name, frame in held.items() if frame.height}
    asset, partition, code_version = row["asset"], row["partition"], row["code_version"]
    if commits.commit_id_of(tables, asset=asset, partition=partition, code_version=code_version) != commit_id:
        return None
    header = commits.header_from_ledger(row, tables)
    return commits.file_as_applied(paths, commits.write_commit(paths, header, tables), header)
