"""What was paid and what may still be: asking stops before a budget is exceeded, and when an endpoint is gone."""

import math
import threading
from dataclasses import dataclass

from eval_pipeline.foundation.errors import JudgeFailed
from eval_pipeline.judging.endpoint_settings import BudgetSettings, PriceSettings

FAILURES_IN_A_ROW = 12
"""Calls, each with all its retries, after which an endpoint counts as gone for this run."""


@dataclass(frozen=True, kw_only=True)
class Paid:
    """What was paid.

    Attributes:
        n_tokens: read and written.
        usd: money.
    """

    n_tokens: int = 0
    usd: float = 0.0


class Meter:
    """Counts over threads; a call reserves what it may take at most before it is sent."""

    def __init__(self, *, budget: BudgetSettings, price: PriceSettings | None) -> None:
        self._budget, self._price = budget, price
        self._lock = threading.Condition()
        self._tokens, self._usd = 0, 0.0
        self._reserved_tokens, self._reserved_usd = 0, 0.0
        self._n_reserved, self._in_a_row = 0, 0
        self._shortfall = 1.0
        self._stopped: tuple[str, str] | None = None

    def count_paid(self, paid: Paid) -> None:
        """Take over what earlier runs paid, in place of what is known so far."""
        with self._lock:
            self._tokens, self._usd = paid.n_tokens, paid.usd

    @property
    def paid(self) -> Paid:
        """What was paid so far, earlier runs included."""
        with self._lock:
            return Paid(n_tokens=self._tokens, usd=self._usd)

    def usd_of(self, n_input: int | None, n_output: int | None) -> float | None:
        """Money by the declared price; None without a price or without counts."""
        if self._price is None or n_input is None or n_output is None:
            return None
        return (n_input * self._price.input + n_output * self._price.output) / 1e6

    def stop(self, message: str, *, reason: str = "stopped") -> None:
        """Send nothing more in this run; calls that are under way end as they do."""
        with self._lock:
            self._stopped = self._stopped or (reason, message)

    def check(self) -> None:
        """Refuse when asking has stopped.

        Raises:
            JudgeFailed: reason `over budget` or `stopped`.
        """
        with self._lock:
            self._refuse_when_stopped()

    def reserve(self, n_input: int, n_output: int) -> "Reservation":
        """Set aside what a request may take at most; wait for calls under way where the rest of the budget is theirs.

        Args:
            n_input: tokens to be read, as guessed; from the first reply on, as much more as guesses fell short.
            n_output: tokens to be written, at most.

        Raises:
            JudgeFailed: the budget does not hold it (`over budget`), or asking has stopped (`stopped`).
        """
        with self._lock:
            while self._exceeds(self._foresee(n_input, n_output)) and self._n_reserved:
                self._lock.wait()
            self._refuse_when_stopped()
            reserved = self._foresee(n_input, n_output)
            if (told := self._exceeds(reserved)) is not None:
                raise JudgeFailed(told, reason="over budget")
            self._n_reserved += 1
            self._reserved_tokens += reserved.n_tokens
            self._reserved_usd += reserved.usd
        return reserved

    def settle(self, reserved: "Reservation", *, n_input: int | None, n_output: int | None, usd: float | None) -> None:
        """Count what a request really took in place of what was set aside; an unknown amount counts as set aside.

        Args:
            reserved: what `reserve` gave.
            n_input: tokens read; None where the endpoint does not tell.
            n_output: tokens written, likewise.
            usd: money; None where it is not known.
        """
        with self._lock:
            self._give_back(reserved)
            if n_input is None or n_output is None:
                self._tokens += reserved.n_tokens
            else:
                self._tokens += n_input + n_output
                self._shortfall = max(self._shortfall, n_input / max(1, reserved.n_guessed))
            self._usd += reserved.usd if usd is None else usd
            if usd is None and self._budget.usd is not None and self._price is None:
                told = (
                    "the endpoint does not tell what a reply costs and no price is declared: budget.usd cannot be kept"
                )
                self._stopped = self._stopped or ("stopped", f"{told}; declare price: {{input: ..., output: ...}}")

    def release(self, reserved: "Reservation") -> None:
        """Give back what was set aside for a request that brought no reply."""
        with self._lock:
            self._give_back(reserved)

    def note(self, *, is_reply: bool) -> None:
        """Count calls in a row that brought no reply; too many stop the asking."""
        with self._lock:
            self._in_a_row = 0 if is_reply else self._in_a_row + 1
            if self._in_a_row >= FAILURES_IN_A_ROW:
                message = f"{self._in_a_row} calls in a row brought no reply; the next run asks again"
                self._stopped = self._stopped or ("stopped", message)

    def _give_back(self, reserved: "Reservation") -> None:
        self._n_reserved -= 1
        self._reserved_tokens -= reserved.n_tokens
        self._reserved_usd -= reserved.usd
        self._lock.notify_all()

    def _refuse_when_stopped(self) -> None:
        if self._stopped is not None:
            reason, message = self._stopped
            raise JudgeFailed(message, reason=reason)

    def _foresee(self, n_input: int, n_output: int) -> "Reservation":
        guessed = math.ceil(n_input * self._shortfall)
        usd = self.usd_of(guessed, n_output) or 0.0
        return Reservation(n_tokens=guessed + n_output, usd=usd, n_guessed=n_input)

    def _exceeds(self, asked: "Reservation") -> str | None:
        """Why another request is too much, in words; None where the budget holds it."""
        n_tokens, usd = asked.n_tokens, asked.usd
        tokens, money = self._budget.tokens, self._budget.usd
        held_tokens, held_usd = self._tokens + self._reserved_tokens, self._usd + self._reserved_usd
        if tokens is not None and held_tokens + n_tokens > tokens:
            return f"budget.tokens {tokens:,} does not hold another call: {self._tokens:,} are paid"
        if money is not None and (held_usd + usd > money or held_usd >= money):
            return f"budget.usd {money:g} does not hold another call: {self._usd:.4f} is paid"
        return None


@dataclass(frozen=True, kw_only=True)
class Reservation:
    """What was set aside for one request.

    Attributes:
        n_tokens: at most.
        usd: at most; 0 without a declared price.
        n_guessed: tokens to be read, as they were guessed.
    """

    n_tokens: int
    usd: float
    n_guessed: int
