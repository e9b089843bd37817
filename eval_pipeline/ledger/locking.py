"""The one lock of the ledger: a side file, held from connect to close, by readers too, and taken in turn.

DuckDB's own lock is not enough: 2.0.x loses committed rows when processes take turns, and a second process is refused
while a writer is open. One `flock` on a side file costs little. It is not fair, though: who closes and opens again at
once nearly always comes before those who look every few milliseconds. So everybody draws a ticket first, a file in a
folder beside the lock that is named by the time and locked for as long as its owner lives, and the oldest one goes
next. The tickets only say whose turn it is; that two never hold the lock together does not rest on them.
"""

import fcntl
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from uuid import uuid4

from eval_pipeline.foundation.errors import LedgerBusy

DEFAULT_WAIT_S = 120.0
_FIRST_PAUSE_S, _LONGEST_PAUSE_S = 0.002, 0.025


@contextmanager
def hold_lock(path: Path, *, wait_s: float = DEFAULT_WAIT_S) -> Iterator[None]:
    """Hold the lock file for the length of the block; the file stays, the lock goes with the process.

    Who asks first comes first. A child that was forked meanwhile does not keep the lock beyond the block.

    Args:
        path: side file; made where it is missing, as is the folder of tickets.
        wait_s: seconds to wait, with growing pauses.

    Raises:
        LedgerBusy: others kept it longer; names the process id of the last holder and how many wait before this one.
    """
    deadline = time.monotonic() + wait_s
    with _draw_ticket(queue_of(path)) as ticket, _open_lock(path) as handle:
        is_ours = _wait_until(lambda: not _ahead_of(ticket) and _try_lock(handle), deadline)
        if not is_ours:
            raise LedgerBusy(_tell_busy(path, wait_s, n_before=len(_ahead_of(ticket))))
        os.ftruncate(handle, 0)
        os.pwrite(handle, f"{os.getpid()}\n".encode(), 0)
        yield


def queue_of(path: Path) -> Path:
    """Folder of the tickets of those who wait for a lock file, and of the one who has it."""
    return path.with_name(f"{path.name}.queue")


def holder_of(path: Path) -> int | None:
    """Process id that the last holder wrote into the lock file, or None where there is none."""
    with suppress(FileNotFoundError, ValueError):
        return int(path.read_text(encoding="ascii").strip())
    return None


@contextmanager
def _open_lock(path: Path) -> Iterator[int]:
    """A handle of a file; on leaving, its lock is given up by name, as a forked child has the handle, too."""
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        yield handle
    finally:
        fcntl.flock(handle, fcntl.LOCK_UN)
        os.close(handle)


@contextmanager
def _draw_ticket(queue: Path) -> Iterator[Path]:
    """A ticket that comes after all that were drawn before; gone at the end of the block."""
    queue.mkdir(parents=True, exist_ok=True)
    while True:
        ticket = queue / f"{time.monotonic_ns():020d}-{uuid4().hex}"
        with _open_lock(ticket) as handle:
            # another may have taken it for one of the dead, in the moment before it was locked
            if not _try_lock(handle) or not ticket.exists():
                continue
            try:
                yield ticket
            finally:
                ticket.unlink(missing_ok=True)
            return


def _ahead_of(ticket: Path) -> list[Path]:
    """Tickets of living processes that were drawn before; those of dead ones are thrown away."""
    earlier = [one for one in ticket.parent.iterdir() if one.name < ticket.name]
    return [one for one in earlier if not _throw_away_dead(one)]


def _throw_away_dead(ticket: Path) -> bool:
    """Whether nobody waits with this ticket any more."""
    try:
        handle = os.open(ticket, os.O_RDWR | os.O_CLOEXEC)
    except FileNotFoundError:
        return True
    try:
        is_dead = _try_lock(handle)
        if is_dead:
            ticket.unlink(missing_ok=True)
        return is_dead
    finally:
        os.close(handle)


def _try_lock(handle: int) -> bool:
    with suppress(BlockingIOError):
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return True
    return False


def _wait_until(holds: Callable[[], bool], deadline: float) -> bool:
    """Look with growing pauses; False where it did not come to hold in time."""
    pause_s = _FIRST_PAUSE_S
    while not holds():
        left_s = deadline - time.monotonic()
        if left_s <= 0:
            return False
        time.sleep(min(pause_s, left_s))
        pause_s = min(pause_s * 1.5, _LONGEST_PAUSE_S)
    return True


def _tell_busy(path: Path, wait_s: float, *, n_before: int) -> str:
    holder = holder_of(path)
    known = f"process {holder}" if holder else "a process that left no id"
    others = f", {n_before - 1} more wait before this one" if n_before > 1 else ""
    return (
        f"{path.name} is held by {known} after {wait_s:g} s of waiting{others}; let it finish or stop it, "
        "or wait longer with EVAL_PIPELINE_LEDGER_WAIT_S"
    )
