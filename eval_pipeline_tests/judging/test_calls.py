"""Rows of calls, and when a pair is asked again."""

from datetime import UTC, datetime

import polars as pl
import pytest

from eval_pipeline.foundation.errors import JudgeFailed
from eval_pipeline.foundation.protocols import PaidCall, Verdict
from eval_pipeline.foundation.tables.judging import CALL, CONTENT_FAILURES, NOT_ASKED, PASSING_FAILURES
from eval_pipeline.judging.calls import count_attempts, given_up, paid_by, to_call_row
from eval_pipeline.judging.meter import Paid

NOW = datetime(2026, 1, 5, tzinfo=UTC)
PAIR = {"verdict_id": "v", "question_id": "q", "unit_id": "u"}


def row_of(said, attempt: int = 1):
    return to_call_row(said, pair=PAIR, verb="label", judge_id="j", attempt=attempt, now=NOW)


def a_frame(*outcomes: str) -> pl.DataFrame:
    rows = [row_of(JudgeFailed("m", reason=outcome), attempt) for attempt, outcome in enumerate(outcomes, start=1)]
    return CALL.frame(rows)


@pytest.mark.parametrize("reason", CONTENT_FAILURES)
def test_replies_that_are_no_verdicts_are_given_up_in_the_end(reason: str) -> None:
    assert given_up(a_frame(reason, reason), asks=3) == set()
    assert given_up(a_frame(reason, reason, reason), asks=3) == {"v"}
    assert given_up(a_frame(reason, reason, reason), asks=None) == set()


@pytest.mark.parametrize("reason", PASSING_FAILURES)
def test_what_may_pass_is_asked_again_for_ever(reason: str) -> None:
    assert given_up(a_frame(*[reason] * 9), asks=1) == set()
    assert count_attempts(a_frame(*[reason] * 9)) == {"v": 9}


@pytest.mark.parametrize("reason", NOT_ASKED)
def test_what_was_not_asked_is_one_row_under_attempt_nought(reason: str) -> None:
    row = row_of(JudgeFailed("m", reason=reason), attempt=4)
    assert (row["attempt"], row["n_requests"], row["outcome"]) == (0, 0, reason)


def test_a_free_verdict_has_no_row_and_a_paid_one_has() -> None:
    assert row_of(Verdict(outcome="supporting", reason="r")) is None
    call = PaidCall(n_requests=1, n_input_tokens=5, n_output_tokens=2, usd=0.25, shown_order=("u", "w"))
    row = row_of(Verdict(outcome="supporting", reason="r", call=call))
    assert (row["outcome"], row["detail"], row["shown_order"]) == ("verdict", "", '["u","w"]')
    assert paid_by(CALL.frame([row, {**row, "attempt": 2, "usd": None}])) == Paid(n_tokens=14, usd=0.25)
    assert paid_by(CALL.empty()) == Paid()


def test_a_reason_of_a_judge_of_the_users_own_is_kept_in_words() -> None:
    row = row_of(JudgeFailed("the moon is full", reason="moon"))
    assert (row["outcome"], row["detail"]) == ("failed", "the moon is full")
