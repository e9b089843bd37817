"""Decode pictures in threads ahead of the model that reads them: in order, and in bounded memory."""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import islice
from typing import TypeVar

N_AHEAD = 2
"""Batches that are decoded, or being decoded, while another one is used."""

Item = TypeVar("Item")
Made = TypeVar("Made")


def decode_ahead(
    items: Sequence[Item],
    decode: Callable[[Item], Made],
    *,
    batch_size: int,
    n_threads: int,
    n_ahead: int = N_AHEAD,
) -> Iterator[list[Made]]:
    """Batches of decoded items, in the order of the items; the next ones are decoded while one is used.

    Args:
        items: what to decode.
        decode: called in a thread, once for each item; what it raises comes out at the place of the item.
        batch_size: items in a batch, fewer in the last one.
        n_threads: threads that decode.
        n_ahead: batches beside the one that is used, so at most `(n_ahead + 1) * batch_size` decoded items are held;
            0 decodes nothing while a batch is used.

    Yields:
        Lists of what `decode` returned; one place an item, so an item that cannot be read shifts nobody.
    """
    rest = iter(items)
    waiting: deque[Future[Made]] = deque()
    with ThreadPoolExecutor(max_workers=n_threads, thread_name_prefix="decoder") as threads:
        try:
            while True:
                wanted = (n_ahead + 1) * batch_size - len(waiting)
                waiting.extend(threads.submit(decode, item) for item in islice(rest, wanted))
                if not waiting:
                    return
                yield [waiting.popleft().result() for _ in range(min(batch_size, len(waiting)))]
        finally:
            for future in waiting:
                future.cancel()
