"""The command that serves; what the pages do is tried in report/review and in the browser."""

import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

import eval_pipeline
from eval_pipeline.cli.commands.review import clearance_for, serve_review
from eval_pipeline.foundation.errors import InputError, UnknownName
from eval_pipeline.foundation.settings import ProjectPaths

ROOT = Path(eval_pipeline.__file__).parents[1]
PROGRAM = """
import sys
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from eval_pipeline.cli.commands.review import serve
serve(Starlette(routes=[Route("/", lambda request: PlainTextResponse("here"))]), port=int(sys.argv[1]))
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_cleanly(number):
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port = one.getsockname()[1]
    with subprocess.Popen([sys.executable, "-c", PROGRAM, str(port)], cwd=ROOT, stderr=subprocess.PIPE) as process:
        end = time.monotonic() + 60
        while time.monotonic() < end:
            try:
                assert urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=5).read() == b"here"
                break
            except OSError:
                time.sleep(0.1)
        process.send_signal(number)
        _, said = process.communicate(timeout=60)
    assert (process.returncode, said) == (0, b"")


def test_an_unknown_clearance_is_refused_with_the_known_ones(tmp_path):
    (tmp_path / "eval.yaml").write_text("corpus: {access: {levels: [public, secret], default: public}}\n")
    paths = ProjectPaths(home=tmp_path)
    assert clearance_for(paths, None, ["board"]) is None
    assert clearance_for(paths, "public", ["board"]).groups == ("board",)
    with pytest.raises(UnknownName, match=r"'top' is no access level; .*: public, secret"):
        clearance_for(paths, "top", [])


def test_a_port_that_is_taken_is_told(tmp_path):
    (tmp_path / "eval.yaml").touch()
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(InputError, match=f"port {port} of 127.0.0.1"):
            serve_review(home=tmp_path, port=port, clearance=None, groups=[], author_kind="human")
