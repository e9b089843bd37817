"""Builders for ledger tests: a project folder, outputs of two small tables, a writer of commits."""

import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

import polars as pl
import pytest

from eval_pipeline.foundation.outputs import StageOutput
from eval_pipeline.foundation.settings import ProjectPaths
from eval_pipeline.foundation.tables import TABLES
from eval_pipeline.ledger import commits
from eval_pipeline.ledger.connection import session
from eval_pipeline.ledger.sessions import RecordedCommit, Session

START = datetime(2026, 1, 30, 2, 0, tzinfo=UTC)

Texts = Mapping[str, str]


@pytest.fixture(scope="session")
def fresh_ledger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ledger without rows; copied, as making one takes longer than most tests."""
    made = ProjectPaths(home=tmp_path_factory.mktemp("fresh"))
    with session(made):
        pass
    return made.ledger


@pytest.fixture
def paths(tmp_path: Path, fresh_ledger: Path) -> ProjectPaths:
    """A project folder with an empty ledger."""
    made = ProjectPaths(home=tmp_path)
    shutil.copyfile(fresh_ledger, made.ledger)
    return made


@pytest.fixture(scope="session")
def text_output() -> Callable[[Texts], StageOutput]:
    """Output with rows of corpus.layer_text from `{hash: text}`."""

    def build(texts: Texts) -> StageOutput:
        rows = [{"text_hash": key, "text": value} for key, value in texts.items()]
        return StageOutput(tables={"corpus.layer_text": TABLES["corpus.layer_text"].frame(rows)}, inputs=("input_1",))

    return build


@pytest.fixture(scope="session")
def record_texts(text_output: Callable[[Texts], StageOutput]) -> Callable[..., RecordedCommit]:
    """Record rows of corpus.layer_text in an open session."""

    def record(open_session: Session, texts: Texts, *, hour: int = 0, code_version: str = "1") -> RecordedCommit:
        return open_session.record(
            output=text_output(texts),
            asset="page_text",
            partition="00",
            code_version=code_version,
            dagster_run_id=f"run-{hour}",
            made_at=START + timedelta(hours=hour),
        )

    return record


@pytest.fixture(scope="session")
def write_pending(text_output: Callable[[Texts], StageOutput]) -> Callable[..., str]:
    """Write a commit as a worker elsewhere would: into `pending`, without a ledger; returns its id."""

    def write(
        paths: ProjectPaths, texts: Texts, *, hour: int = 0, tables: Mapping[str, pl.DataFrame] | None = None
    ) -> str:
        frames = dict(tables or text_output(texts).tables)
        commit_id = commits.commit_id_of(frames, asset="worker", partition=None, code_version="1")
        header = commits.Header(
            commit_id=commit_id,
            asset="worker",
            partition=None,
            inputs=("input_1",),
            code_version="1",
            dagster_run_id=f"run-{hour}",
            made_at_utc=START + timedelta(hours=hour),
            n_rows={name: frame.height for name, frame in frames.items()},
            n_conflicts=0,
            versions={name: TABLES[name].version for name in frames},
            files={},
        )
        commits.write_commit(paths, header, frames)
        return commit_id

    return write


@pytest.fixture(scope="session")
def read_texts() -> Callable[[ProjectPaths], dict[str, str]]:
    """Texts by hash, as a new session shows them."""

    def read(paths: ProjectPaths) -> dict[str, str]:
        with session(paths, wait_s=30) as opened:
            return dict(opened.table("corpus.layer_text").iter_rows())

    return read


RECORD_AND_DIE = """
import os, signal, sys
from datetime import UTC, datetime
from pathlib import Path
from eval_pipeline.foundation.outputs import StageOutput
from eval_pipeline.foundation.settings import ProjectPaths
from eval_pipeline.foundation.tables import TABLES
from eval_pipeline.ledger import applying, commits
from eval_pipeline.ledger.connection import session

def die(*args, **kwargs):
    os.kill(os.getpid(), signal.SIGKILL)

home, place, n_before = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
def record(opened, number):
    rows = [{"text_hash": f"{number}-{row}", "text": "words " * 20} for row in range(50)]
    output = StageOutput(tables={"corpus.layer_text": TABLES["corpus.layer_text"].frame(rows)})
    opened.record(output=output, asset="page_text", partition="00", code_version="1", dagster_run_id=None,
                  made_at=datetime(2026, 1, 30, 2, number, tzinfo=UTC))

with session(ProjectPaths(home=home)) as opened:
    for number in range(n_before):
        record(opened, number)
    match place:
        case "before apply": applying.apply_commit = die
        case "before the tally": applying.write_tally = die
        case "inside the transaction": applying._note_commit = die
        case "before the move": commits.file_as_applied = die
        case "before close": die()
    record(opened, n_before)
"""


@pytest.fixture(scope="session")
def record_and_die() -> Callable[..., None]:
    """Another process records commits of 50 rows each and is killed (SIGKILL) at a named place of the last one."""

    def run(paths: ProjectPaths, place: str, *, n_before: int = 1) -> None:
        arguments = [sys.executable, "-c", RECORD_AND_DIE, str(paths.home), place, str(n_before)]
        finished = subprocess.run(arguments, check=False, capture_output=True, text=True, timeout=60)
        assert finished.returncode == -9, finished.stderr

    return run


@pytest.fixture(scope="session")
def crashed_once(tmp_path_factory: pytest.TempPathFactory, record_and_die: Callable[..., None]) -> Path:
    """A project folder as a process left it that was killed after six commits of 50 rows: the log is not replayed."""
    made = ProjectPaths(home=tmp_path_factory.mktemp("crashed"))
    record_and_die(made, "before close", n_before=6)
    return made.home


@pytest.fixture
def crashed(crashed_once: Path, tmp_path: Path) -> ProjectPaths:
    """A copy of such a folder."""
    return ProjectPaths(home=Path(shutil.copytree(crashed_once, tmp_path / "crashed")))
