"""How hard the negatives are: where they stand by similarity to gold, and whether looks alone reject them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import polars as pl

from eval_pipeline.foundation.frames import Table
from eval_pipeline.metrics.rejectable import BY_TEMPLATE, CAN
from eval_pipeline.negatives.hardness import HARDNESS
from eval_pipeline.report.cards import say_axis
from eval_pipeline.report.data import fit_frame
from eval_pipeline.report.wording import write_number, write_percent

MAX_TEMPLATES = 25
"""Templates printed; those that can be rejected come first."""


@dataclass(frozen=True, kw_only=True)
class HardnessRow:
    """The negatives of one axis.

    Attributes:
        name: `other period`, `nearest by appearance`, `random pages`.
        n_questions: questions that have such negatives.
        n_negatives: negatives.
        median: median corpus rank.
        spread: ranks between which eight of ten stand.
        n_corpus: pages ranked.
        top_share: share in the first 1 % of all pages.
    """

    name: str
    n_questions: int
    n_negatives: int
    median: str
    spread: str
    n_corpus: int
    top_share: str


@dataclass(frozen=True, kw_only=True)
class TemplateRow:
    """One template as control-appearance sees it.

    Attributes:
        name: readable name, else the id; `no template` without one.
        template_id: the template; empty without one.
        pools: `declared axes` or `appearance`.
        n: questions.
        gold_first: how often the control's first page suffices.
        interval: of that; `no interval` without one.
        chance: what a random order has on the same questions.
        verdict: in words.
        is_rejectable: whether its negatives can be rejected on appearance.
    """

    name: str
    template_id: str
    pools: str
    n: int
    gold_first: str
    interval: str
    chance: str
    verdict: str
    is_rejectable: bool


def lay_hardness(frame: pl.DataFrame | None) -> tuple[HardnessRow, ...]:
    """Rows of `negatives.hardness.HARDNESS` in words; none where nobody measured."""
    return tuple(
        HardnessRow(
            name="random pages" if row["axis"] == "random" else say_axis(row["axis"]),
            n_questions=row["n_questions"],
            n_negatives=row["n_negatives"],
            median=f"{row['median_rank']:,.0f}" if row["median_rank"] % 1 == 0 else f"{row['median_rank']:,.1f}",
            spread=f"{row['rank_p10']:,} to {row['rank_p90']:,}",
            n_corpus=row["n_corpus"],
            top_share=write_percent(row["top_share"]),
        )
        for row in _rows(frame, HARDNESS)
    )


def lay_templates(frame: pl.DataFrame | None, names: Mapping[str, str]) -> tuple[TemplateRow, ...]:
    """Rows of `metrics.rejectable.BY_TEMPLATE` in words; none where nobody measured.

    Args:
        frame: the rows, in the order to show them.
        names: readable names by template id.
    """
    return tuple(
        TemplateRow(
            name=names.get(row["template_id"], row["template_id"]) or "no template",
            template_id=row["template_id"],
            pools=row["pools"],
            n=row["n_questions"],
            gold_first=write_number(row["gold_first"]),
            interval=_interval(row["low"], row["high"]),
            chance=write_number(row["chance"]),
            verdict=row["verdict"],
            is_rejectable=row["verdict"] == CAN,
        )
        for row in _rows(frame, BY_TEMPLATE)
    )


def _interval(low: float | None, high: float | None) -> str:
    return "no interval" if low is None or high is None else f"{write_number(low)} to {write_number(high)}"


def _rows(frame: pl.DataFrame | None, table: Table) -> list[dict[str, Any]]:
    return [] if frame is None else fit_frame(frame, table).to_dicts()
