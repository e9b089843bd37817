"""Waits: by the endpoint's word, else doubling."""

from datetime import UTC, datetime

import pytest

from eval_pipeline.judging.backing_off import Pacer, wait_before

NOW = datetime(2026, 1, 5, 12, 0, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("attempt", "header", "expected"),
    [
        (1, None, 1.0),
        (2, None, 2.0),
        (5, None, 16.0),
        (20, None, 60.0),
        (1, "7", 7.0),
        (9, "0.5", 0.5),
        (1, "Mon, 05 Jan 2026 12:00:30 GMT", 30.0),
        (1, "Mon, 05 Jan 2026 11:00:00 GMT", 0.0),
        (3, "soon", 4.0),
        (1, "301", None),
    ],
)
def test_seconds_to_wait(attempt, header, expected) -> None:
    assert wait_before(attempt, header, now=NOW) == expected


def test_a_pause_holds_everybody_until_it_is_over() -> None:
    clock, naps = [0.0], []

    def sleep(seconds: float) -> None:
        naps.append(seconds)
        clock[0] += seconds

    pacer = Pacer(sleep=sleep, clock=lambda: clock[0])
    pacer.wait()
    pacer.pause(5)
    pacer.pause(2)
    pacer.wait()
    pacer.wait()
    assert naps == [5.0]
