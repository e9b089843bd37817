"""One OpenAI-compatible endpoint: a question goes out, a whole reply or a named failure comes back."""

import threading
import time
import weakref
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from eval_pipeline.foundation.errors import ConfigError, JudgeFailed
from eval_pipeline.foundation.protocols import PaidCall
from eval_pipeline.foundation.settings import read_secret
from eval_pipeline.foundation.tables.judging import NOT_ASKED
from eval_pipeline.judging.backing_off import Pacer, wait_before
from eval_pipeline.judging.endpoint_settings import EndpointSettings
from eval_pipeline.judging.meter import Meter

if TYPE_CHECKING:
    from openai import OpenAI
    from openai.types.chat import ChatCompletion

LONGER = (1, 2, 4)
"""A reply that is cut is asked for again at so many times `max_tokens`."""
CHARACTERS_A_TOKEN = 3
BAD_KEY = (401, 403)
NOT_THERE = 404
Messages = Sequence[Mapping[str, Any]]


@dataclass(frozen=True, kw_only=True)
class Reply:
    """A whole reply.

    Attributes:
        content: its text, not empty.
        call: what it took.
    """

    content: str
    call: PaidCall


@dataclass(kw_only=True)
class _Tally:
    """What the requests of one call took so far."""

    started_s: float
    n_requests: int = 0
    n_input: list[int | None] = field(default_factory=list)
    n_output: list[int | None] = field(default_factory=list)
    usd: list[float | None] = field(default_factory=list)
    finish_reason: str | None = None
    model: str | None = None

    def to_call(self, elapsed_s: float) -> PaidCall:
        return PaidCall(
            n_requests=self.n_requests,
            n_input_tokens=_sum(self.n_input),
            n_output_tokens=_sum(self.n_output),
            usd=_sum(self.usd),
            elapsed_s=elapsed_s if self.n_requests else None,
            finish_reason=self.finish_reason,
            model=self.model,
        )


class Endpoint:
    """Asks with retries inside a budget; safe to use from several threads.

    Args:
        settings: address, model, limits.
        path: declaring file, for messages.
        key: declaring key, for messages.
        sleep: waits; tests pass one that does not.
    """

    def __init__(
        self,
        settings: EndpointSettings,
        *,
        path: str,
        key: str,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._settings, self._path, self._key = settings, path, key
        self._pacer = Pacer(sleep=sleep)
        self._lock = threading.Lock()
        self._client: OpenAI | None = None
        self.meter = Meter(budget=settings.budget, price=settings.price)

    def ask(self, messages: Messages, *, schema: Mapping[str, Any], picture_tokens: int = 0) -> Reply:
        """One reply to messages.

        Args:
            messages: of the chat.
            schema: JSON schema of the reply, sent where the endpoint is declared to enforce it.
            picture_tokens: what the pictures may count for, for the budget.

        Raises:
            JudgeFailed: no whole reply came; `reason` says which way, `call` what was paid all the same.
            ConfigError: the endpoint refuses the key or knows no such model or address: nothing else would fare better.
        """
        self.meter.check()
        self._connect()
        tally = _Tally(started_s=time.perf_counter())
        try:
            content = _content_of(self._send_longer(messages, schema, tally, picture_tokens), tally)
        except JudgeFailed as error:
            if error.reason not in NOT_ASKED:
                self.meter.note(is_reply=tally.finish_reason is not None)
            call = tally.to_call(time.perf_counter() - tally.started_s)
            raise JudgeFailed(str(error), reason=error.reason, call=call) from error
        self.meter.note(is_reply=True)
        return Reply(content=content, call=tally.to_call(time.perf_counter() - tally.started_s))

    def _send_longer(
        self, messages: Messages, schema: Mapping[str, Any], tally: _Tally, picture_tokens: int
    ) -> "ChatCompletion":
        """The first reply that is not cut; the last one where all are, or where the budget holds no longer one."""
        limits = [self._settings.max_tokens * longer for longer in LONGER]
        completion = self._send(messages, schema, limits[0], tally, picture_tokens)
        for limit in limits[1:]:
            if tally.finish_reason != "length":
                break
            try:
                completion = self._send(messages, schema, limit, tally, picture_tokens)
            except JudgeFailed as error:
                if error.reason in NOT_ASKED:
                    break  # what was paid for is told as cut, not as never asked
                raise
        return completion

    def _send(
        self, messages: Messages, schema: Mapping[str, Any], limit: int, tally: _Tally, picture_tokens: int
    ) -> "ChatCompletion":
        """One answered request, after as many retries as it takes and is allowed."""
        import openai

        body = self._body(messages, schema, limit)
        n_input = _text_length(messages) // CHARACTERS_A_TOKEN + picture_tokens
        failed = 0
        while True:
            self._pacer.wait()
            reserved = self.meter.reserve(n_input, limit)
            tally.n_requests += 1
            try:
                completion: ChatCompletion = self._connect().chat.completions.create(**body)
            except openai.APIError as error:
                self.meter.release(reserved)
                failed += 1
                self._wait_or_give_up(error, failed)
            except BaseException:
                self.meter.release(reserved)
                raise
            else:
                _note_usage(completion, tally, self.meter)
                self.meter.settle(reserved, n_input=tally.n_input[-1], n_output=tally.n_output[-1], usd=tally.usd[-1])
                return completion

    def _wait_or_give_up(self, error: Exception, failed: int) -> None:
        """Pause before another try.

        Raises:
            JudgeFailed: the fault does not pass, or has been tried often enough.
            ConfigError: see `ask`.
        """
        reason, told = self._explain(error)
        if reason == "rejected":
            raise JudgeFailed(told, reason=reason) from error
        response = getattr(error, "response", None)
        retry_after = None if response is None else response.headers.get("retry-after")
        wait_s = wait_before(failed, retry_after, now=datetime.now(UTC))
        if failed > self._settings.retries or wait_s is None:
            message = f"{told}; tried {failed} times"
            raise JudgeFailed(message, reason=reason) from error
        self._pacer.pause(wait_s)

    def _explain(self, error: Exception) -> tuple[str, str]:
        """Short reason and words; the request is not repeated in them."""
        import openai

        if isinstance(error, openai.APITimeoutError):
            return "timed out", f"no reply within {self._settings.timeout_s:g} s"
        if not isinstance(error, openai.APIStatusError):
            return "unreachable", f"no connection to {self._settings.base_url}: {type(error).__name__}"
        status = error.status_code
        if status in (*BAD_KEY, NOT_THERE):
            self._refuse_declaration(status)
        if status == 429:
            return "rate limited", "the endpoint answers 429"
        if status >= 500 or status in (408, 409):
            return "server error", f"the endpoint answers {status}"
        hint = f"; where it knows no 'response_format', declare structured: json_object or prompt ({self._key})"
        return "rejected", f"the endpoint answers {status}{hint}"

    def _refuse_declaration(self, status: int) -> None:
        self.meter.stop(f"the endpoint answers {status}")
        if status == NOT_THERE:
            what, key = f"knows no model {self._settings.model!r}, or base_url is not its address up to /v1", "model"
        else:
            held = f"the key in {self._settings.key_env}" if self._settings.key_env else "requests without a key"
            what, key = f"refuses {held}", "key_env"
        message = f"{self._path}: {self._key}.{key}: {self._settings.base_url} answers {status}: it {what}"
        raise ConfigError(message, path=self._path, key=f"{self._key}.{key}")

    def _body(self, messages: Messages, schema: Mapping[str, Any], limit: int) -> dict[str, Any]:
        body: dict[str, Any] = {"model": self._settings.model, "messages": list(messages)}
        body[self._settings.limit_key] = limit
        if self._settings.temperature is not None:
            body["temperature"] = self._settings.temperature
        match self._settings.structured:
            case "json_schema":
                described = {"name": "reply", "strict": True, "schema": dict(schema)}
                body["response_format"] = {"type": "json_schema", "json_schema": described}
            case "json_object":
                body["response_format"] = {"type": "json_object"}
            case "prompt":
                pass
        if self._settings.extra:
            body["extra_body"] = self._settings.extra
        return body

    def _connect(self) -> "OpenAI":
        """The client, made when the first request is sent: importing it takes a second and a run may need none.

        Raises:
            ConfigError: the variable that should hold the key is not set.
        """
        with self._lock:
            if self._client is None:
                from openai import OpenAI

                client = OpenAI(
                    base_url=self._settings.base_url,
                    api_key=self._read_key(),
                    timeout=self._settings.timeout_s,
                    max_retries=0,
                )
                weakref.finalize(self, client.close)
                self._client = client
            return self._client

    def _read_key(self) -> str:
        variable = self._settings.key_env
        if variable is None:
            return "none"
        found = read_secret(variable)
        if found is None:
            message = (
                f"{self._path}: {self._key}.key_env: the environment variable {variable} is not set; set it to the key"
            )
            raise ConfigError(message, path=self._path, key=f"{self._key}.key_env")
        return found


def _note_usage(completion: "ChatCompletion", tally: _Tally, meter: Meter) -> None:
    """Add what a reply tells of its cost, its end and its model."""
    usage = getattr(completion, "usage", None)
    n_input = _count(getattr(usage, "prompt_tokens", None))
    n_output = _count(getattr(usage, "completion_tokens", None))
    told = getattr(usage, "cost", None)
    usd = float(told) if isinstance(told, int | float) and told >= 0 else meter.usd_of(n_input, n_output)
    tally.n_input.append(n_input)
    tally.n_output.append(n_output)
    tally.usd.append(usd)
    choices = completion.choices or ()
    tally.finish_reason = str(choices[0].finish_reason) if choices else "none"
    tally.model = getattr(completion, "model", None)


def _content_of(completion: "ChatCompletion", tally: _Tally) -> str:
    """Text of a reply that ended as it should.

    Raises:
        JudgeFailed: `cut`, `filtered`, `refused`, `empty` or `malformed`.
    """
    if not completion.choices:
        message = "the reply holds no choice"
        raise JudgeFailed(message, reason="empty")
    said = completion.choices[0].message
    refusal = getattr(said, "refusal", None)
    if refusal:
        message = f"the model refuses: {str(refusal)[:200]}"
        raise JudgeFailed(message, reason="refused")
    match tally.finish_reason:
        case "length":
            message = f"the reply was cut at its limit, tried up to {LONGER[-1]} times max_tokens"
            raise JudgeFailed(message, reason="cut")
        case "content_filter":
            message = "the reply was filtered at the endpoint"
            raise JudgeFailed(message, reason="filtered")
        case "tool_calls" | "function_call":
            message = "the reply calls a tool, and none was offered"
            raise JudgeFailed(message, reason="malformed")
    if not isinstance(said.content, str) or not said.content.strip():
        message = f"the reply is empty (it ended with {tally.finish_reason!r})"
        raise JudgeFailed(message, reason="empty")
    return said.content


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def _sum(values: Sequence[Any]) -> Any:
    """Sum; None where there is no value or one is not known."""
    return None if not values or any(value is None for value in values) else sum(values)


def _text_length(messages: Messages) -> int:
    """Characters of the texts in messages; pictures do not count."""
    total = 0
    for message in messages:
        content = message["content"]
        parts = [{"text": content}] if isinstance(content, str) else content
        total += sum(len(part.get("text", "")) for part in parts)
    return total
