"""The stage for the relation `evidence`: hard negatives of every member of the given templates."""

from collections.abc import Collection, Mapping, Sequence

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
from eval_pipeline.negatives.sameness import Sameness
from eval_pipeline.negatives.siblings import Pool, TemplateMembers, pool_members, reasons_without_vector

CODE_VERSION = "3"


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

    Returns:
        Rows of negatives.pooled_template, unit_pool, negative and shortfall. Every unit of a template that does not
        wait has a pool row, every axis with an open place a shortfall row. Same members and settings give the same
        rows, whatever the input order. The summary counts the templates that wait.
    """
    known = sameness or Sameness()

    def pool_template(part: pl.DataFrame, matrix: Vectors) -> list[Pool]:
        template = TemplateMembers(
            unit_ids=tuple(part["unit_id"].to_list()),
            pictures=copies.apply_looks(part["picture_hash"], known.looks).rank("dense").cast(pl.Int64).to_numpy(),
            facts=read_facts(part["facets"].to_list(), axes),
            matrix=matrix,
            figures=_number_figures(part["text_hash"].to_list(), known.figures) if REVISION_AXIS in axes else None,
        )
        return pool_members(template, k=config.k, backfill=config.backfill == "nearest")

    return draw_by_group(
        members=members,
        vectors=vectors,
        refused=refused_units(members, refused),
        settings_id=settings_id_of(axes, config, vectors.encoder_id),
        rule=pool_template,
        without_vector=reasons_without_vector(axes, config.k),
    )
