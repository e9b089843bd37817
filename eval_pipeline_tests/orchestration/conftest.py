"""Definitions as a bare code location loads them, a small project that was not run, and ledgers that were bent."""

import shutil
from collections.abc import Callable
from pathlib import Path

import dagster as dg
import pytest

from eval_pipeline.demo.project import demo_declaration
from eval_pipeline.demo.twelve import make_twelve
from eval_pipeline.foundation.settings import ProjectPaths
from eval_pipeline.ledger.locking import hold_lock
from eval_pipeline.ledger.opening import connect
from eval_pipeline.orchestration.assembly import build_definitions


@pytest.fixture(autouse=True)
def _undo_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """A run points Dagster at its project; the next test shall not see it."""
    monkeypatch.setenv("DAGSTER_HOME", "")
    monkeypatch.setenv("EVAL_PIPELINE_HOME", "")


@pytest.fixture(scope="session")
def definitions(tmp_path_factory: pytest.TempPathFactory) -> dg.Definitions:
    """The whole graph, loaded where there is no project folder."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("bare"))
        patch.delenv("EVAL_PIPELINE_HOME", raising=False)
        return build_definitions()


@pytest.fixture(scope="session")
def twelve_declaration() -> str:
    """Text of the demo's eval.yaml."""
    return demo_declaration()


@pytest.fixture(scope="session")
def _twelve(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("unrun") / "twelve"
    make_twelve(home=home)
    return home


@pytest.fixture
def a_project(_twelve: Path, tmp_path: Path) -> ProjectPaths:
    """Twelve pages that nothing was made of yet."""
    home = tmp_path / "project"
    shutil.copytree(_twelve, home)
    return ProjectPaths(home=home)


@pytest.fixture(scope="session")
def change_ledger() -> Callable[[ProjectPaths, str], None]:
    """Change rows behind the product's back, as a fault of ours would."""

    def change(paths: ProjectPaths, statement: str) -> None:
        with hold_lock(paths.lock, wait_s=10):
            con = connect(paths.ledger, read_only=False)
            try:
                con.execute(statement)
            finally:
                con.close()

    return change


@pytest.fixture(scope="session")
def without_shortfalls(change_ledger: Callable[[ProjectPaths, str], None]) -> Callable[[ProjectPaths], None]:
    """Take away the rows that say why places of pools are empty."""

    def change(paths: ProjectPaths) -> None:
        change_ledger(paths, "DELETE FROM negatives.shortfall")

    return change
