"""The stage for the relation `evidence`: hard negatives of every member of the given templates."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import polars as pl

from eval_pipeline.foundation.config import NegativesConfig
from eval_pipeline.foundation.ids import content_id
from eval_pipeline.foundation.outputs import StageOutput
from eval_pipeline.foundation.protocols import UnitVectors, Vectors
from eval_pipeline.negatives import copies, figures
from eval_pipeline.negatives.drawing import draw_by_group, refused_units
from eval_pipeline.negatives.facts import MISSING, REVISION_AXIS, read_facts
from eval_pipeline.negatives.nearest import NONE
from eval_pipeline.negatives.places import Pools, sort_pools
from eval_pipeline.negatives.sameness import Sameness
from eval_pipeline.negatives.shortfalls import reasons_without_vector, tell_shortfalls
from eval_pipeline.negatives.siblings import (
    APPEARANCE,
    Lists,
    TemplateMembers,
    iterate_lists,
    list_negatives,
    places_of,
)
from eval_pipeline.negatives.updating import NEGATIVE_COLUMNS, Before, read_before, update_negatives

CODE_VERSION = "4"


def settings_id_of(axes: tuple[str, ...], config: NegativesConfig, encoder_id: str) -> str:
    """Id of everything but the template's members that a pool depends on: axes in order, k, backfill, encoder, code."""
    return content_id(
        "pset",
        {
            "axes": list(axes),
            "k": config.k,
            "backfill": config.backfill,
            "encoder_id": encoder_id,
            "code_version": CODE_VERSION,
            "copies": copies.CODE_VERSION,
            "figures": figures.CODE_VERSION,
        },
    )


def _number_figures(text_hashes: Sequence[str], known: Mapping[str, str]) -> npt.NDArray[np.int64]:
    """(n,) equal numbers for equal figures, -1 where they are not known."""
    numbers = {value: number for number, value in enumerate(sorted(set(known.values())))}
    return np.array([numbers.get(known.get(text_hash, ""), MISSING) for text_hash in text_hashes], dtype=np.int64)


@dataclass(frozen=True, kw_only=True)
class PooledBefore:
    """Pools of earlier states of templates, under the same settings.

    Attributes:
        units: unit_id, template_id and state_hash of one earlier state per template.
        negatives: negatives of these units: unit_id, axis, rank, negative_unit_id, similarity.
    """

    units: pl.DataFrame
    negatives: pl.DataFrame


NOTHING_BEFORE = PooledBefore(
    units=pl.DataFrame(schema={"unit_id": pl.String, "template_id": pl.String, "state_hash": pl.String}),
    negatives=pl.DataFrame(schema=NEGATIVE_COLUMNS),
)


def draw_hard_negatives(
    *,
    members: pl.DataFrame,
    vectors: UnitVectors,
    refused: Collection[str],
    axes: tuple[str, ...],
    config: NegativesConfig,
    sameness: Sameness | None = None,
    before: PooledBefore = NOTHING_BEFORE,
) -> StageOutput:
    """Draw the hard negatives of every member of the given templates (MEASURES 1).

    A template waits while a member has neither a vector nor a refusal: its pools would be kept under a state that says
    nothing of vectors, and no later run would draw them again.

    Args:
        members: templates.member columns and `members_hash`; all members of each template that is to be pooled.
        vectors: encoder vectors of the corpus as far as they were made.
        refused: picture hashes that the encoder refused; their members get a pool that says so and are nobody's
            negative.
        axes: declared axes, in order; the remainder of k goes to the first ones.
        config: k and backfill.
        sameness: what is known of pages that show or state the same; nothing by default.
        before: pools of an earlier state. They spare work and change no row: negatives of a member are drawn anew only
            where somebody within its reach came, left or changed.

    Returns:
        Rows of negatives.pooled_template, unit_pool, negative and shortfall. Every unit of a template that does not
        wait has a pool row, every axis with an open place a shortfall row. Same members and settings give the same
        rows, whatever the input order. The summary counts the templates that wait, and the units drawn anew.
    """
    rule = _EvidenceRule(
        axes=axes, k=config.k, backfill=config.backfill == "nearest", sameness=sameness or Sameness(), before=before
    )
    drawn = draw_by_group(
        members=members,
        vectors=vectors,
        refused=refused_units(members, refused),
        settings_id=settings_id_of(axes, config, vectors.encoder_id),
        rule=rule,
        without_vector=reasons_without_vector(axes, config.k),
        state_of=rule.state_of,
    )
    return replace(drawn, summary={**drawn.summary, "units_drawn_anew": rule.n_anew})


class _EvidenceRule:
    """Hard negatives of one template after the other, and what they rest on."""

    def __init__(
        self, *, axes: tuple[str, ...], k: int, backfill: bool, sameness: Sameness, before: PooledBefore
    ) -> None:
        self._axes, self._k, self._backfill, self._sameness = axes, k, backfill, sameness
        self._units = before.units.partition_by("template_id", as_dict=True)
        of_unit = before.units.select("unit_id", "template_id")
        self._negatives = before.negatives.join(of_unit, on="unit_id").partition_by("template_id", as_dict=True)
        self.n_anew = 0

    def __call__(self, part: pl.DataFrame, matrix: Vectors) -> Pools:
        members = TemplateMembers(
            unit_ids=tuple(part["unit_id"].to_list()),
            pictures=self._looks(part).rank("dense").cast(pl.Int64).to_numpy(),
            facts=read_facts(part["facets"].to_list(), self._axes),
            matrix=matrix,
            figures=_number_figures(part["text_hash"].to_list(), self._sameness.figures)
            if REVISION_AXIS in self._axes
            else None,
        )
        lists = self._list(part, members)
        return _to_pools(members, lists, self._k)

    def _list(self, part: pl.DataFrame, members: TemplateMembers) -> Lists:
        before = self._before(part, members)
        if before is None or not before.is_kept.any():
            self.n_anew += part.height
            return list_negatives(members, k=self._k, backfill=self._backfill)
        lists, n_anew = update_negatives(members, before, k=self._k, backfill=self._backfill)
        self.n_anew += n_anew
        return lists

    def _before(self, part: pl.DataFrame, members: TemplateMembers) -> Before | None:
        key = (part.item(0, "template_id"),)
        if key not in self._units:
            return None
        return read_before(
            unit_ids=members.unit_ids,
            states=self.state_of(part),
            earlier=dict(self._units[key].select("unit_id", "state_hash").iter_rows()),
            negatives=self._negatives.get(key, NOTHING_BEFORE.negatives),
            places=places_of(self._k, self._axes),
            is_lacking=members.is_lacking,
            k=self._k,
        )

    def _looks(self, part: pl.DataFrame) -> pl.Series:
        return copies.apply_looks(part["picture_hash"], self._sameness.looks)

    def state_of(self, part: pl.DataFrame) -> list[str]:
        """(n,) hash of picture, group of copies, facets and figures."""
        text_hashes = part["text_hash"].to_list() if REVISION_AXIS in self._axes else [""] * part.height
        read = zip(part["picture_hash"], self._looks(part), part["facets"], text_hashes, strict=True)
        return [
            content_id("mst", [picture, look, facets, self._sameness.figures.get(text_hash)])
            for picture, look, facets, text_hash in read
        ]


def _to_pools(members: TemplateMembers, lists: Lists, k: int) -> Pools:
    axes = (*members.facts.axes, APPEARANCE)
    parts = []
    for axis, nearest in iterate_lists(lists):
        rows, spots = np.nonzero(nearest.columns != NONE)
        parts.append((rows, np.full(len(rows), axes.index(axis)), spots + 1, nearest.columns[rows, spots],
                      nearest.similarities[rows, spots]))  # fmt: skip
    rows, axis_places, ranks, columns, similarities = (np.concatenate(column) for column in zip(*parts, strict=True))
    return sort_pools(
        axes=axes,
        rows=rows,
        axis=axis_places,
        ranks=ranks,
        columns=columns,
        similarities=similarities,
        shortfalls=list(tell_shortfalls(members, lists, k=k)),
    )
