"""Work in threads: nothing that was done is lost, whatever interrupts."""

import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval_pipeline.judging.working import work


@given(n=st.integers(0, 40), concurrency=st.integers(1, 6))
def test_every_task_is_done_once(n: int, concurrency: int) -> None:
    taken: list[int] = []
    work(range(n), lambda task: task * 2, taken.append, concurrency=concurrency)
    assert sorted(taken) == [task * 2 for task in range(n)]


def test_so_many_at_one_time_and_results_in_the_callers_thread() -> None:
    under_way, most, lock, threads = [0], [0], threading.Lock(), set()
    together = threading.Barrier(3, timeout=5)

    def do(task: int) -> int:
        with lock:
            under_way[0] += 1
            most[0] = max(most[0], under_way[0])
        together.wait()
        with lock:
            under_way[0] -= 1
        return task

    work(range(6), do, lambda _: threads.add(threading.current_thread()), concurrency=3)
    assert most == [3]
    assert threads == {threading.main_thread()}


def test_an_interruption_takes_what_is_under_way_and_begins_no_more() -> None:
    begun, taken, stopped = [], [], []
    release = threading.Event()

    def do(task: int) -> int:
        begun.append(task)
        if task:
            release.wait(5)
        return task

    def take(task: int) -> None:
        taken.append(task)
        if task == 0:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        work(range(50), do, take, concurrency=3, stop=lambda: (stopped.append(True), release.set()))
    assert stopped == [True]
    assert sorted(taken) == sorted(begun)
    assert len(begun) < 10


def test_a_task_that_raises_ends_the_work_after_the_others_under_way_were_taken() -> None:
    taken: list[int] = []

    def do(task: int) -> int:
        if task == 1:
            message = "broken"
            raise ValueError(message)
        return task

    with pytest.raises(ValueError, match="broken"):
        work(range(40), do, taken.append, concurrency=2)
    assert 0 in taken
    assert 1 not in taken
    assert len(taken) < 40


def test_one_at_a_time_needs_no_thread() -> None:
    threads = set()
    work([1, 2], lambda _: threading.current_thread(), threads.add, concurrency=1)
    assert threads == {threading.main_thread()}
