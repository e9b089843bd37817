"""Where the evidence of lost questions was, read from receipts and rankings: for the report and for Dagster."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import polars as pl

from eval_pipeline.metrics.parts import main_measure
from eval_pipeline.metrics.three_recalls import measure_recalls
from eval_pipeline.metrics.waterfall import find_displaced, span_scores, trace_losses
from eval_pipeline.orchestration.evaluating import Ground
from eval_pipeline.orchestration.naming import caption_of
from eval_pipeline.orchestration.resources import Project
from eval_pipeline.orchestration.run_reading import RunInForce, read_rankings, visible_to_all
from eval_pipeline.report.waterfall import BY_SLICE, FOUND, Waterfall
from eval_pipeline.runs.run_rows import WHOLE


class _Names(NamedTuple):
    """Texts of questions and what each page is, by id."""

    texts: Mapping[str, str]
    places: Mapping[str, str]


def read_waterfalls(project: Project, ground: Ground) -> tuple[Waterfall, ...]:
    """One per variant that has figures in the corpus arena, controls left out; in the order of the runs."""
    main = main_measure(pl.Series(ground.contract.measures, dtype=pl.String))
    read = project.read("receipts/lost_questions", evaluation_id=ground.basis.evaluation_id, main=main)
    sufficient = ground.labels.filter(pl.col("grade") == "sufficient").select("question_id", "unit_id")
    sufficient = sufficient.join(ground.units.select("unit_id"), on="unit_id", how="semi")
    names = _Names(
        texts=dict(ground.asked.questions.select("question_id", "text").iter_rows()),
        places=_name_places(project, ground),
    )
    found = []
    for run in ground.runs:
        mine = read.filter(pl.col("variant") == run.variant.name)
        if not run.variant.is_control and mine.height:
            found.append(_read_one(project, ground, run, read=mine, sufficient=sufficient, names=names))
    return tuple(found)


def _read_one(
    project: Project,
    ground: Ground,
    run: RunInForce,
    *,
    read: pl.DataFrame,
    sufficient: pl.DataFrame,
    names: "_Names",
) -> Waterfall:
    rankings, lists = read_rankings(project, run)
    counted = read.filter(pl.col("value").is_not_null()).join(
        lists.select("question_id").unique(), on="question_id", how="semi"
    )
    k = int(read.item(0, "k"))
    rankings = rankings.join(counted.select("question_id"), on="question_id", how="semi")
    traced = trace_losses(rankings=rankings, sufficient=sufficient, losses=counted)
    displaced = find_displaced(rankings=rankings, traced=traced, sufficient=sufficient, k=k)
    params = {"retrieval_run_id": run.retrieval_run_id}
    with project.session() as ledger:
        failed = ledger.read("runs/not_answered", params=params).group_by("reason").len().sort("reason")
        latency = ledger.read("runs/latency", params=params)
    return Waterfall(
        variant=run.variant.name,
        k=k,
        n_questions=counted.height,
        recalls=measure_recalls(rankings=rankings, sufficient=sufficient, question_ids=counted, k=k),
        traced=traced,
        displaced=displaced,
        spans=span_scores(rankings),
        merging=tell_merging(run.variant.configuration),
        adds_raw_scores=adds_raw_scores(run.variant.configuration),
        by_slice=count_by_slice(counted, ground.cohort.questions, ground.contract.slices),
        texts=names.texts,
        places=names.places,
        not_answered=dict(failed.iter_rows()),
        latency={row["stage"]: (row["median_s"], row["p95_s"]) for row in latency.iter_rows(named=True)},
    )


def adds_raw_scores(configuration: Mapping[str, Any]) -> bool:
    """Whether a variant adds scores of several lists as they are."""
    fusion = configuration.get("fusion") or {}
    return fusion.get("kind") == "sum" and fusion.get("normalize") == "none"


def tell_merging(configuration: Mapping[str, Any]) -> str:
    """How a variant merges lists, in words; empty where it merges none."""
    fusion = configuration.get("fusion")
    if fusion is None:
        return ""
    weighted = " with the declared weights" if fusion["weights"] else ""
    if fusion["kind"] == "rrf":
        return f"ranks were fused as 1 / ({fusion['k']} + rank){weighted}"
    if adds_raw_scores(configuration):
        return f"raw scores were added{weighted}"
    return f"scores were normalised by {fusion['normalize']} and added{weighted}"


def count_by_slice(counted: pl.DataFrame, questions: pl.DataFrame, slices: Sequence[str]) -> pl.DataFrame:
    """Questions by slice value and loss.

    Args:
        counted: question_id, value, stage_loss, of the questions that count.
        questions: question_id and a column per slice: a value, or a list of values.
        slices: declared slices.

    Returns:
        See `report.waterfall.BY_SLICE`; questions that were missed without a stage to blame are left out.
    """
    known = counted.filter(pl.col("stage_loss").is_not_null() | (pl.col("value") > 0))
    known = known.with_columns(pl.col("stage_loss").fill_null(FOUND))
    frames = [pl.DataFrame(schema=BY_SLICE)]
    for name in slices:
        values = questions.select("question_id", slice_value=pl.col(name))
        if values.schema["slice_value"] == pl.List(pl.String):
            values = values.explode("slice_value")
        rows = known.join(values.drop_nulls(), on="question_id").group_by("slice_value", "stage_loss").len("n")
        named = rows.with_columns(pl.lit(name).alias("slice"))
        frames.append(named.select(list(BY_SLICE)).cast(BY_SLICE))  # type: ignore[arg-type]  # polars types a schema too narrowly
    return pl.concat(frames).sort("slice", "slice_value", "stage_loss")


def tabulate_losses(found: Sequence[Waterfall]) -> pl.DataFrame:
    """Lost questions of all variants, for a table: variant, question, lost at, before, after."""
    frames = [
        one.traced.select(
            pl.lit(one.variant).alias("variant"),
            pl.col("question_id").replace_strict(one.texts, default="", return_dtype=pl.String).alias("question"),
            pl.col("stage_loss").alias("lost at"),
            pl.format("{} {}", "stage_before", "rank_before").alias("before"),
            pl.format("{} {}", "stage_after", pl.col("rank_after").cast(pl.String).fill_null("absent")).alias("after"),
            "question_id",
        )
        for one in found
    ]
    return pl.concat(frames) if frames else pl.DataFrame()


def tabulate_recalls(found: Sequence[Waterfall]) -> pl.DataFrame:
    """The three recalls of all variants: a value or null, and how many questions merging displaced."""
    return pl.DataFrame(
        [
            {
                "variant": one.variant,
                "representation": one.recalls.representation.value,
                "neighbour": one.recalls.neighbour.value,
                f"final, first {one.k}": one.recalls.final.value,
                "lost questions": one.traced.height,
                "lost by merging": one.displaced.height,
                "not answered": sum(one.not_answered.values()),
                "median ms": 1000 * one.latency[WHOLE][0] if WHOLE in one.latency else None,
            }
            for one in found
        ],
        infer_schema_length=None,
    )


def _name_places(project: Project, ground: Ground) -> dict[str, str]:
    """What each unit is, by id; only units that every contract's asker may see."""
    visible = visible_to_all(project, ground.units)
    axes = project.declared.axes
    return {
        row["unit_id"]: caption_of(row, axes) for row in ground.units.iter_rows(named=True) if row["unit_id"] in visible
    }
