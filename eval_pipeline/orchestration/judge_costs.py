"""What a call of a judge has taken so far, and what many of them would take."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import polars as pl

from eval_pipeline.foundation.tables.judging import GAVE
from eval_pipeline.orchestration.question_sets import judge_of
from eval_pipeline.orchestration.resources import Project
from eval_pipeline.orchestration.run_rates import Rate

FREE_JUDGES = ("text-match",)


@dataclass(frozen=True, kw_only=True)
class CallCost:
    """Means over the verdicts that a judge version was paid for.

    Attributes:
        n_calls: verdicts behind the means; failures count into their cost.
        n_tokens: tokens of a verdict; None where the endpoint does not tell.
        usd: money of a verdict; None where no price is known.
        seconds: of a verdict, waiting included; None where not measured.
    """

    n_calls: int
    n_tokens: float | None
    usd: float | None
    seconds: float | None


@dataclass(frozen=True, kw_only=True)
class Foreseen:
    """What a number of calls would take; None where it cannot be known.

    Attributes:
        n_calls: calls.
        n_tokens: tokens.
        usd: money.
        hours: with as many at one time as the judge declares.
    """

    n_calls: int
    n_tokens: float | None
    usd: float | None
    hours: float | None


def cost_of_calls(calls: pl.DataFrame) -> CallCost | None:
    """Mean cost of a verdict; None where none was paid for.

    Args:
        calls: rows of judging.call of one judge version.
    """
    n_given = calls.filter(pl.col("outcome") == GAVE).height
    if not n_given:
        return None
    tokens = calls.select((pl.col("n_input_tokens") + pl.col("n_output_tokens")).sum()).item()
    knows_tokens = calls["n_input_tokens"].is_not_null().any()
    knows_money = calls["usd"].is_not_null().any()
    return CallCost(
        n_calls=n_given,
        n_tokens=float(tokens) / n_given if knows_tokens else None,
        usd=float(calls.select(pl.col("usd").sum()).item()) / n_given if knows_money else None,
        seconds=float(calls.select(pl.col("elapsed_s").sum()).item()) / n_given,
    )


def foresee_calls(cost: CallCost | None, *, n_calls: int, concurrency: int) -> Foreseen:
    """What so many calls would take at the cost so far.

    Args:
        cost: means so far; None where nothing is known.
        n_calls: calls.
        concurrency: at one time.
    """
    if cost is None:
        return Foreseen(n_calls=n_calls, n_tokens=None, usd=None, hours=None)
    return Foreseen(
        n_calls=n_calls,
        n_tokens=None if cost.n_tokens is None else cost.n_tokens * n_calls,
        usd=None if cost.usd is None else cost.usd * n_calls,
        hours=None if cost.seconds is None else cost.seconds * n_calls / concurrency / 3600,
    )


def is_free(declared: Mapping[str, Any]) -> bool:
    """Whether a declared judge costs nothing."""
    return declared.get("type") in FREE_JUDGES


def foresee_judge(project: Project, name: str, *, n_calls: int, rate: Rate, is_new: bool) -> Foreseen:
    """What a declared judge takes: nothing but time at the measured rate where it is free, else what it took so far.

    Args:
        project: the project.
        name: of the judge in eval.yaml.
        n_calls: calls.
        rate: pairs per second of free judges.
        is_new: whether the project has no ledger yet.
    """
    if is_free(project.declared.judges[name]):
        return Foreseen(n_calls=n_calls, n_tokens=0.0, usd=0.0, hours=n_calls / rate.value / 3600)
    judge = judge_of(project, name)
    cost = None if is_new else cost_of_calls(project.read("judging/calls_of", judge_id=judge.judge_id))
    return foresee_calls(cost, n_calls=n_calls, concurrency=getattr(judge, "concurrency", 1))
