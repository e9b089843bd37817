"""One address: a body goes out, a whole JSON reply or a named failure comes back."""

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any

from eval_pipeline.foundation.errors import ConfigError, RetrievalFailed
from eval_pipeline.foundation.settings import read_secret
from eval_pipeline.judging.backing_off import wait_before
from eval_pipeline.runs.web_addresses import is_loopback

if TYPE_CHECKING:
    import httpx

RETRIED = frozenset({429, *range(500, 600)})
UNREACHABLE, TIME_OUT, NOT_ASKED, MALFORMED = "unreachable", "time-out", "not asked", "malformed reply"
GIVE_UP_AFTER = 3
"""Questions in a row that nobody answered, all retries used, before the others are not asked at all."""
MAX_REPLY_BYTES = 64 * 1024 * 1024
SHOWN = 200


@dataclass(frozen=True, kw_only=True)
class Calling:
    """How an address is asked; none of it changes an answer.

    Attributes:
        concurrency: requests at one time.
        timeout_s: of one request, from first to last byte.
        retries: further requests after 429, 5xx, time-outs and broken connections.
        key_env: variable with a bearer token; None for none.
        sleep: how to wait, in seconds.
    """

    concurrency: int = 4
    timeout_s: float = 30.0
    retries: int = 3
    key_env: str | None = None
    sleep: Callable[[float], None] = time.sleep


@dataclass(frozen=True, kw_only=True)
class Reply:
    """What came back.

    Attributes:
        content: the JSON object.
        elapsed_s: seconds of the request that was answered; waiting between requests is not in it.
        n_requests: requests that it took.
    """

    content: Mapping[str, Any]
    elapsed_s: float
    n_requests: int


@dataclass(kw_only=True)
class Address:
    """Something that answers POST with JSON. One instance may be asked from several threads.

    Attributes:
        name: name of the variant, for messages.
        url: the address.
        calling: how it is asked.
    """

    name: str
    url: str
    calling: Calling
    _silent: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def post(self, body: Mapping[str, object]) -> Reply:
        """Ask until there is a reply, or until the retries are used.

        Raises:
            RetrievalFailed: named by its reason: `time-out`, `unreachable`, `status 503`, `malformed reply`; `not
                asked` after nobody answered three questions in a row.
            ConfigError: the variable of `key_env` is not set.
        """
        if self._silent >= GIVE_UP_AFTER:
            message = f"{self.url} was not asked: it did not answer {GIVE_UP_AFTER} questions in a row"
            raise RetrievalFailed(message, reason=NOT_ASKED)
        for attempt in range(1, self.calling.retries + 2):
            try:
                reply = self._post_once(body, attempt)
            except _Passing as passing:
                wait = wait_before(attempt, passing.retry_after, now=datetime.now(UTC))
                if attempt > self.calling.retries or wait is None:
                    self._count_silence(passing.reason)
                    message = f"{passing}, after {attempt} requests"
                    raise RetrievalFailed(message, reason=passing.reason) from passing
                self.calling.sleep(wait)
            else:
                self._count_silence(None)
                return reply
        raise AssertionError

    def close(self) -> None:
        """Close connections."""
        if "_client" in self.__dict__:
            self._client.close()

    def _count_silence(self, reason: str | None) -> None:
        with self._lock:
            self._silent = self._silent + 1 if reason in (UNREACHABLE, TIME_OUT) else 0

    def _post_once(self, body: Mapping[str, object], attempt: int) -> Reply:
        import httpx

        started = time.monotonic()
        try:
            with self._client.stream("POST", self.url, json=body, headers=self._headers()) as response:
                data = self._read(response, started)
        except httpx.TimeoutException as error:
            message = f"{self.url}: no reply within {self.calling.timeout_s:g} s"
            raise _Passing(message, reason=TIME_OUT) from error
        except httpx.TransportError as error:
            message = f"{self.url}: {type(error).__name__}: {error}"
            raise _Passing(message, reason=UNREACHABLE) from error
        elapsed = time.monotonic() - started
        said = data[:SHOWN].decode("utf-8", "replace")
        if response.status_code in RETRIED:
            message = f"{self.url}: status {response.status_code}: {said}"
            retry_after = response.headers.get("retry-after")
            raise _Passing(message, reason=f"status {response.status_code}", retry_after=retry_after)
        if response.status_code != 200:
            message = f"{self.url}: status {response.status_code}, 200 expected: {said}"
            raise RetrievalFailed(message, reason=f"status {response.status_code}")
        return Reply(content=_parse(data, self.url), elapsed_s=elapsed, n_requests=attempt)

    def _read(self, response: "httpx.Response", started: float) -> bytes:
        """The whole body; a server that drips is given no more time than one that is silent."""
        data = bytearray()
        for chunk in response.iter_bytes():
            data += chunk
            if time.monotonic() - started > self.calling.timeout_s:
                message = f"{self.url}: the reply was not whole after {self.calling.timeout_s:g} s"
                raise _Passing(message, reason=TIME_OUT)
            if len(data) > MAX_REPLY_BYTES:
                message = f"{self.url}: a reply of more than {MAX_REPLY_BYTES:,} bytes"
                raise RetrievalFailed(message, reason=MALFORMED)
        return bytes(data)

    def _headers(self) -> dict[str, str]:
        if self.calling.key_env is None:
            return {}
        key = read_secret(self.calling.key_env)
        if key is None:
            message = (
                f"variants.{self.name}.key_env: the variable {self.calling.key_env} is not set; set it and run again"
            )
            raise ConfigError(message, path="eval.yaml", key=f"variants.{self.name}.key_env")
        return {"authorization": f"Bearer {key}"}

    @cached_property
    def _client(self) -> "httpx.Client":
        import httpx

        n_connections = self.calling.concurrency
        return httpx.Client(
            timeout=self.calling.timeout_s,
            follow_redirects=False,
            trust_env=not is_loopback(self.url),
            limits=httpx.Limits(max_connections=n_connections, max_keepalive_connections=n_connections),
        )


class _Passing(Exception):
    """A failure that may pass by itself."""

    def __init__(self, message: str, *, reason: str, retry_after: str | None = None) -> None:
        super().__init__(message)
        self.reason = reason
        self.retry_after = retry_after


def _parse(data: bytes, url: str) -> Mapping[str, Any]:
    import json

    try:
        found = json.loads(data)
    except (ValueError, RecursionError) as error:
        message = f"{url}: the reply is no JSON: {error}"
        raise RetrievalFailed(message, reason=MALFORMED) from error
    if not isinstance(found, dict):
        message = f"{url}: the reply is {type(found).__name__}, an object with 'units' or 'stages' is expected"
        raise RetrievalFailed(message, reason=MALFORMED)
    return found
