"""The loss waterfall of one variant, as it is handed over and as it is laid out."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from statistics import median

import polars as pl

from eval_pipeline.metrics.three_recalls import Recall, ThreeRecalls
from eval_pipeline.report.wording import explain_reason, join_words, write_count, write_number

MAX_ROWS = 40
"""Lost questions that are printed; the others are counted."""
MAX_VALUES = 12
"""Values of a slice that are charted, those with most lost questions first."""
FOUND = "found"
STAGES = (
    "representation",
    "neighbour",
    "lexical",
    "fusion",
    "rerank",
    "eligibility",
    "cut-off",
    "no_eligible_evidence",
)
BY_SLICE = {"slice": pl.String, "slice_value": pl.String, "stage_loss": pl.String, "n": pl.Int64}


@dataclass(frozen=True, kw_only=True, eq=False)
class Waterfall:
    """What became of the evidence of one variant.

    Attributes:
        variant: its name.
        k: first places that count.
        n_questions: questions that were run and count.
        recalls: representation, neighbour and final recall.
        traced: see `metrics.waterfall.TRACE`, one row per lost question.
        displaced: see `metrics.waterfall.DISPLACED`.
        spans: scores that stand first in each merged list, see `metrics.waterfall.span_scores`.
        merging: how lists are merged, in words; empty where none are.
        adds_raw_scores: whether their scores are added as they are, whatever their scales.
        by_slice: slice, slice_value, stage_loss (`found` for questions that lost nothing), n.
        texts: question texts by id.
        places: what a unit is in a few words, by id; units that may not be shown are not in it.
        not_answered: questions that the retriever did not answer, by reason.
        latency: median and 95th percentile in milliseconds, by stage.
    """

    variant: str
    k: int
    n_questions: int
    recalls: ThreeRecalls
    traced: pl.DataFrame
    displaced: pl.DataFrame
    spans: Mapping[str, tuple[float, float]]
    merging: str
    adds_raw_scores: bool
    by_slice: pl.DataFrame
    texts: Mapping[str, str]
    places: Mapping[str, str]
    not_answered: Mapping[str, int] = field(default_factory=dict)
    latency: Mapping[str, tuple[float, float]] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class LostRow:
    """One lost question: its text, the stage in words, the page that was followed, its rank in every stage."""

    question_id: str
    text: str
    loss: str
    unit: str
    before: str
    after: str
    path: str


@dataclass(frozen=True, kw_only=True)
class SliceBar:
    """One value of a slice: questions, and the part of them that was found or lost at a stage, from 0 to 1."""

    label: str
    n: int
    parts: tuple[tuple[str, str, float, float, int], ...]


@dataclass(frozen=True, kw_only=True)
class WaterfallView:
    """One variant as the template reads it.

    Attributes:
        variant: its name.
        k: first places that count.
        recalls: (what, value or reason, what it means).
        patterns: what was found, in sentences.
        rows: lost questions.
        n_left: further ones.
        slices: (name of the slice, bars, values left out).
        latency: (stage, median, 95th percentile), in words.
    """

    variant: str
    k: int
    recalls: tuple[tuple[str, str, str], ...]
    patterns: tuple[str, ...]
    rows: tuple[LostRow, ...]
    n_left: int
    slices: tuple[tuple[str, tuple[SliceBar, ...], int], ...]
    latency: tuple[tuple[str, str, str], ...]


def lay_waterfall(found: Waterfall, slice_names: Mapping[str, str]) -> WaterfallView:
    """Lay one variant out.

    Args:
        found: what became of the evidence.
        slice_names: readable names of values of the slice `template`.
    """
    rows = tuple(_lay_row(row, found) for row in found.traced.head(MAX_ROWS).iter_rows(named=True))
    return WaterfallView(
        variant=found.variant,
        k=found.k,
        recalls=_lay_recalls(found.recalls),
        patterns=tuple(text for text in (name_displacement(found), _name_unanswered(found)) if text),
        rows=rows,
        n_left=max(0, found.traced.height - MAX_ROWS),
        slices=_lay_slices(found.by_slice, slice_names),
        latency=tuple(
            (stage, f"{1000 * middle:.1f} ms", f"{1000 * high:.1f} ms")
            for stage, (middle, high) in found.latency.items()
        ),
    )


def name_displacement(found: Waterfall) -> str:
    """What merging cost, in words; empty where it cost nothing.

    The pattern: a page labelled sufficient, within the first k of a list that was merged, absent from the first k of
    the merged list.
    """
    if found.displaced.is_empty():
        return ""
    k, n = found.k, found.displaced.height
    by_list = (
        found.displaced.group_by("stage")
        .agg(n=pl.len(), rank=pl.col("rank").median())
        .sort("n", "stage", descending=[True, False])
    )
    lists = join_words([f"{n_of} in {stage} (median rank {rank:g})" for stage, n_of, rank in by_list.iter_rows()])
    after = [rank for rank in found.displaced["fused_rank"].to_list() if rank is not None]
    n_gone = n - len(after)
    ends = [
        f"at rank {median(after):g} in the median" if after else "",
        f"nowhere in the stored list for {n_gone}" if n_gone else "",
    ]
    return (
        f"Lost by merging: for {n} of {write_count(found.traced.height, 'lost question')} a page labelled sufficient "
        f"is among the first {k} of a list that was merged ({lists}) and absent from the first {k} of the merged list, "
        f"where it stands {join_words([end for end in ends if end])}. {_name_scales(found)}"
    )


def _name_scales(found: Waterfall) -> str:
    many = {2: "Two lists", 3: "Three lists"}.get(len(found.spans), f"{len(found.spans)} lists")
    if not found.adds_raw_scores:
        return f"{many} were merged: {found.merging}."
    spans = join_words([f"{low:.3g} to {high:.3g} in {stage}" for stage, (low, high) in found.spans.items()])
    return (
        f"{many} with as many scoring scales were merged into one: {found.merging}; the score that stands first runs "
        f"from {spans}, so the list with the largest numbers decides."
    )


def _name_unanswered(found: Waterfall) -> str:
    if not found.not_answered:
        return ""
    told = join_words([f"{reason} {n}" for reason, n in sorted(found.not_answered.items())])
    total = write_count(sum(found.not_answered.values()), "question")
    return (
        f"Not answered: {total} ({told}). They have no ranking, are counted by the policy missing_question, and are "
        "asked again in the next run."
    )


def _lay_recalls(found: ThreeRecalls) -> tuple[tuple[str, str, str], ...]:
    return (
        _lay_recall(
            "representation",
            found.representation,
            f"a sufficient page within the exact first {found.depth} of the vectors",
        ),
        _lay_recall("neighbour", found.neighbour, "share of these that the approximate index returned"),
        _lay_recall("final", found.final, f"a sufficient page within the first {found.k} in the end"),
    )


def _lay_recall(name: str, recall: Recall, meaning: str) -> tuple[str, str, str]:
    """Name, value and meaning; without a value the reason says all."""
    return name, _spell(recall), "" if recall.value is None else meaning


def _spell(recall: Recall) -> str:
    if recall.value is None:
        return f"no value: {recall.reason}"
    return f"{write_number(recall.value)} (n = {recall.n:,})"


def _lay_row(row: Mapping[str, object], found: Waterfall) -> LostRow:
    unit, before = row["unit_id"], row["stage_before"]
    rank_after = row["rank_after"]
    return LostRow(
        question_id=str(row["question_id"]),
        text=found.texts.get(str(row["question_id"]), ""),
        loss=explain_reason(str(row["stage_loss"])),
        unit="no stage held one" if unit is None else found.places.get(str(unit), "a page that may not be shown"),
        before="–" if before is None else f"{before} {row['rank_before']}",
        after=f"{row['stage_after'] or row['stage_loss']} {'–' if rank_after is None else rank_after}",
        path=str(row["path"] or ""),
    )


def _lay_slices(by_slice: pl.DataFrame, names: Mapping[str, str]) -> tuple[tuple[str, tuple[SliceBar, ...], int], ...]:
    laid = []
    for (name,), rows in by_slice.sort("slice").group_by("slice", maintain_order=True):
        lost = pl.col("n").filter(pl.col("stage_loss") != FOUND).sum()
        sizes = rows.group_by("slice_value").agg(lost=lost, n=pl.col("n").sum())
        ordered = sizes.sort("lost", "n", "slice_value", descending=[True, True, False])
        values = ordered.filter(pl.col("lost") > 0).head(MAX_VALUES)
        bars = tuple(_lay_bar(value, rows, names) for value in values["slice_value"])
        if bars:
            laid.append((str(name), bars, ordered.height - len(bars)))
    return tuple(laid)


def _lay_bar(value: str, rows: pl.DataFrame, names: Mapping[str, str]) -> SliceBar:
    counts = dict(rows.filter(pl.col("slice_value") == value).select("stage_loss", "n").iter_rows())
    total, start, parts = sum(counts.values()), 0.0, []
    for stage in (FOUND, *STAGES):
        if stage in counts:
            share = counts[stage] / total
            parts.append((stage, explain_reason(stage), start, share, counts[stage]))
            start += share
    return SliceBar(label=names.get(value, value), n=total, parts=tuple(parts))
