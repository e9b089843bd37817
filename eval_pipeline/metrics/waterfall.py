"""The loss waterfall: where a lost question still had its evidence, at which rank, and where it had it no more."""

from collections.abc import Mapping

import polars as pl

from eval_pipeline.metrics.losses import ARENA_PREFIX, CUT_OFF, loss_of_stage

TRACE = {
    "question_id": pl.String,
    "stage_loss": pl.String,
    "unit_id": pl.String,
    "stage_before": pl.String,
    "rank_before": pl.Int64,
    "stage_after": pl.String,
    "rank_after": pl.Int64,
    "path": pl.String,
}
DISPLACED = {
    "question_id": pl.String,
    "unit_id": pl.String,
    "stage": pl.String,
    "rank": pl.Int64,
    "fused_rank": pl.Int64,
}
FUSED = "fused"
ABSENT = "–"
_ORDER = ("representation", "neighbour", "lexical", None, "fusion", "rerank", "eligibility", CUT_OFF)
"""Losses in the order in which their stages run; None stands for stages that we cannot name."""


def trace_losses(*, rankings: pl.DataFrame, sufficient: pl.DataFrame, losses: pl.DataFrame) -> pl.DataFrame:
    """Follow the best sufficient unit of every lost question through the stages.

    Args:
        rankings: question_id, stage, rank, unit_id, of one variant, every stage; arenas are passed over.
        sufficient: question_id, unit_id: units labelled sufficient.
        losses: question_id, stage_loss (null rows are passed over), see `losses.find_losses`.

    Returns:
        One row per lost question, sorted by question. `unit_id` is the sufficient unit that stood highest in any stage
        (the smaller id where two did); `stage_before`, `rank_before`: where that was; `stage_after`: the stage that
        lost it, `rank_after`: its rank there, null where the list lacks it; `path`: its rank in every stage. All but
        the first two are null where no stage ever held one.
    """
    lost = losses.filter(pl.col("stage_loss").is_not_null()).select("question_id", "stage_loss").unique()
    staged = _stages(rankings)
    hits = staged.join(sufficient.select("question_id", "unit_id").unique(), on=["question_id", "unit_id"], how="semi")
    hits = hits.join(lost, on="question_id").sort("question_id", "rank", "unit_id", "place", "stage")
    best = hits.group_by("question_id", maintain_order=True).first()
    best = best.select("question_id", "unit_id", stage_before="stage", rank_before="rank", place_before="place")
    of_best = hits.join(best.select("question_id", "unit_id"), on=["question_id", "unit_id"])
    after = _stages_after(staged, lost).join(
        of_best.select("question_id", stage_after="stage", rank_after="rank"),
        on=["question_id", "stage_after"],
        how="left",
    )
    paths = _write_paths(staged, best, of_best)
    traced = lost.join(best, on="question_id", how="left").join(after, on="question_id", how="left")
    return traced.join(paths, on="question_id", how="left").select(list(TRACE)).cast(TRACE).sort("question_id")  # type: ignore[arg-type]  # polars types a schema too narrowly


def find_displaced(*, rankings: pl.DataFrame, traced: pl.DataFrame, sufficient: pl.DataFrame, k: int) -> pl.DataFrame:
    """Lost questions whose evidence one list had among its first k and the merged list has not.

    This is narrower than the loss `fusion` (the merged list lacks it altogether) and wider (a rank beyond k counts):
    it is what merging did to the first k.

    Args:
        rankings: question_id, stage, rank, unit_id, of one variant.
        traced: see `trace_losses`.
        sufficient: question_id, unit_id.
        k: cut-off.

    Returns:
        One row per such question, sorted: the unit, the list that had it highest, its rank there, and its rank in the
        merged list (null where it is not in it). Empty for a variant that merges nothing.
    """
    staged = _stages(rankings).join(traced.select("question_id"), on="question_id", how="semi")
    hits = staged.join(sufficient.select("question_id", "unit_id").unique(), on=["question_id", "unit_id"], how="semi")
    is_fused = pl.col("stage") == FUSED
    merged = staged.filter(is_fused).select("question_id").unique()
    kept = hits.filter(is_fused & (pl.col("rank") <= k)).select("question_id")
    before = hits.filter((pl.col("place") < _ORDER.index("fusion")) & (pl.col("rank") <= k))
    before = before.join(merged, on="question_id", how="semi").join(kept, on="question_id", how="anti")
    best = before.sort("question_id", "rank", "place", "stage", "unit_id").group_by("question_id", maintain_order=True)
    fused = hits.filter(is_fused).select("question_id", "unit_id", fused_rank="rank")
    found = best.first().join(fused, on=["question_id", "unit_id"], how="left")
    return found.select(list(DISPLACED)).cast(DISPLACED).sort("question_id")  # type: ignore[arg-type]  # as above


def span_scores(rankings: pl.DataFrame) -> Mapping[str, tuple[float, float]]:
    """The scores that stand first in each merged list: their 5th and 95th percentile over questions, by stage.

    Args:
        rankings: question_id, stage, rank, unit_id, score, of one variant.

    Returns:
        Of the stages before `fused`, by name; empty for a variant that merges nothing.
    """
    if FUSED not in rankings["stage"].unique().to_list():
        return {}
    first = _stages(rankings).filter((pl.col("rank") == 1) & (pl.col("place") < _ORDER.index("fusion")))
    spans = first.group_by("stage", "place").agg(
        low=pl.col("score").quantile(0.05, "nearest"), high=pl.col("score").quantile(0.95, "nearest")
    )
    return {stage: (low, high) for stage, _, low, high in spans.sort("place", "stage").iter_rows()}


def _stages(rankings: pl.DataFrame) -> pl.DataFrame:
    """Rows of stages, with `place`: where the stage runs. Inner stages of a nested hybrid are those of its parts."""
    names = [name for name in rankings["stage"].unique().to_list() if not name.startswith(ARENA_PREFIX)]
    known = [name for name in names if ":" not in name or name.endswith(f":{FUSED}")]
    places = pl.DataFrame(
        {"stage": known, "place": [_place_of(name) for name in known]}, schema={"stage": pl.String, "place": pl.Int64}
    )
    return rankings.join(places, on="stage")


def _place_of(stage: str) -> int:
    return _ORDER.index(None if ":" in stage else loss_of_stage(stage))


def _stages_after(staged: pl.DataFrame, lost: pl.DataFrame) -> pl.DataFrame:
    """By question, the stage that its loss is named after."""
    named = (
        staged.select("stage")
        .unique()
        .with_columns(
            stage_loss=pl.col("stage").map_elements(
                lambda name: loss_of_stage(name) if ":" not in name else None, pl.String
            )
        )
    )
    first = named.drop_nulls().sort("stage").group_by("stage_loss", maintain_order=True).first()
    return lost.join(first, on="stage_loss", how="left").select("question_id", stage_after="stage")


def _write_paths(staged: pl.DataFrame, best: pl.DataFrame, of_best: pl.DataFrame) -> pl.DataFrame:
    stages = staged.select("stage", "place").unique()
    every = best.select("question_id").join(stages, how="cross")
    placed = every.join(of_best.select("question_id", "stage", "rank"), on=["question_id", "stage"], how="left")
    text = pl.format("{} {}", "stage", pl.col("rank").cast(pl.String).fill_null(ABSENT))
    ordered = placed.sort("question_id", "place", "stage").with_columns(text=text)
    return ordered.group_by("question_id", maintain_order=True).agg(path=pl.col("text").str.join(" > "))
