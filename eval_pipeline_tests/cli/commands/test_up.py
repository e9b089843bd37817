"""Two processes live and end together. The real ones are tried in the browser (eval_pipeline_tests/browser)."""

import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

import eval_pipeline
from eval_pipeline.cli.commands import up
from eval_pipeline.foundation.errors import ConfigError, InputError

ROOT = Path(eval_pipeline.__file__).parents[1]
LIVES_LONG = [sys.executable, "-c", "import os, time; os.write(1, b'here\\n'); time.sleep(120)"]
ENDS = [sys.executable, "-c", "raise SystemExit(3)"]


@pytest.fixture(autouse=True)
def _undo(monkeypatch):
    monkeypatch.setenv("DAGSTER_HOME", "")
    monkeypatch.setenv("EVAL_PIPELINE_HOME", "")
    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


def test_one_that_ends_takes_the_other_with_it_and_is_named():
    begun = time.monotonic()
    assert up.run_together({"long": LIVES_LONG, "short": ENDS}) == ("short", 3)
    assert time.monotonic() - begun < 60


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_both_and_is_no_failure(number):
    both = {"one": LIVES_LONG, "other": LIVES_LONG}
    program = f"from eval_pipeline.cli.commands.up import run_together; print(run_together({both}))"
    command = [sys.executable, "-c", program]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, start_new_session=True) as process:
        assert [process.stdout.readline() for _ in both] == ["here\n", "here\n"]
        process.send_signal(number)
        assert process.communicate(timeout=60)[0] == "None\n"  # so both have closed the pipe
    assert process.returncode == 0


def test_a_port_that_is_taken_is_told_before_anything_starts(tmp_path, monkeypatch):
    (tmp_path / "eval.yaml").touch()
    monkeypatch.setattr(up, "run_together", lambda commands: pytest.fail("started"))
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(InputError, match=f"port {port} of 127.0.0.1 cannot be used .*--port"):
            up.start_up(home=tmp_path, port=port, review_port=3124)


def test_one_that_ended_by_itself_is_told(tmp_path, monkeypatch):
    (tmp_path / "eval.yaml").touch()
    monkeypatch.setattr(up, "refuse_taken_port", lambda port, option="": None)
    monkeypatch.setattr(up, "run_together", lambda commands: ("Dagster's webserver", 1))
    with pytest.raises(InputError, match=r"Dagster's webserver ended by itself \(exit code 1\)"):
        up.start_up(home=tmp_path, port=3123, review_port=3124)


def test_a_folder_without_project_is_told(tmp_path):
    with pytest.raises(ConfigError):
        up.start_up(home=tmp_path, port=3123, review_port=3124)
