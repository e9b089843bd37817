"""Read the stored rows of receipts again, in the shape in which they are scored; a receipt stands for its question."""

from dataclasses import dataclass, replace

import polars as pl

from eval_pipeline.metrics.arenas import CORPUS, rank_within
from eval_pipeline.receipts.rows import number_ties


@dataclass(frozen=True, kw_only=True)
class StoredEvidence:
    """Stored rows, as the ledger's tables hold them; extra columns are passed over.

    Attributes:
        receipts: receipts.receipt.
        units: receipts.receipt_unit of these.
        receipt_labels: receipts.receipt_label of these.
        negatives: receipts.receipt_negative of these.
        labels: labels.label, all that are named.
        gold: questions.question_gold of their questions.
        contracts: tasks.contract, all that are named.
        variants: runs.variant, all that are named.
        rankings: variant_id, question_id, stage, rank, unit_id, score of the run; needed for controls, and where it is
            given every receipt's units are read again from it. A receipt may be older than the run: give the
            rankings of the run that made it, or none.
        joint_sets: labels.joint_set, all that are named as labels.
        hidden: unit_id of units that the asker may not see; without it leak@k is not computed again.
    """

    receipts: pl.DataFrame
    units: pl.DataFrame
    receipt_labels: pl.DataFrame
    negatives: pl.DataFrame
    labels: pl.DataFrame
    gold: pl.DataFrame
    contracts: pl.DataFrame
    variants: pl.DataFrame
    rankings: pl.DataFrame | None = None
    joint_sets: pl.DataFrame | None = None
    hidden: pl.DataFrame | None = None


def ranked_again(stored: StoredEvidence) -> pl.DataFrame:
    """Ranked units of every receipt by the stored rankings: receipt_id, rank, unit_id, score."""
    assert stored.rankings is not None
    frames = []
    for (variant, arena), receipts in stored.receipts.group_by(["variant_id", "arena"], maintain_order=True):
        mine = stored.rankings.filter(pl.col("variant_id") == variant)
        named = receipts.select("receipt_id", "question_id")
        candidates = None if arena == CORPUS else candidates_of(stored, named).select("receipt_id", "unit_id")
        rows = mine.join(named, on="question_id").drop("question_id").rename({"receipt_id": "question_id"})
        if candidates is not None:
            candidates = candidates.rename({"receipt_id": "question_id"})
        frames.append(rank_within(rows, arena=str(arena), candidates=candidates).rename({"question_id": "receipt_id"}))
    schema = {"receipt_id": pl.String, "unit_id": pl.String, "score": pl.Float64, "rank": pl.Int64}
    return pl.concat([pl.DataFrame(schema=schema), *(frame.select(list(schema)) for frame in frames)])


def candidates_of(stored: StoredEvidence, named: pl.DataFrame) -> pl.DataFrame:
    """Candidates of receipts in restricted arenas: gold and negatives."""
    gold = named.join(stored.gold, on="question_id").select(
        "receipt_id", "unit_id", axis=pl.lit(None, dtype=pl.String), rank=pl.lit(None, dtype=pl.Int64)
    )
    drawn = stored.negatives.join(named, on="receipt_id", how="semi").select(
        "receipt_id", unit_id="negative_unit_id", axis="axis", rank="rank"
    )
    return pl.concat([gold, drawn])


def ranked_rows(stored: StoredEvidence, group: pl.DataFrame, *, over_ties: bool) -> pl.DataFrame:
    """Units read by receipts, with the grades of the labels that they rest on; a receipt stands for its question."""
    named = group.select("receipt_id", "question_id")
    labels = (
        stored.receipt_labels.join(named, on="receipt_id", how="semi")
        .join(stored.labels.select("label_id", "unit_id", "grade"), on="label_id")
        .select("receipt_id", "unit_id", "grade")
        .unique(["receipt_id", "unit_id"], keep="first", maintain_order=True)
    )
    rows = stored.units.join(named, on="receipt_id").join(labels, on=["receipt_id", "unit_id"], how="left")
    gold = stored.gold.select("question_id", "unit_id", is_gold=pl.lit(value=True)).unique()
    rows = rows.join(gold, on=["question_id", "unit_id"], how="left").with_columns(
        pl.col("is_gold").fill_null(value=False)
    )
    if stored.hidden is not None:
        hidden = stored.hidden["unit_id"].implode()
        rows = rows.with_columns(is_hidden=pl.col("unit_id").is_in(hidden))
    if over_ties:
        scores = ranked_again(replace(stored, receipts=group))
        rows = rows.join(scores.select("receipt_id", "unit_id", "score"), on=["receipt_id", "unit_id"], how="left")
    return rows.drop("question_id").rename({"receipt_id": "question_id"})


def asked_by(stored: StoredEvidence, group: pl.DataFrame) -> pl.DataFrame:
    """Questions of receipts, as `score_questions` takes them, with R as the stored labels give it."""
    grades = stored.receipt_labels.join(group, on="receipt_id", how="semi").join(
        stored.labels.select("label_id", "grade"), on="label_id"
    )
    counts = grades.group_by("receipt_id").agg(
        n_relevant=(pl.col("grade") == "sufficient").sum(), n_supporting=(pl.col("grade") == "supporting").sum()
    )
    golden = stored.gold.group_by("question_id").agg(n_gold=pl.len().cast(pl.Int64))
    joint = (
        joint_sets_of(stored, group)
        .group_by("question_id")
        .agg(n_joint=pl.col("joint_set_id").n_unique().cast(pl.Int64))
    )
    asked = (
        group.select("receipt_id", "question_id", n_candidates="n_read")
        .join(counts, on="receipt_id", how="left")
        .join(golden, on="question_id", how="left")
        .drop("question_id")
        .rename({"receipt_id": "question_id"})
    )
    return asked.join(joint, on="question_id", how="left")


def joint_sets_of(stored: StoredEvidence, group: pl.DataFrame) -> pl.DataFrame:
    """Jointly sufficient sets that receipts name: question_id (holds the receipt), joint_set_id, unit_id."""
    schema = {"question_id": pl.String, "joint_set_id": pl.String, "unit_id": pl.String}
    if stored.joint_sets is None:
        return pl.DataFrame(schema=schema)
    named = stored.receipt_labels.join(group, on="receipt_id", how="semi")
    rows = named.join(stored.joint_sets, left_on="label_id", right_on="joint_set_id")
    return rows.select(question_id="receipt_id", joint_set_id="label_id", unit_id="unit_id")


def tie_sizes_of(stored: StoredEvidence, controls: set[str]) -> dict[str, list[int]]:
    """Sizes of the groups of equal score among the units that each receipt of a control read, by receipt id."""
    mine = stored.receipts.filter(pl.col("variant_id").is_in(sorted(controls)))
    if stored.rankings is None or mine.is_empty():
        return {}
    scores = ranked_again(replace(stored, receipts=mine)).rename({"receipt_id": "question_id"})
    tied = number_ties(scores).rename({"question_id": "receipt_id"})
    read = stored.units.join(tied.select("receipt_id", "unit_id", "tie"), on=["receipt_id", "unit_id"])
    sizes = read.sort("receipt_id", "rank").group_by("receipt_id").agg(sizes=pl.col("tie").rle().struct.field("len"))
    return dict(sizes.iter_rows())
