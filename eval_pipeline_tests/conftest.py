"""Shared fixtures: where the real filings and the fault cases are, when they are there."""

from pathlib import Path

import pytest

from eval_pipeline.foundation.settings import Settings


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
