"""Whether negatives can be rejected on appearance alone (MEASURES 5)."""

from dataclasses import dataclass

import numpy as np
import polars as pl

from eval_pipeline.foundation.frames import Table, integer, real, text
from eval_pipeline.metrics.intervals import Interval, interval_of_mean
from eval_pipeline.tasks.contracts import Resampling

CODE_VERSION = "2"
"""Raised when the rule may give another verdict: an evaluation stores it as a stamp."""
MARGIN = 0.10
MIN_QUESTIONS = 30
LEVEL = 0.95
"""Of the bound that the rule reads, whatever level a contract declares for its figures."""
ARENA, MEASURE = "siblings", "sufficient@1"
APPEARANCE, RANDOM = "control-appearance", "control-random"
CAN, CANNOT = "negatives can be rejected on appearance", "negatives cannot be rejected on appearance"
ON_AXES, LOOKS_ALONE = "declared axes", "appearance"
VALUES = {
    "variant": pl.String,
    "question_id": pl.String,
    "value": pl.Float64,
    "is_apart": pl.Boolean,
    "template_id": pl.String,
    "cluster": pl.String,
}
"""What the rule reads: sufficient@1 of the two controls per question in the siblings arena.

`is_apart` is true where every negative is there for its looks alone (the page lacks a declared facet); `template_id` is
null without one; `cluster` is what the contract resamples, null where it resamples questions.
"""

BY_TEMPLATE = Table(
    name="metrics.appearance_by_template",
    grain="one row per template x kind of pool",
    key=("template_id", "pools"),
    columns=(
        text("template_id", "Template of the gold unit; empty without one."),
        text("pools", "`declared axes`, or `appearance` for pages that lack a facet.", allowed=(ON_AXES, LOOKS_ALONE)),
        integer("n_questions", "Questions with a value of both controls."),
        real("gold_first", "Mean sufficient@1 of control-appearance: how often its first page suffices."),
        real("low", "Lower end of the 95 % interval; null where there is none.", nullable=True),
        real("high", "Upper end; null where there is none.", nullable=True),
        real("chance", "What control-random has on the same questions."),
        text("verdict", "Can or cannot be rejected on appearance, or why that is left open."),
    ),
)


@dataclass(frozen=True, kw_only=True)
class Rejectability:
    """What control-appearance says of the negatives.

    Attributes:
        is_rejectable: True when its lower bound exceeds control-random + 0.10; None where too few questions or
            missing figures leave it open.
        reason: in words.
        estimate: mean of control-appearance; None where there is none.
        low: its 95 % lower bound; None where there is none.
        high: the upper one.
        random: mean of control-random on the same questions; None where there is none.
        n: questions with a value of both.
    """

    is_rejectable: bool | None
    reason: str
    estimate: float | None = None
    low: float | None = None
    high: float | None = None
    random: float | None = None
    n: int = 0


def judge_rejectability(values: pl.DataFrame, *, resampling: Resampling) -> Rejectability:
    """Compare control-appearance with control-random in the siblings arena, on the pools drawn along declared axes.

    Pages that lack a facet have the nearest pages of all as negatives: these are read apart, as they would hide what
    the others show, and count here only where there is nothing else.

    Args:
        values: see VALUES; rows of other variants are passed over.
        resampling: of the contract.
    """
    pairs = _pair(values)
    on_axes = pairs.filter(~pl.col("is_apart"))
    return _judge(on_axes if on_axes.height else pairs, resampling)


def tabulate_by_template(values: pl.DataFrame, *, resampling: Resampling) -> pl.DataFrame:
    """The same rule, template by template; pages without facets apart.

    Args:
        values: see VALUES.
        resampling: of the contract.

    Returns:
        BY_TEMPLATE, what is furthest above its chance first: templates that can be rejected, then the others by
        `low` - `chance`, those without a bound last.
    """
    rows, excess = [], []
    keyed = _pair(values).with_columns(pl.col("template_id").fill_null(""))
    for (template_id, is_apart), part in keyed.group_by("template_id", "is_apart", maintain_order=True):
        found = _judge(part, resampling)
        rows.append(
            {
                "template_id": template_id,
                "pools": LOOKS_ALONE if is_apart else ON_AXES,
                "n_questions": found.n,
                "gold_first": found.estimate,
                "low": found.low,
                "high": found.high,
                "chance": found.random,
                "verdict": found.reason,
            }
        )
        excess.append((not found.is_rejectable, -_excess(found)))
    order = sorted(
        range(len(rows)), key=lambda place: (*excess[place], rows[place]["template_id"], rows[place]["pools"])
    )
    return BY_TEMPLATE.frame([rows[place] for place in order])


def _excess(found: Rejectability) -> float:
    return -1.0 if found.low is None or found.random is None else found.low - found.random


def _pair(values: pl.DataFrame) -> pl.DataFrame:
    """Questions with a value of both controls: `seen`, `blind` and what is known of the question; sorted."""
    known = values.filter(pl.col("value").is_not_null())
    seen = known.filter(pl.col("variant") == APPEARANCE).drop("variant").rename({"value": "seen"})
    blind = known.filter(pl.col("variant") == RANDOM).select("question_id", blind="value")
    return seen.join(blind, on="question_id").sort("question_id")


def _judge(pairs: pl.DataFrame, resampling: Resampling) -> Rejectability:
    if pairs.is_empty():
        return Rejectability(is_rejectable=None, reason="no figure of the controls")
    estimate, random = float(np.mean(pairs["seen"].to_numpy())), float(np.mean(pairs["blind"].to_numpy()))
    interval = _interval(pairs, resampling)
    known = {"estimate": estimate, "low": interval.low, "high": interval.high, "random": random}
    if pairs.height < MIN_QUESTIONS:
        reason = f"{pairs.height} question{'s' if pairs.height > 1 else ''}, {MIN_QUESTIONS} needed"
        return Rejectability(is_rejectable=None, reason=reason, n=pairs.height, **known)
    if interval.low is None:
        reason = f"no interval of {APPEARANCE}: {interval.method}"
        return Rejectability(is_rejectable=None, reason=reason, n=pairs.height, **known)
    is_bad = interval.low > random + MARGIN
    return Rejectability(is_rejectable=is_bad, reason=CAN if is_bad else CANNOT, n=pairs.height, **known)


def _interval(pairs: pl.DataFrame, resampling: Resampling) -> Interval:
    clusters = None if resampling.unit == "question" else pairs["cluster"].to_numpy().astype(np.str_)
    return interval_of_mean(
        pairs["seen"].to_numpy(),
        level=LEVEL,
        resamples=resampling.resamples,
        seed=resampling.seed,
        clusters=clusters,
    )
