"""Counts as bars: funnel, losses by stage, labels by author kind, agreement."""

from collections.abc import Mapping
from dataclasses import dataclass

import polars as pl

from eval_pipeline.foundation.tables.labels import GRADES
from eval_pipeline.labels.agreement import Agreement
from eval_pipeline.report.data import LABEL_SHARE, LOSS, fit_frame
from eval_pipeline.report.wording import explain_author, explain_funnel, explain_reason, write_number, write_percent


@dataclass(frozen=True, kw_only=True)
class CountRow:
    """One count; `share` is its length against the longest, 0 to 1; `is_part` where it is part of the row above."""

    label: str
    n: int
    share: float
    is_part: bool = False


@dataclass(frozen=True, kw_only=True)
class SharePart:
    """One author kind in the bar of a variant; `label` is the kind in words."""

    author_kind: str
    label: str
    n: int
    start: float
    share: float
    text: str


@dataclass(frozen=True, kw_only=True)
class ShareBar:
    """Labels in the first k of one variant, by author kind; `n` is their sum."""

    variant: str
    n: int
    parts: tuple[SharePart, ...]


@dataclass(frozen=True, kw_only=True)
class AgreementView:
    """Agreement as it is printed.

    Attributes:
        reason: why there is none; empty where there is.
        rows: (what, value or reason).
        cells: counts by person's grade (outer) and model's grade, in order of grades; empty where not known.
    """

    reason: str
    rows: tuple[tuple[str, str], ...] = ()
    cells: tuple[tuple[str, tuple[int, ...]], ...] = ()


def count_rows(counts: Mapping[str, int]) -> tuple[CountRow, ...]:
    """Words of the funnel with bars, in the order given; what no question came to is left out."""
    longest = max(counts.values(), default=0)
    return tuple(
        CountRow(
            label=explain_funnel(word),
            n=n,
            share=n / longest if longest else 0.0,
            is_part=word.startswith("answerable_"),
        )
        for word, n in counts.items()
        if n
    )


def read_losses(frame: pl.DataFrame) -> tuple[tuple[str, tuple[CountRow, ...]], ...]:
    """Losses by variant, stages in the order given, against the longest of all.

    Raises:
        LineageError: see `data.fit_frame`.
    """
    losses = fit_frame(frame, LOSS)
    longest = max(losses["n"].to_list(), default=0)
    by_variant: dict[str, list[CountRow]] = {}
    for variant, stage, n in losses.iter_rows():
        row = CountRow(label=explain_reason(stage), n=n, share=n / longest if longest else 0.0)
        by_variant.setdefault(variant, []).append(row)
    return tuple((variant, tuple(rows)) for variant, rows in by_variant.items())


def read_label_shares(frame: pl.DataFrame) -> tuple[ShareBar, ...]:
    """Labels by variant and author kind, in the order given.

    Raises:
        LineageError: see `data.fit_frame`.
    """
    by_variant: dict[str, dict[str, int]] = {}
    for variant, author_kind, n in fit_frame(frame, LABEL_SHARE).iter_rows():
        by_variant.setdefault(variant, {})[author_kind] = n
    return tuple(_stack(variant, counts) for variant, counts in by_variant.items())


def _stack(variant: str, counts: dict[str, int]) -> ShareBar:
    total, start, parts = sum(counts.values()), 0.0, []
    for author_kind, n in counts.items():
        share = n / total if total else 0.0
        text = write_percent(share) if total else "no labels"
        label = explain_author(author_kind)
        parts.append(SharePart(author_kind=author_kind, label=label, n=n, start=start, share=share, text=text))
        start += share
    return ShareBar(variant=variant, n=total, parts=tuple(parts))


def read_agreement(agreement: Agreement | Mapping[str, object] | str) -> AgreementView:
    """Agreement in words; a mapping is printed name by name, a text is the reason why there is none."""
    if isinstance(agreement, str):
        return AgreementView(reason=explain_reason(agreement))
    if isinstance(agreement, Mapping):
        return AgreementView(reason="", rows=tuple((explain_reason(str(k)), _spell(v)) for k, v in agreement.items()))
    if agreement.raw.value is None:
        return AgreementView(reason=explain_reason(agreement.raw.reason or "not measured"))
    rows = (
        ("same grade, weighted by inclusion", f"{_spell(agreement.raw)} {_spell_interval(agreement)}"),
        ("Cohen's kappa", _spell(agreement.kappa)),
        ("same grade on the sufficient/supporting boundary", _spell(agreement.boundary)),
        ("pairs", f"{agreement.n_pairs:,}"),
        ("audited questions", f"{agreement.n_questions:,}"),
    )
    cells = tuple((person, tuple(agreement.table[person, model] for model in GRADES)) for person in GRADES)
    return AgreementView(reason="", rows=rows, cells=cells)


def _spell(value: object) -> str:
    if value is None:
        return "no value"
    if isinstance(value, float):
        return write_number(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    if hasattr(value, "value") and hasattr(value, "reason"):
        return _spell(value.value) if value.value is not None else explain_reason(str(value.reason))
    if isinstance(value, Mapping):
        return "; ".join(f"{explain_reason(str(name))}: {_spell(item)}" for name, item in value.items())
    return explain_reason(str(value))


def _spell_interval(agreement: Agreement) -> str:
    if agreement.low.value is None or agreement.high.value is None:
        return f"(no interval: {explain_reason(agreement.low.reason or agreement.high.reason or 'not measured')})"
    return f"[{_spell(agreement.low)}, {_spell(agreement.high)}]"
