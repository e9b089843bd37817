"""Decoding ahead: in order, bounded, at the same time as the use, and over when nobody asks any more."""

import threading
import time
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eval_pipeline.embeddings.decoding import decode_ahead

PATIENCE_S = 30.0


@settings(max_examples=60, deadline=None)
@given(
    n=st.integers(0, 40),
    batch_size=st.integers(1, 9),
    n_threads=st.integers(1, 3),
    n_ahead=st.integers(0, 3),
)
def test_batches_are_the_items_in_order(n: int, batch_size: int, n_threads: int, n_ahead: int) -> None:
    items = list(range(n))
    found = list(decode_ahead(items, str, batch_size=batch_size, n_threads=n_threads, n_ahead=n_ahead))
    assert [one for batch in found for one in batch] == [str(item) for item in items]
    assert [len(batch) for batch in found] == [len(items[k : k + batch_size]) for k in range(0, n, batch_size)]


def test_slow_items_do_not_fall_behind_quick_ones() -> None:
    def decode(item: int) -> int:
        time.sleep(0.004 if item % 3 == 0 else 0.0)
        return item

    found = [one for batch in decode_ahead(range(30), decode, batch_size=4, n_threads=3) for one in batch]
    assert found == list(range(30))


def test_the_next_batch_is_decoded_while_one_is_used() -> None:
    later = threading.Event()

    def decode(item: int) -> int:
        if item == 2:
            later.set()
        return item

    batches = decode_ahead(range(4), decode, batch_size=2, n_threads=1)
    assert next(batches) == [0, 1]
    assert later.wait(PATIENCE_S)  # nobody has asked for the second batch
    assert list(batches) == [[2, 3]]


def test_nothing_is_decoded_ahead_where_none_is_wanted() -> None:
    seen: list[int] = []
    batches = decode_ahead(range(6), seen.append, batch_size=2, n_threads=1, n_ahead=0)
    next(batches)
    time.sleep(0.05)
    assert seen == [0, 1]
    batches.close()  # type: ignore[attr-defined]  # it is a generator


@pytest.mark.parametrize("n_ahead", [0, 1, 2])
def test_what_is_held_does_not_grow_with_the_number_of_items(n_ahead: int) -> None:
    """Live pictures, counted: never more than the batch in use and those ahead of it, in 400 as in 40."""
    alive, lock, most = [0], threading.Lock(), 0

    class Picture:
        def __init__(self) -> None:
            with lock:
                alive[0] += 1

        def __del__(self) -> None:
            with lock:
                alive[0] -= 1

    def use(batches: Iterator[list[Picture]]) -> int:
        highest = 0
        for batch in batches:
            time.sleep(0.0005)  # time for the threads to run ahead
            highest = max(highest, alive[0])
            del batch
        return highest

    for n in (40, 400):
        most = use(decode_ahead(range(n), lambda _: Picture(), batch_size=4, n_threads=2, n_ahead=n_ahead))
        assert 4 <= most <= 4 * (n_ahead + 1)
    assert alive[0] == 0


def test_an_error_comes_out_and_the_rest_is_dropped() -> None:
    seen: list[int] = []

    def decode(item: int) -> int:
        seen.append(item)
        return 1 // (item - 5)

    with pytest.raises(ZeroDivisionError):
        list(decode_ahead(range(1000), decode, batch_size=2, n_threads=1))
    assert len(seen) < 20
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("decoder")]


def test_whoever_stops_asking_leaves_no_thread() -> None:
    batches = decode_ahead(range(1000), str, batch_size=2, n_threads=2)
    next(batches)
    batches.close()  # type: ignore[attr-defined]  # it is a generator
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("decoder")]
