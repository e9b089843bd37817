"""Parts of a figure's questions that must not stand in one column: appearance negatives, and what two arenas share."""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import polars as pl

from eval_pipeline.foundation.ids import canonical_json, content_id, set_id
from eval_pipeline.metrics.aggregate import ALL, WAS_TO_COUNT
from eval_pipeline.metrics.intervals import Interval, interval_of_mean
from eval_pipeline.metrics.scoring import NO_RELEVANT, QUESTION_NOT_RUN, SCORED
from eval_pipeline.tasks.contracts import Resampling

SIBLINGS, NAIVE, CORPUS = "siblings", "random", "corpus"
APPEARANCE = "appearance"
"""Arena of questions whose hard negatives only look alike: their gold unit lacks a declared facet."""
SHARED = "same questions"
"""Slice of questions that have a value in the naive arena and in `siblings`; its value is `all`."""
NOT_OF_PARTS = "not computed for a part of clustered questions"
CHANCE = "control-random"


def main_measure(measures: Iterable[str]) -> str:
    """`acceptable` where an evaluation measures that (the under-specified slice), else `sufficient`."""
    return "acceptable" if any(measure.startswith("acceptable@") for measure in measures) else "sufficient"


def separate(figures: pl.DataFrame, values: pl.DataFrame, *, main: str, resampling: Resampling) -> pl.DataFrame:
    """Take questions with appearance negatives out of `siblings`, and add what the arenas say on the same questions.

    Args:
        figures: rows of metrics.metric of one evaluation with `variant` and `is_control`.
        values: variant, arena, measure, question_id, value, reason, n_candidates, n_unjudged, is_censored, is_apart:
            one row per receipt.
        main: `sufficient` or `acceptable`: its `@1` is the figure that shared questions are compared on.
        resampling: of the contract.

    Returns:
        The same columns. Where a question is apart, `siblings` (slice `all`) counts the others, and arena `appearance`
        counts those alone. Slice `same questions` holds `main@1` of the naive arena, siblings and corpus on the
        questions that have a value in both of the first two. A row that was made here keeps the `metric_id` of the
        figure whose receipts it is a part of, so that `trace` shows them; its denominator is its own.
    """
    whole = {(row["variant"], row["arena"], row["measure"]): row for row in _whole(figures)}
    groups = {
        (str(variant), str(arena), str(measure)): part
        for (variant, arena, measure), part in values.group_by("variant", "arena", "measure", maintain_order=True)
    }
    made = [*_apart(whole, groups, values, resampling), *_shared(whole, groups, f"{main}@1", resampling)]
    _add_chance(made)
    if not made:
        return figures
    new = pl.DataFrame(made, schema=figures.schema)
    key = ["variant", "arena", "slice", "slice_value", "measure"]
    return pl.concat([figures.join(new, on=key, how="anti", maintain_order="left"), new]).sort(
        "is_control", "variant", "arena", "slice", "slice_value", "measure"
    )


def _whole(figures: pl.DataFrame) -> list[dict[str, Any]]:
    return figures.filter((pl.col("slice") == ALL) & (pl.col("slice_value") == ALL)).to_dicts()


Whole = Mapping[tuple[str, str, str], dict[str, Any]]
Groups = Mapping[tuple[str, str, str], pl.DataFrame]


def _apart(whole: Whole, groups: Groups, values: pl.DataFrame, resampling: Resampling) -> Iterator[dict[str, Any]]:
    if not values.filter((pl.col("arena") == SIBLINGS) & pl.col("is_apart")).height:
        return
    for (variant, arena, measure), row in whole.items():
        part = groups.get((variant, arena, measure))
        if arena != SIBLINGS or part is None:
            continue
        yield _figure(row, part.filter(~pl.col("is_apart")), resampling, part_of="declared axes")
        yield {**_figure(row, part.filter("is_apart"), resampling, part_of=APPEARANCE), "arena": APPEARANCE}


def _shared(whole: Whole, groups: Groups, measure: str, resampling: Resampling) -> Iterator[dict[str, Any]]:
    for variant in sorted({name for name, _, _ in whole}):
        sides = [groups.get((variant, arena, measure)) for arena in (NAIVE, SIBLINGS)]
        if sides[0] is None or sides[1] is None:
            continue
        named = [side.filter(pl.col("value").is_not_null()) for side in sides if side is not None]
        common = named[1].filter(~pl.col("is_apart")).join(named[0], on="question_id", how="semi")
        for arena in (NAIVE, SIBLINGS, CORPUS):
            part = groups.get((variant, arena, measure))
            if part is not None and (variant, arena, measure) in whole:
                rows = part.join(common, on="question_id", how="semi", maintain_order="left")
                found = _figure(whole[variant, arena, measure], rows, resampling, part_of=SHARED)
                yield {**found, "slice": SHARED, "slice_value": ALL}


def _figure(row: dict[str, Any], part: pl.DataFrame, resampling: Resampling, *, part_of: str) -> dict[str, Any]:
    scored = part.filter(pl.col("value").is_not_null()).sort("question_id")
    mean, sizes = scored["value"].mean(), scored["n_candidates"].drop_nulls()
    interval = _interval(scored, resampling)
    asked = set_id("qset", scored["question_id"].to_list())
    denominator = content_id("den", {"part": part_of, "of": row["denominator_id"], "questions": asked})
    return {
        **row,
        "estimate": mean,
        "reason": SCORED if scored.height else _commonest(part),
        "low": interval.low,
        "high": interval.high,
        "interval": interval.method,
        "n_questions": part.height,
        "n_scored": scored.height,
        "n_candidates_min": sizes.min() if sizes.len() else row["n_candidates_min"],
        "n_candidates_max": sizes.max() if sizes.len() else row["n_candidates_max"],
        "policy_counts": canonical_json(_count_touched(part, json.loads(row["policy_counts"]))),
        "chance": None,
        "denominator_id": denominator,
    }


def _count_touched(part: pl.DataFrame, whole: Mapping[str, int]) -> dict[str, int]:
    """As `aggregate.count_touched`; what receipts do not tell by question is named as a count of the whole figure."""
    counting = part.filter(pl.col("reason").is_in(WAS_TO_COUNT))
    touched = {
        "unjudged": int((counting["n_unjudged"] > 0).sum()),
        "unretrieved": int(counting["is_censored"].sum()),
    }
    for policy, reason in (("missing_question", QUESTION_NOT_RUN), ("no_relevant", NO_RELEVANT)):
        if f"without value: {reason}" in whole or not whole.get(policy):
            touched[policy] = int((counting["reason"] == reason).sum())
        else:
            touched[f"{policy} of the whole figure"] = whole[policy]
    left_out = part.filter(pl.col("value").is_null()).group_by("reason").len().sort("reason")
    touched |= {f"without value: {reason}": n for reason, n in left_out.iter_rows()}
    return {name: n for name, n in touched.items() if n}


def _commonest(part: pl.DataFrame) -> str:
    counts = part.group_by("reason").len().sort(["len", "reason"], descending=[True, False])
    return str(counts.item(0, "reason")) if counts.height else "no_questions"


def _interval(scored: pl.DataFrame, resampling: Resampling) -> Interval:
    if resampling.unit != "question":
        return Interval(low=None, high=None, method=NOT_OF_PARTS)
    return interval_of_mean(
        scored["value"].to_numpy(), level=resampling.level, resamples=resampling.resamples, seed=resampling.seed
    )


def _add_chance(rows: list[dict[str, Any]]) -> None:
    """Chance of a part is what control-random, an expectation over orders, scores on the same questions."""
    key = ("arena", "slice", "measure", "n_scored")
    chances = {tuple(row[name] for name in key): row["estimate"] for row in rows if row["variant"] == CHANCE}
    for row in rows:
        row["chance"] = chances.get(tuple(row[name] for name in key))
