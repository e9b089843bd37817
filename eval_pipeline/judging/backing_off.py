"""When to ask again after an endpoint was busy: by its own word where it gives one, else doubling."""

import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

FIRST_WAIT_S = 1.0
LONGEST_WAIT_S = 60.0
LONGEST_RETRY_AFTER_S = 300.0
"""An endpoint that asks for more is taken to be closed for this run."""


def wait_before(attempt: int, retry_after: str | None, *, now: datetime) -> float | None:
    """Seconds to wait before the next request.

    Args:
        attempt: requests that failed so far, at least 1.
        retry_after: the header of that name, in seconds or as a date; None or unreadable ones count as absent.
        now: aware time, for dates.

    Returns:
        Seconds; None where the endpoint asks for more than five minutes.
    """
    asked = _seconds_of(retry_after, now=now)
    if asked is None:
        return float(min(LONGEST_WAIT_S, FIRST_WAIT_S * 2 ** (attempt - 1)))
    return asked if asked <= LONGEST_RETRY_AFTER_S else None


def _seconds_of(retry_after: str | None, *, now: datetime) -> float | None:
    if retry_after is None:
        return None
    text = retry_after.strip()
    if text.replace(".", "", 1).isdigit():
        return float(text)
    try:
        moment = parsedate_to_datetime(text)
    except ValueError:
        return None
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return max(0.0, (moment - now).total_seconds())


class Pacer:
    """Lets all threads wait while the endpoint wants to be left alone."""

    def __init__(
        self, *, sleep: Callable[[float], None] = time.sleep, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._sleep = sleep
        self._clock = clock
        self._lock = threading.Lock()
        self._not_before = 0.0

    def pause(self, seconds: float) -> None:
        """Send nothing for so long."""
        with self._lock:
            self._not_before = max(self._not_before, self._clock() + seconds)

    def wait(self) -> None:
        """Return when a request may be sent."""
        with self._lock:
            left = self._not_before - self._clock()
        if left > 0:
            self._sleep(left)
