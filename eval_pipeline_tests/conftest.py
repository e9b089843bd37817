"""Shared fixtures: where the real filings and the fault cases are, when they are there."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from eval_pipeline.foundation.settings import ProjectPaths, Settings
from eval_pipeline_tests.scripted_endpoint import ScriptedEndpoint, serve


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Long proofs run where they are asked for: `pytest -m slow`."""
    skip = pytest.mark.skip(reason="a long proof; run it with: pytest -m slow")
    for item in items:
        if item.get_closest_marker("slow") and "slow" not in config.getoption("markexpr"):
            item.add_marker(skip)


@pytest.fixture(scope="session")
def shared_dir() -> Path:
    """Folder with `sample/` and `cases/`: `EVAL_PIPELINE_TEST_SHARED`, else `shared/` beside the repository."""
    place = Settings().test_shared or Path(__file__).parents[2] / "shared"
    if not (place / "cases" / "log.jsonl").is_file():
        pytest.skip("the folder of real filings and cases is absent (EVAL_PIPELINE_TEST_SHARED)")
    return place


@pytest.fixture(scope="session")
def case_files(shared_dir: Path) -> Path:
    """Input files of the fault cases."""
    return shared_dir / "cases" / "files"


@pytest.fixture(scope="session")
def sample_dir(shared_dir: Path) -> Path:
    """Real filings with questions and evidence."""
    return shared_dir / "sample"


@pytest.fixture
def endpoint() -> Iterator[ScriptedEndpoint]:
    """An OpenAI-compatible endpoint on loopback that answers by script."""
    with serve() as running:
        yield running


@pytest.fixture(scope="session")
def road_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The twelve-page project after one run of the whole graph. Read it only; variants take a copy of the folder."""
    from eval_pipeline.demo.twelve import make_twelve
    from eval_pipeline.orchestration.running import run_project

    home = tmp_path_factory.mktemp("road") / "twelve"
    make_twelve(home=home)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DAGSTER_HOME", "")  # a run points Dagster at its project; undone here for the other tests
        patch.setenv("EVAL_PIPELINE_HOME", "")
        run_project(ProjectPaths(home=home), quiet=True)
    return home


@pytest.fixture
def copy_road(road_home: Path, tmp_path: Path) -> Callable[[], ProjectPaths]:
    """Copy the project that was run once to a place of its own, ledger, commits and Dagster's storage with it."""

    def copy() -> ProjectPaths:
        home = tmp_path / road_home.name  # the report tells the name
        shutil.copytree(road_home, home)
        return ProjectPaths(home=home)

    return copy
