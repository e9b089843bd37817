"""The one lock of the ledger: a side file, held from connect to close, by readers too.

DuckDB's own lock is not enough: 2.0.x loses committed rows when processes take turns, and a second process is refused
while a writer is open. One `flock` on a side file costs little and lets everybody wait their turn.
"""

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from eval_pipeline.foundation.errors import LedgerBusy

DEFAULT_WAIT_S = 120.0
_FIRST_PAUSE_S, _LONGEST_PAUSE_S = 0.002, 0.025


@contextmanager
def hold_lock(path: Path, *, wait_s: float = DEFAULT_WAIT_S) -> Iterator[None]:
    """Hold the lock file for the length of the block; the file stays, the lock goes with the process.

    Args:
        path: side file; made where it is missing.
        wait_s: seconds to wait, with growing pauses.

    Raises:
        LedgerBusy: another holder kept it longer; names its process id.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        _wait_for(handle, path, wait_s)
        os.ftruncate(handle, 0)
        os.pwrite(handle, f"{os.getpid()}\n".encode(), 0)
        yield
    finally:
        os.close(handle)


def _wait_for(handle: int, path: Path, wait_s: float) -> None:
    deadline, pause_s = time.monotonic() + wait_s, _FIRST_PAUSE_S
    while True:
        with suppress(BlockingIOError):
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        left_s = deadline - time.monotonic()
        if left_s <= 0:
            holder = holder_of(path)
            known = f"process {holder}" if holder else "a process that left no id"
            message = (
                f"{path.name} is held by {known} after {wait_s:g} s of waiting; let it finish or stop it, "
                "or wait longer with EVAL_PIPELINE_LEDGER_WAIT_S"
            )
            raise LedgerBusy(message)
        time.sleep(min(pause_s, left_s))
        pause_s = min(pause_s * 1.5, _LONGEST_PAUSE_S)


def holder_of(path: Path) -> int | None:
    """Process id that the last holder wrote into the lock file, or None where there is none."""
    with suppress(FileNotFoundError, ValueError):
        return int(path.read_text(encoding="ascii").strip())
    return None
