"""Where the evidence of a lost question went: the first stage after which no provider holds a sufficient unit."""

from collections.abc import Sequence

import polars as pl

NO_ELIGIBLE_EVIDENCE = "no_eligible_evidence"
CUT_OFF = "cut-off"
LISTED = "listed"
ELSEWHERE = "elsewhere"
ARENA_PREFIX = "arena:"

LOSS_OF_STAGE = {
    "exact": "representation",
    "index": "neighbour",
    "approximate": "neighbour",
    "ann": "neighbour",
    "lexical": "lexical",
    "fused": "fusion",
    "reranked": "rerank",
    "eligible": "eligibility",
    "final": CUT_OFF,
}
"""Loss by the last word of a stage's name: `image.exact` is `representation`."""

_PROVIDERS = ("representation", "lexical", "neighbour")
_LATER = ("fusion", "rerank", "eligibility", CUT_OFF)


def loss_of_stage(stage: str) -> str | None:
    """The loss that a stage can cause; None for arenas and for stages of an outside retriever that we cannot name."""
    return LOSS_OF_STAGE.get(stage.rpartition(".")[2])


def find_losses(
    *,
    rankings: pl.DataFrame,
    sufficient: pl.DataFrame,
    question_ids: Sequence[str],
    k: int,
    hidden: pl.DataFrame | None,
) -> pl.DataFrame:
    """Name the loss of every question whose first k final places hold no sufficient unit.

    Args:
        rankings: columns question_id, stage, rank, unit_id, of one variant.
        sufficient: columns question_id, unit_id: units labelled sufficient.
        question_ids: questions asked.
        k: cut-off.
        hidden: column unit_id: units that the asker may not see; None where that is not known.

    Returns:
        question_id, stage_loss: `representation`, `lexical`, `neighbour`, `fusion`, `rerank`, `eligibility`, `cut-off`,
        or `no_eligible_evidence` where the asker may see none of the sufficient units. Null where nothing was lost,
        where no unit is sufficient, and where an outside retriever lacks them all in stages that we cannot name.
    """
    asked = pl.DataFrame({"question_id": sorted(question_ids)}, schema={"question_id": pl.String})
    asked = asked.join(sufficient.select("question_id").unique(), on="question_id", how="semi")
    held = _held_stages(rankings, sufficient, asked, k)
    names = {loss for stage in rankings["stage"].unique() if (loss := loss_of_stage(stage)) is not None}
    losses = [
        (question, _first_loss(set(stages or ()), names))
        for question, stages in held.sort("question_id").select("question_id", "held").iter_rows()
    ]
    found = pl.DataFrame(losses, schema={"question_id": pl.String, "stage_loss": pl.String}, orient="row")
    if hidden is None:
        return found
    visible = sufficient.join(hidden.select("unit_id"), on="unit_id", how="anti").select("question_id").unique()
    barred = asked.join(visible, on="question_id", how="anti").with_columns(barred=pl.lit(value=True))
    return found.join(barred, on="question_id", how="left", maintain_order="left").select(
        "question_id", stage_loss=pl.when("barred").then(pl.lit(NO_ELIGIBLE_EVIDENCE)).otherwise("stage_loss")
    )


def _held_stages(rankings: pl.DataFrame, sufficient: pl.DataFrame, asked: pl.DataFrame, k: int) -> pl.DataFrame:
    """Losses that did not happen, by question.

    `listed`: the final list holds a sufficient unit at any rank; `elsewhere`: a stage without a name of ours does.
    """
    hits = rankings.join(sufficient.select("question_id", "unit_id"), on=["question_id", "unit_id"], how="semi")
    hits = hits.filter(~pl.col("stage").str.starts_with(ARENA_PREFIX))
    loss = pl.col("stage").map_elements(loss_of_stage, return_dtype=pl.String)
    named = hits.with_columns(loss=loss).with_columns(pl.col("loss").fill_null(ELSEWHERE))
    beyond = (pl.col("loss") == CUT_OFF) & (pl.col("rank") > k)
    named = named.with_columns(loss=pl.when(beyond).then(pl.lit(LISTED)).otherwise("loss"))
    held = named.group_by("question_id").agg(held=pl.col("loss").unique())
    return asked.join(held, on="question_id", how="left")


def _first_loss(held: set[str], names: set[str]) -> str | None:
    """Walk the stages that there are, in the order in which they run."""
    if CUT_OFF in held:
        return None
    providers = [name for name in _PROVIDERS if name in names]
    if ELSEWHERE not in held and providers and (lost := _lost_in_providers(held, names)) is not None:
        return lost
    if not providers and not held:
        return None
    return next((name for name in _LATER if name in names and name not in held), None)


def _lost_in_providers(held: set[str], names: set[str]) -> str | None:
    """A provider ends with its index where it has one; the lexical one has a single stage."""
    image_ends = [name for name in ("neighbour", "representation") if name in names][:1]
    text_ends = ["lexical"] if "lexical" in names else []
    if any(end in held for end in image_ends + text_ends):
        return None
    if image_ends == ["neighbour"] and "representation" in held:
        return "neighbour"
    return "lexical" if text_ends else "representation"
