"""Projects to try things on: copies of the one that was run once, and what a project holds as plain facts."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import eval_pipeline
from eval_pipeline.foundation.frames import UTC_TIME, Table
from eval_pipeline.foundation.ids import hash_file
from eval_pipeline.foundation.settings import ProjectPaths
from eval_pipeline.foundation.tables import TABLES
from eval_pipeline.ledger import commits
from eval_pipeline.ledger.connection import session

MEASURED = {"elapsed_s"}
ROOT = Path(eval_pipeline.__file__).parents[1]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Everything here is the road; its slow part runs where it is asked for: `pytest -m slow`."""
    skip = pytest.mark.skip(reason="takes minutes; run it with: pytest -m slow")
    for item in items:
        if Path(__file__).parent not in item.path.parents:
            continue
        item.add_marker("road")
        if item.get_closest_marker("slow") and "slow" not in config.getoption("markexpr"):
            item.add_marker(skip)


@pytest.fixture(autouse=True)
def _undo_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """A run points Dagster at its project; the next test shall not see it."""
    monkeypatch.setenv("DAGSTER_HOME", "")
    monkeypatch.setenv("EVAL_PIPELINE_HOME", "")


@pytest.fixture(scope="session")
def rows_of() -> Callable[[ProjectPaths], dict[str, list[tuple[object, ...]]]]:
    """Rows of every table of a ledger, sorted by key, without times and what only one making can know."""

    def columns(table: Table) -> list[str]:
        return [column.name for column in table.columns if column.dtype != UTC_TIME and column.name not in MEASURED]

    def read(paths: ProjectPaths) -> dict[str, list[tuple[object, ...]]]:
        with session(paths) as ledger:
            return {
                name: ledger.table(name).sort(table.key).select(columns(table)).rows() for name, table in TABLES.items()
            }

    return read


@pytest.fixture(scope="session")
def commits_of() -> Callable[[ProjectPaths], dict[str, tuple[str, str | None]]]:
    """Commits of a project: id to asset and partition."""

    def read(paths: ProjectPaths) -> dict[str, tuple[str, str | None]]:
        assert commits.list_pending(paths) == []
        headers = [commits.read_header(folder) for folder in commits.list_applied(paths)]
        return {header.commit_id: (header.asset, header.partition) for header in headers}

    return read


@pytest.fixture(scope="session")
def files_of() -> Callable[[ProjectPaths], dict[str, str]]:
    """Hash of every file under `corpus/` and `derived/`, the report among them."""

    def read(paths: ProjectPaths) -> dict[str, str]:
        files = [path for name in ("corpus", "derived") for path in (paths.home / name).rglob("*") if path.is_file()]
        return {path.relative_to(paths.home).as_posix(): hash_file(path) for path in sorted(files)}

    return read


@pytest.fixture(scope="session")
def start_python() -> Callable[..., subprocess.Popen[str]]:
    """Start this checkout in a process of its own."""

    def start(*arguments: str, **environment: str) -> subprocess.Popen[str]:
        known = {
            name: value for name, value in os.environ.items() if name not in ("DAGSTER_HOME", "EVAL_PIPELINE_HOME")
        }
        return subprocess.Popen(
            [sys.executable, "-W", "ignore", *arguments],
            env={**known, "PYTHONPATH": str(ROOT), **environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    return start
