"""Rows that tell how a judge was asked, what came of it, and when a pair is asked again."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

import polars as pl

from eval_pipeline.foundation.errors import JudgeFailed
from eval_pipeline.foundation.ids import canonical_json
from eval_pipeline.foundation.protocols import PaidCall, Verdict
from eval_pipeline.foundation.tables.judging import CALL_OUTCOMES, CONTENT_FAILURES, GAVE, NOT_ASKED
from eval_pipeline.judging.meter import Paid

OTHER = "failed"
"""Reason of a judge of the user's own that is none of ours."""


def count_attempts(calls: pl.DataFrame) -> dict[str, int]:
    """Times that each verdict was asked for, by verdict id; what was not asked does not count.

    Args:
        calls: rows of judging.call.
    """
    asked = calls.group_by("verdict_id").agg(pl.col("attempt").max())
    return dict(asked.select("verdict_id", "attempt").iter_rows())


def given_up(calls: pl.DataFrame, *, asks: int | None) -> set[str]:
    """Verdict ids that are not asked for again: their replies were no verdicts as often as the judge declares.

    What may pass (a busy endpoint, a time-out, a budget) does not count: it is asked again in every run.

    Args:
        calls: rows of judging.call.
        asks: declared times; None gives nothing up.
    """
    if asks is None:
        return set()
    bad = calls.filter(pl.col("outcome").is_in(list(CONTENT_FAILURES)))
    counted = bad.group_by("verdict_id").len().filter(pl.col("len") >= asks)
    return set(counted["verdict_id"])


def paid_by(calls: pl.DataFrame) -> Paid:
    """Tokens and money that calls took; what an endpoint did not tell counts as nothing.

    Args:
        calls: columns n_input_tokens, n_output_tokens, usd.
    """
    summed = calls.select(
        tokens=pl.col("n_input_tokens").fill_null(0).sum() + pl.col("n_output_tokens").fill_null(0).sum(),
        usd=pl.col("usd").fill_null(0.0).sum(),
    )
    return Paid(n_tokens=int(summed.item(0, "tokens")), usd=float(summed.item(0, "usd")))


def to_call_row(
    said: Verdict | JudgeFailed, *, pair: Mapping[str, str], verb: str, judge_id: str, attempt: int, now: datetime
) -> dict[str, Any] | None:
    """Row of judging.call; None for a verdict that nothing was paid for.

    Args:
        said: what came.
        pair: verdict_id, question_id, unit_id.
        verb: what was asked.
        judge_id: judge version.
        attempt: 1 for the first.
        now: aware time.
    """
    call = said.call
    if isinstance(said, Verdict):
        if call is None:
            return None
        outcome, detail = GAVE, ""
    else:
        outcome, detail = (said.reason if said.reason in CALL_OUTCOMES else OTHER), str(said)
    call = call or PaidCall()
    return {
        "verdict_id": pair["verdict_id"],
        "attempt": 0 if outcome in NOT_ASKED else attempt,
        "verb": verb,
        "question_id": pair["question_id"],
        "unit_id": pair["unit_id"],
        "judge_id": judge_id,
        "outcome": outcome,
        "detail": detail,
        "called_at_utc": now,
        **call_columns(call),
    }


def call_columns(call: PaidCall) -> dict[str, Any]:
    """Columns that tell what a call took."""
    return {
        "finish_reason": call.finish_reason,
        "model": call.model,
        "picture_size": call.picture_size,
        "shown_order": canonical_json(list(call.shown_order)) if call.shown_order else None,
        "n_requests": call.n_requests,
        "n_input_tokens": call.n_input_tokens,
        "n_output_tokens": call.n_output_tokens,
        "usd": call.usd,
        "elapsed_s": call.elapsed_s,
    }
