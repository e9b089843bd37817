"""Budgets hold with many threads, and over runs."""

import contextlib
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval_pipeline.foundation.errors import JudgeFailed
from eval_pipeline.judging.endpoint_settings import BudgetSettings, PriceSettings
from eval_pipeline.judging.meter import FAILURES_IN_A_ROW, Meter, Paid


def a_meter(*, tokens: int | None = None, usd: float | None = None, price: PriceSettings | None = None) -> Meter:
    return Meter(budget=BudgetSettings(tokens=tokens, usd=usd), price=price)


@given(costs=st.lists(st.integers(1, 50), max_size=30), budget=st.integers(0, 400))
def test_never_more_than_the_budget(costs: list[int], budget: int) -> None:
    meter = a_meter(tokens=budget)
    for cost in costs:
        with contextlib.suppress(JudgeFailed):
            meter.settle(meter.reserve(cost, 10), n_input=cost, n_output=3, usd=None)
        assert meter.paid.n_tokens <= budget


def test_what_earlier_runs_paid_counts() -> None:
    meter = a_meter(tokens=100)
    meter.count_paid(Paid(n_tokens=95))
    with pytest.raises(JudgeFailed, match="95 are paid"):
        meter.reserve(5, 5)


def test_money_by_the_declared_price() -> None:
    meter = a_meter(usd=0.001, price=PriceSettings(input=1.0, output=10.0))
    assert meter.usd_of(100, 50) == pytest.approx(0.0006)
    assert meter.usd_of(None, 50) is None
    meter.settle(meter.reserve(100, 50), n_input=100, n_output=50, usd=0.0006)
    with pytest.raises(JudgeFailed, match=r"budget\.usd 0\.001 does not hold another call: 0\.0006 is paid"):
        meter.reserve(100, 50)


def test_a_call_waits_for_what_others_set_aside_before_it_is_refused() -> None:
    meter = a_meter(tokens=100)
    first = meter.reserve(40, 40)
    came: list[str] = []

    def second() -> None:
        meter.settle(meter.reserve(40, 40), n_input=15, n_output=5, usd=None)
        came.append("asked")

    thread = threading.Thread(target=second)
    thread.start()
    meter.settle(first, n_input=15, n_output=5, usd=None)
    thread.join(timeout=5)
    assert came == ["asked"]
    assert meter.paid.n_tokens == 40


def test_a_released_request_cost_nothing() -> None:
    meter = a_meter(tokens=10)
    meter.release(meter.reserve(5, 5))
    meter.reserve(5, 5)


def test_failures_in_a_row_stop_and_a_reply_between_does_not() -> None:
    meter = a_meter()
    for _ in range(FAILURES_IN_A_ROW - 1):
        meter.note(is_reply=False)
    meter.note(is_reply=True)
    meter.note(is_reply=False)
    meter.check()
    for _ in range(FAILURES_IN_A_ROW):
        meter.note(is_reply=False)
    with pytest.raises(JudgeFailed, match="in a row"):
        meter.check()


def test_the_first_word_of_stop_stays() -> None:
    meter = a_meter()
    meter.stop("first")
    meter.stop("second")
    with pytest.raises(JudgeFailed, match="first") as caught:
        meter.reserve(1, 1)
    assert caught.value.reason == "stopped"


def test_a_guess_that_fell_short_is_corrected_from_the_first_reply_on() -> None:
    meter = a_meter(tokens=100)
    meter.settle(meter.reserve(10, 5), n_input=40, n_output=5, usd=None)
    meter.release(meter.reserve(10, 5))
    meter.settle(meter.reserve(10, 5), n_input=40, n_output=5, usd=None)
    with pytest.raises(JudgeFailed, match="90 are paid"):
        meter.reserve(10, 5)
