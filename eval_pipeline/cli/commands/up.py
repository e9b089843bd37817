"""`eval-pipeline up`: Dagster's webserver and daemon, stopped together."""

import signal
import subprocess
import sys
from pathlib import Path
from types import FrameType

from eval_pipeline.cli.console import say
from eval_pipeline.foundation.settings import find_project


def start_up(*, home: Path | None, port: int) -> None:
    """Run both until one ends or a signal comes; both get SIGTERM, which they obey."""
    from eval_pipeline.orchestration.instance import prepare_dagster_home

    paths = find_project(home)
    prepare_dagster_home(paths)
    module = ["-m", "eval_pipeline.definitions"]
    commands = [
        [sys.executable, "-m", "dagster_webserver", "-h", "127.0.0.1", "-p", str(port), *module],
        [sys.executable, "-m", "dagster._daemon", "run", *module],
    ]
    processes = [subprocess.Popen(command) for command in commands]  # noqa: S603  # our own interpreter and modules
    say(f"Dagster UI   http://127.0.0.1:{port}")

    def stop(_signal: int, _frame: FrameType | None) -> None:
        for process in processes:
            process.terminate()

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
    for process in processes:
        process.wait()
