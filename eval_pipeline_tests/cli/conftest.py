"""The command line, called as the installed program would be."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

Called = subprocess.CompletedProcess[str]


@pytest.fixture(scope="session")
def call() -> Callable[..., Called]:
    """Run `eval-pipeline` in a process of its own."""

    def run(*arguments: str, home: Path | None = None) -> Called:
        placed = [*arguments, *(["--home", str(home)] if home else [])]
        return subprocess.run(
            [sys.executable, "-m", "eval_pipeline", *placed], capture_output=True, text=True, check=False, timeout=300
        )

    return run
