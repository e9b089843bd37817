import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator

import pytest

from eval_pipeline.foundation.errors import LedgerBusy
from eval_pipeline.ledger.locking import hold_lock, holder_of, queue_of


def test_lock_names_its_holder_and_refuses_a_second_one(tmp_path):
    path = tmp_path / "ledger.lock"
    with hold_lock(path, wait_s=1):
        assert holder_of(path) == os.getpid()
        with pytest.raises(LedgerBusy, match=f"process {os.getpid()}"), hold_lock(path, wait_s=0.01):
            pass
    with hold_lock(path, wait_s=0.01):
        pass


def test_waiting_ends_when_the_holder_lets_go(tmp_path):
    path, order = tmp_path / "ledger.lock", []

    def hold():
        with hold_lock(path, wait_s=1):
            order.append("first")
            entered.set()
            time.sleep(0.1)
            order.append("first done")

    entered, other = threading.Event(), threading.Thread(target=hold)
    other.start()
    entered.wait(5)
    with hold_lock(path, wait_s=5):
        order.append("second")
    other.join()
    assert order == ["first", "first done", "second"]


def test_lock_is_free_after_an_error_inside(tmp_path):
    path = tmp_path / "ledger.lock"
    with pytest.raises(RuntimeError), hold_lock(path, wait_s=1):
        raise RuntimeError
    with hold_lock(path, wait_s=0.01):
        pass


def test_no_holder_without_a_file_or_with_other_words(tmp_path):
    assert holder_of(tmp_path / "none") is None
    (tmp_path / "words").write_text("x", encoding="utf-8")
    assert holder_of(tmp_path / "words") is None


TURNS = """
import sys, time
from pathlib import Path
from eval_pipeline.ledger.locking import hold_lock

path, turns, pause_s, stop = Path(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]), Path(sys.argv[4])
counter = path.with_name("turns")

def count():
    return counter.stat().st_size if counter.exists() else 0

print("ready", flush=True)
sys.stdin.readline()
taken = passed = 0
while taken < turns and not stop.exists():
    asked_at = count()
    with hold_lock(path, wait_s=60):
        passed += count() - asked_at
        with counter.open("a") as file:
            file.write("x")
        time.sleep(0.01)
    taken += 1
    time.sleep(pause_s)
print(taken, passed, flush=True)
"""


@pytest.fixture
def start() -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """A process that runs a program with arguments; killed at the end where it still lives."""
    started = []

    def begin(program: str, *args: object) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, "-c", program, *map(str, args)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        started.append(process)
        assert process.stdout.readline() == "ready\n"
        return process

    yield begin
    for process in started:
        process.kill()
        process.communicate()


def test_who_opens_again_at_once_does_not_come_before_who_waits(tmp_path, start):
    path, stop, n_turns, endless = tmp_path / "ledger.lock", tmp_path / "stop", 20, 1_000_000
    greedy = start(TURNS, path, endless, 0, stop)
    modest = [start(TURNS, path, n_turns, 0.02, stop) for _ in range(2)]
    for process in (greedy, *modest):
        process.stdin.write("go\n")
        process.stdin.flush()
    told = [process.stdout.readline().split() for process in modest]
    stop.touch()
    assert [int(taken) for taken, _ in told] == [n_turns, n_turns]
    for _, passed in told:  # one turn under way and one of each other that asked before
        assert int(passed) <= 2.5 * n_turns, f"others had {passed} turns while this one waited {n_turns} times"
    assert int(greedy.stdout.readline().split()[0]) > 0


def test_turns_go_by_the_order_of_asking(tmp_path):
    path, order, threads = tmp_path / "ledger.lock", [], []

    def ask(name: int) -> None:
        with hold_lock(path, wait_s=20):
            order.append(name)

    with hold_lock(path, wait_s=1):
        for name in range(6):
            threads.append(threading.Thread(target=ask, args=(name,)))
            threads[-1].start()
            until(lambda: len(tickets(path)) == len(threads) + 1)
    for thread in threads:
        thread.join()
    assert order == list(range(6))
    assert tickets(path) == []


def test_a_killed_process_gives_up_its_turn_and_its_place_in_the_queue(tmp_path, start):
    path, stop = tmp_path / "ledger.lock", tmp_path / "stop"
    with hold_lock(path, wait_s=1):
        waiting = start(TURNS, path, 1, 0, stop)
        waiting.stdin.write("go\n")
        waiting.stdin.flush()
        until(lambda: len(tickets(path)) == 2)
        waiting.kill()
        waiting.wait()
        assert len(tickets(path)) == 2
    holding = start(HOLDS, path)
    with pytest.raises(LedgerBusy, match=f"process {holding.pid} after"), hold_lock(path, wait_s=0.05):
        pass
    holding.kill()
    holding.wait()
    with hold_lock(path, wait_s=5):
        assert len(tickets(path)) == 1


HOLDS = """
import sys, time
from pathlib import Path
from eval_pipeline.ledger.locking import hold_lock

with hold_lock(Path(sys.argv[1]), wait_s=5):
    print("ready", flush=True)
    time.sleep(600)
"""


def test_a_forked_child_does_not_keep_the_lock(tmp_path, start):
    path = tmp_path / "ledger.lock"
    start(FORKS, path)
    with hold_lock(path, wait_s=0.5):
        assert len(tickets(path)) == 1


FORKS = """
import os, sys, time
from pathlib import Path
from eval_pipeline.ledger.locking import hold_lock

with hold_lock(Path(sys.argv[1]), wait_s=5):
    said, say = os.pipe()
    child = os.fork()
    if not child:
        os.close(say)
        os.read(said, 1)  # ends with the parent
        os._exit(0)
print("ready", flush=True)
sys.stdin.readline()
"""


def test_who_waits_in_vain_is_told_how_many_wait_before(tmp_path):
    path, failed = tmp_path / "ledger.lock", []

    def ask() -> None:
        try:
            with hold_lock(path, wait_s=0.6):
                pass
        except LedgerBusy as error:
            failed.append(str(error))

    with hold_lock(path, wait_s=1):
        first = threading.Thread(target=ask)
        first.start()
        until(lambda: len(tickets(path)) == 2)
        with pytest.raises(LedgerBusy, match="1 more wait before this one"), hold_lock(path, wait_s=0.01):
            pass
        first.join()
    assert len(failed) == 1
    assert "more wait" not in failed[0]


def tickets(path):
    return sorted(queue_of(path).iterdir())


def until(holds):
    end = time.monotonic() + 20
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.002)
