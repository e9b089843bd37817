"""`eval-pipeline up`: Dagster's webserver and daemon and the review pages, stopped together."""

import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from types import FrameType

from eval_pipeline.cli.console import say
from eval_pipeline.foundation.errors import InputError
from eval_pipeline.foundation.settings import find_project

LOOK_EVERY_S = 0.2


def start_up(*, home: Path | None, port: int, review_port: int) -> None:
    """Run all until a signal comes or one of them ends; then all get SIGTERM, which they obey.

    Raises:
        ConfigError: there is no project folder.
        InputError: a port is taken, or one of them ended by itself.
    """
    from eval_pipeline.orchestration.instance import prepare_dagster_home

    paths = find_project(home)
    refuse_taken_port(port)
    refuse_taken_port(review_port, option="--review-port")
    prepare_dagster_home(paths)
    module = ["-m", "eval_pipeline.definitions"]
    review = [sys.executable, "-m", "eval_pipeline", "review"]
    commands = {
        "Dagster's webserver": [sys.executable, "-m", "dagster_webserver", "-h", "127.0.0.1", "-p", str(port), *module],
        "Dagster's daemon": [sys.executable, "-m", "dagster._daemon", "run", *module],
        "review": [*review, "--home", str(paths.home), "--port", str(review_port)],
    }
    say(f"Dagster UI     http://127.0.0.1:{port}")
    ended = run_together(commands)
    if ended is not None:
        name, code = ended
        message = f"{name} ended by itself (exit code {code}); its last lines above say why"
        raise InputError(message)


def refuse_taken_port(port: int, *, option: str = "--port") -> None:
    """Say at once what the server would say after its start.

    Raises:
        InputError: something listens on that port of 127.0.0.1.
    """
    with socket.socket() as one:
        one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as uvicorn does: what was just closed is free
        try:
            one.bind(("127.0.0.1", port))
        except OSError as error:
            message = f"port {port} of 127.0.0.1 cannot be used ({error.strerror}); choose another one with {option}"
            raise InputError(message) from error


def run_together(commands: Mapping[str, list[str]]) -> tuple[str, int] | None:
    """Start all; once one ends, or SIGTERM or SIGINT comes, send SIGTERM to the rest and wait for them.

    Returns:
        Name and exit code of the one that ended by itself; None where a signal came.
    """
    signals: list[int] = []

    def note(number: int, _frame: FrameType | None) -> None:
        signals.append(number)

    for number in (signal.SIGTERM, signal.SIGINT):  # before they start: none shall be left behind
        signal.signal(number, note)
    processes = {name: subprocess.Popen(command) for name, command in commands.items()}  # noqa: S603  # our own modules
    while not signals and all(process.poll() is None for process in processes.values()):
        time.sleep(LOOK_EVERY_S)
    ended = None if signals else next((name, one.poll()) for name, one in processes.items() if one.poll() is not None)
    for process in processes.values():
        process.terminate()
    for process in processes.values():
        process.wait()
    return None if ended is None else (ended[0], int(ended[1] or 0))
