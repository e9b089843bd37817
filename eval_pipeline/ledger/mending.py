"""Find out whether the file lost commits that had been applied, and apply them again.

The folder `applied` and the table `record.commit` say the same thing. Comparing them whole takes longer with every
night, so a session compares one number, and the whole only when that differs or a process was killed.
"""

from pathlib import Path

import duckdb

from eval_pipeline.foundation.settings import ProjectPaths
from eval_pipeline.ledger import commits
from eval_pipeline.ledger.applying import apply_commit
from eval_pipeline.ledger.tally import count_commits, read_tally, write_tally


def mend_losses(con: duckdb.DuckDBPyConnection, paths: ProjectPaths, *, is_suspect: bool) -> list[str]:
    """Apply again what the file lost; ids of the commits, empty where nothing was lost.

    Args:
        con: open ledger.
        paths: project folder.
        is_suspect: True compares every commit, whatever the tally says.

    Raises:
        LedgerDamaged: a lost commit cannot be read.
    """
    if not is_suspect and read_tally(paths) == count_commits(con):
        return []
    lost = lost_commits(con, paths)
    for folder in lost:
        apply_commit(con, folder, commits.read_header(folder))
    write_tally(con, paths)
    return [folder.name for folder in lost]


def lost_commits(con: duckdb.DuckDBPyConnection, paths: ProjectPaths) -> list[Path]:
    """Folders of applied commits that the file does not know."""
    known = {row[0] for row in con.execute('SELECT commit_id FROM record."commit"').fetchall()}
    return [folder for folder in commits.list_applied(paths) if folder.name not in known]
