"""Worker processes that can be told to hurry: each answer has a time limit, and a process that misses it is ended."""

import json
import os
import select
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import eval_pipeline

START_SECONDS = 120.0
"""Time that a process may take to start, on a busy machine."""
_PROGRAM = "import sys; sys.path.insert(0, sys.argv[1]); from eval_pipeline.corpus.worker import main; main()"


class WorkerSilent(Exception):
    """The process did not answer in time; it has been ended."""


class WorkerDied(Exception):
    """The process ended by itself; the message holds the last line that it wrote about that."""


class WorkerProcess:
    """One reading process: started on the first question, and anew after it was ended.

    A plain child process with pipes, not `multiprocessing`: it may be used from any program, thread or daemon.

    Args:
        settings: first line sent, see `corpus.worker.main`.
    """

    def __init__(self, settings: Mapping[str, object]) -> None:
        self._settings = dict(settings)
        self._process: subprocess.Popen[bytes] | None = None
        self._errors: Any = None
        self._buffer = b""

    def ask(self, request: Mapping[str, object], *, limit_s: float) -> dict[str, Any]:
        """Send a request and wait for its reply.

        Raises:
            WorkerSilent: no reply within `limit_s` seconds.
            WorkerDied: the process ended instead of replying.
        """
        if self._process is None:
            self._start()
        return self._exchange(request, limit_s)

    def stop(self) -> None:
        """End the process, whatever it is doing, and wait until it is gone."""
        if self._process is None:
            return
        process, self._process, self._buffer = self._process, None, b""
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                pipe.close()
        self._errors.close()

    def _start(self) -> None:
        root = str(Path(eval_pipeline.__file__).resolve().parents[1])
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 (closed by stop)
        self._process = subprocess.Popen(  # noqa: S603 (our own program, no shell)
            [sys.executable, "-P", "-c", _PROGRAM, root],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            bufsize=0,
        )
        self._exchange(self._settings, START_SECONDS)

    def _exchange(self, request: Mapping[str, object], limit_s: float) -> dict[str, Any]:
        assert self._process is not None
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(request).encode() + b"\n")
        except BrokenPipeError as error:
            raise self._report_death() from error
        line = self._read_line(time.monotonic() + limit_s)
        reply: dict[str, Any] = json.loads(line)
        return reply

    def _read_line(self, deadline: float) -> bytes:
        assert self._process is not None
        assert self._process.stdout is not None
        pipe = self._process.stdout.fileno()
        while b"\n" not in self._buffer:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([pipe], [], [], left)[0]:
                self.stop()
                raise WorkerSilent
            chunk = os.read(pipe, 1 << 16)
            if not chunk:
                raise self._report_death()
            self._buffer += chunk
        line, self._buffer = self._buffer.split(b"\n", maxsplit=1)
        return line

    def _report_death(self) -> WorkerDied:
        assert self._process is not None
        self._process.wait()
        self._errors.seek(0)
        said = self._errors.read().decode("utf-8", "replace").strip().splitlines()
        code = self._process.returncode
        self.stop()
        return WorkerDied(f"exit status {code}: {said[-1] if said else 'no message'}")
