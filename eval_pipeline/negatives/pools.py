"""The stage for the relation `evidence`: hard negatives of every member of the given templates."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt
import polars as pl

from eval_pipeline.foundation.config import NegativesConfig
from eval_pipeline.foundation.ids import content_id, text_id
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
from eval_pipeline.negatives.updating import (
    NOTHING_BEFORE,
    Earlier,
    PooledBefore,
    find_earlier,
    read_before,
    update_negatives,
)

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
    known = sameness or Sameness()
    stated = members.with_columns(look=copies.apply_looks(members["picture_hash"], known.looks))
    stated = stated.with_columns(state_hash=_hash_states(stated, known, is_revised=REVISION_AXIS in axes))
    has_vector = pl.col("unit_id").is_in(vectors.unit_ids.tolist())
    rule = _EvidenceRule(
        axes=axes,
        k=config.k,
        backfill=config.backfill == "nearest",
        figures=known.figures,
        earlier=find_earlier(stated.filter(has_vector), before),
    )
    drawn = draw_by_group(
        members=stated,
        vectors=vectors,
        refused=refused_units(members, refused),
        settings_id=settings_id_of(axes, config, vectors.encoder_id),
        rule=rule,
        without_vector=reasons_without_vector(axes, config.k),
    )
    return replace(drawn, summary={**drawn.summary, "units_drawn_anew": rule.n_anew})


def _hash_states(members: pl.DataFrame, known: Sameness, *, is_revised: bool) -> pl.Series:
    """(n,) hash of all that the rule reads of a member: picture, group of copies, facets, figures."""
    told = [known.figures.get(text_hash, "") if is_revised else "" for text_hash in members["text_hash"].to_list()]
    read = members.select(pl.concat_str("picture_hash", "look", "facets", pl.Series("told", told), separator="\n"))
    return pl.Series("state_hash", [text_id("mst", text) for text in read.to_series().to_list()])


class _EvidenceRule:
    """Hard negatives of one template after the other."""

    def __init__(
        self,
        *,
        axes: tuple[str, ...],
        k: int,
        backfill: bool,
        figures: Mapping[str, str],
        earlier: Mapping[str, Earlier],
    ) -> None:
        self._axes, self._k, self._backfill = axes, k, backfill
        self._figures, self._earlier = figures, earlier
        self.n_anew = 0

    def __call__(self, part: pl.DataFrame, matrix: Vectors) -> Pools:
        figures = _number_figures(part["text_hash"].to_list(), self._figures) if REVISION_AXIS in self._axes else None
        members = TemplateMembers(
            unit_ids=tuple(part["unit_id"].to_list()),
            pictures=part["look"].rank("dense").cast(pl.Int64).to_numpy(),
            facts=read_facts(part["facets"].to_list(), self._axes),
            matrix=matrix,
            figures=figures,
        )
        return _to_pools(members, self._list(members, self._earlier.get(part.item(0, "template_id"))), self._k)

    def _list(self, members: TemplateMembers, earlier: Earlier | None) -> Lists:
        if earlier is None:
            self.n_anew += len(members.unit_ids)
            return list_negatives(members, k=self._k, backfill=self._backfill)
        places = places_of(self._k, self._axes)
        before = read_before(earlier, places=places, is_lacking=members.is_lacking, k=self._k)
        lists, n_anew = update_negatives(members, before, k=self._k, backfill=self._backfill)
        self.n_anew += n_anew
        return lists


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
