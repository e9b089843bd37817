"""Means over questions, per slice, with interval, denominator and what the policies touched."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from eval_pipeline.foundation.errors import InputError
from eval_pipeline.metrics.intervals import Interval, bca_of_means, interval_of_mean, is_binary
from eval_pipeline.metrics.scoring import (
    NO_RELEVANT,
    NOTHING_RANKED,
    QUESTION_NOT_RUN,
    SCORED,
    TIED,
    TIED_BEYOND_DEPTH,
    WAITING,
)
from eval_pipeline.tasks.contracts import Resampling

ALL, UNKNOWN = "all", "unknown"
WAS_TO_COUNT = (SCORED, QUESTION_NOT_RUN, NO_RELEVANT, WAITING, NOTHING_RANKED, TIED, TIED_BEYOND_DEPTH)
"""What becomes of a question that nothing but the contract's policies and its own ranking leaves out."""


@dataclass(frozen=True, kw_only=True)
class SliceFigure:
    """One mean over the questions of a slice.

    Attributes:
        measure: name.
        slice: declared slice, or `all`.
        slice_value: value of the slice, or `all`.
        estimate: mean over questions with a value; None with a reason.
        reason: `scored`, or the commonest reason why there is no value.
        interval: interval or why there is none.
        n_questions: questions in the slice.
        n_scored: of these, with a value.
        policy_counts: questions that each policy or reason touched; only those above 0.
        chance: mean chance over the questions with a value; None where it has no meaning.
        rows: the rows with a value, sorted by question id.
        members: every row of the slice, with or without a value.
    """

    measure: str
    slice: str
    slice_value: str
    estimate: float | None
    reason: str
    interval: Interval
    n_questions: int
    n_scored: int
    policy_counts: Mapping[str, int]
    chance: float | None
    rows: pl.DataFrame
    members: pl.DataFrame


def slice_members(questions: pl.DataFrame, slices: Sequence[str]) -> pl.DataFrame:
    """Which question is in which slice.

    Args:
        questions: column question_id and, where known, one column per slice: a value, or a list of values for a
            question that belongs to several.
        slices: declared slices. A slice without a column, or a question without a value, reads `unknown`.

    Returns:
        slice, slice_value, question_id; the whole set first as `all`.
    """
    frames = [questions.select(slice=pl.lit(ALL), slice_value=pl.lit(ALL), question_id="question_id")]
    for name in slices:
        if name not in questions.columns:
            valued = questions.select("question_id", slice_value=pl.lit(None, dtype=pl.String))
        else:
            valued = questions.select("question_id", slice_value=name)
            if isinstance(valued.schema["slice_value"], pl.List):
                valued = valued.explode("slice_value").unique()
        frames.append(
            valued.select(
                slice=pl.lit(name),
                slice_value=pl.col("slice_value").cast(pl.String).fill_null(UNKNOWN),
                question_id="question_id",
            )
        )
    return pl.concat(frames).sort("slice", "slice_value", "question_id")


def aggregate(
    *, scored: pl.DataFrame, questions: pl.DataFrame, slices: Sequence[str], resampling: Resampling
) -> Iterator[SliceFigure]:
    """Means per slice and measure.

    Args:
        scored: see `scoring.score_questions`, and `chance` (null where it has no meaning).
        questions: see `slice_members`; where `resampling.unit` is not `question`, a column of that name as well.
        slices: declared slices.
        resampling: of the contract.

    Raises:
        InputError: the resampling unit has no column, or a question has no value in it.
    """
    members = slice_members(questions, slices)
    scored = _with_clusters(scored, questions, resampling)
    for (name, value), inside in members.group_by(["slice", "slice_value"], maintain_order=True):
        rows = scored.join(inside.select("question_id"), on="question_id", how="semi")
        groups = {
            str(key[0]): group.sort("question_id") for key, group in rows.group_by(["measure"], maintain_order=True)
        }
        intervals = _intervals(groups, resampling)
        for measure, group in groups.items():
            yield _figure(measure, str(name), str(value), group, intervals[measure])


def _with_clusters(scored: pl.DataFrame, questions: pl.DataFrame, resampling: Resampling) -> pl.DataFrame:
    if resampling.unit == "question":
        return scored.with_columns(cluster=pl.lit(None, dtype=pl.String))
    unit = resampling.unit
    if unit not in questions.columns or questions[unit].null_count():
        message = f"the contract resamples whole {unit}s, but not every question names its {unit}"
        raise InputError(message)
    named = questions.select("question_id", cluster=pl.col(unit).cast(pl.String))
    return scored.join(named, on="question_id", how="left", maintain_order="left")


def _intervals(groups: Mapping[str, pl.DataFrame], resampling: Resampling) -> dict[str, Interval]:
    """Intervals by measure; measures over the same questions share one draw of resamples."""
    found: dict[str, Interval] = {}
    together: dict[tuple[str, ...], list[str]] = {}
    settings = {"level": resampling.level, "resamples": resampling.resamples, "seed": resampling.seed}
    for measure, group in groups.items():
        rows = group.filter(pl.col("reason") == SCORED)
        values = rows["value"].to_numpy()
        if resampling.unit == "question" and len(values) and not is_binary(values):
            together.setdefault(tuple(rows["question_id"]), []).append(measure)
            continue
        clusters = None if resampling.unit == "question" else rows["cluster"].to_numpy().astype(np.str_)
        found[measure] = interval_of_mean(values, clusters=clusters, **settings)  # type: ignore[arg-type]  # by name
    for names in together.values():
        columns = [groups[name].filter(pl.col("reason") == SCORED)["value"].to_numpy() for name in names]
        intervals = bca_of_means(np.column_stack(columns), **settings)  # type: ignore[arg-type]  # by name
        found.update(zip(names, intervals, strict=True))
    return found


def _figure(measure: str, name: str, value: str, group: pl.DataFrame, interval: Interval) -> SliceFigure:
    rows = group.filter(pl.col("reason") == SCORED)
    chance = rows["chance"].mean() if rows["chance"].null_count() == 0 else None
    estimate = rows["value"].mean()
    return SliceFigure(
        measure=measure,
        slice=name,
        slice_value=value,
        estimate=None if estimate is None else float(estimate),  # type: ignore[arg-type]  # a mean of floats
        reason=SCORED if rows.height else _commonest(group),
        interval=interval,
        n_questions=group.height,
        n_scored=rows.height,
        policy_counts=count_touched(group),
        chance=None if chance is None else float(chance),  # type: ignore[arg-type]  # a mean of floats
        rows=rows,
        members=group,
    )


def _commonest(group: pl.DataFrame) -> str:
    counts = group.group_by("reason").len().sort(["len", "reason"], descending=[True, False])
    return str(counts.item(0, "reason"))


def count_touched(group: pl.DataFrame) -> dict[str, int]:
    """How many questions each policy touched and each reason left without a value; only those above 0.

    A policy touches only questions that were to count: one that is left out for another reason (no negatives, a pool
    that is too small) is counted under that reason alone.

    Keys: `missing_question`, `no_relevant`, `unjudged`, `unretrieved` (policies), and `without value: REASON`.
    """
    counting = group.filter(pl.col("reason").is_in(WAS_TO_COUNT))
    touched = {
        "missing_question": int(counting["is_missing"].sum()),
        "no_relevant": int((counting["is_no_relevant"] & ~counting["is_missing"]).sum()),
        "unjudged": int((counting["n_unjudged"] > 0).sum()),
        "unretrieved": int(counting["is_censored"].sum()),
    }
    left_out = group.filter(pl.col("reason") != SCORED).group_by("reason").len().sort("reason")
    touched.update({f"without value: {reason}": count for reason, count in left_out.iter_rows()})
    return {name: count for name, count in touched.items() if count}
