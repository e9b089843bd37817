"""One number beside the commits: how many of them the file had, by which a session sees at once that it lost some.

It is written after a commit is in the file and before its folder moves to `applied`. A kill in between leaves the
commit pending, so no order of faults lets the number, the file and the folders agree while rows are missing.
"""

import json
from contextlib import suppress

import duckdb

from eval_pipeline.foundation.files import write_atomically
from eval_pipeline.foundation.settings import ProjectPaths

_TALLY = "tally.json"


def count_commits(con: duckdb.DuckDBPyConnection) -> int:
    """Commits that the file knows."""
    row = con.execute('SELECT count(*) FROM record."commit"').fetchone()
    return int(row[0]) if row else 0


def read_tally(paths: ProjectPaths) -> int:
    """Number of commits that the file had after the last one was applied; 0 before the first, -1 when unreadable."""
    path = paths.commits / _TALLY
    if not path.exists():
        return 0
    with suppress(ValueError, KeyError, TypeError):
        return int(json.loads(path.read_text(encoding="utf-8"))["n_commits"])
    return -1


def write_tally(con: duckdb.DuckDBPyConnection, paths: ProjectPaths) -> None:
    """Note how many commits the file has, unless that is what stands there."""
    n_commits = count_commits(con)
    if read_tally(paths) != n_commits:
        write_atomically(paths.commits / _TALLY, f'{{"n_commits":{n_commits}}}\n'.encode())
