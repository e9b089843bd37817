"""Do paid tasks several at a time; whatever interrupts, what was paid for is handed over."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")


def work(
    tasks: Sequence[T],
    do: Callable[[T], R],
    take: Callable[[R], None],
    *,
    concurrency: int,
    stop: Callable[[], None] | None = None,
) -> None:
    """Do tasks in threads and hand each result over in the caller's thread, as they come.

    Args:
        tasks: begun in order.
        do: called in threads where concurrency is above 1, else in this one.
        take: called in this thread; order of results is that of their coming.
        concurrency: tasks under way at one time.
        stop: called once when a task raises, `take` raises, or the process is told to end; tasks that are under way
            are then waited for and their results taken, and no other is begun.

    Raises:
        Whatever a task, `take` or the interruption raised.
    """
    if concurrency <= 1:
        for task in tasks:
            take(do(task))
        return
    with ThreadPoolExecutor(max_workers=concurrency) as pool:
        under_way: set[Future[R]] = set()
        try:
            for begun in _begin(tasks, do, pool, under_way, 2 * concurrency):
                _take_finished(begun, under_way, take)
        except BaseException:
            if stop is not None:
                stop()
            _take_rest(under_way, take)
            raise


def _begin(
    tasks: Sequence[T],
    do: Callable[[T], R],
    pool: ThreadPoolExecutor,
    under_way: set[Future[R]],
    window: int,
) -> Iterator[set[Future[R]]]:
    """Keep a window of tasks begun; give those that have finished, until all have."""
    waiting = iter(tasks)
    is_all = False
    while under_way or not is_all:
        while not is_all and len(under_way) < window:
            task = next(waiting, None)
            if task is None:
                is_all = True
            else:
                under_way.add(pool.submit(do, task))
        if under_way:
            yield wait(under_way, return_when=FIRST_COMPLETED).done


def _take_finished(done: set[Future[R]], under_way: set[Future[R]], take: Callable[[R], None]) -> None:
    """Hand over all that finished well, then raise what the first bad one raised."""
    raised = None
    for future in done:
        under_way.discard(future)
        error = future.exception()
        if error is None:
            take(future.result())
        else:
            raised = raised or error
    if raised is not None:
        raise raised


def _take_rest(under_way: set[Future[R]], take: Callable[[R], None]) -> None:
    """Cancel what has not begun; wait for the others, and hand over what they brought."""
    begun = [future for future in under_way if not future.cancel()]
    for future in wait(begun).done:
        if not future.cancelled() and future.exception() is None:
            take(future.result())
