"""What is known of pages that are the same thing though their ids and pictures differ."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import polars as pl

from eval_pipeline.foundation.protocols import UnitVectors
from eval_pipeline.negatives.copies import find_looks
from eval_pipeline.negatives.facts import REVISION_AXIS
from eval_pipeline.negatives.figures import read_figures


@dataclass(frozen=True, kw_only=True)
class Sameness:
    """Which pages are the same thing though their ids and pictures differ.

    Attributes:
        looks: group by picture hash, see `find_looks`.
        figures: figures by text hash, see `read_figures`; used where `revision` is an axis.
    """

    looks: Mapping[str, str] = field(default_factory=dict)
    figures: Mapping[str, str] = field(default_factory=dict)


def read_sameness(
    *, members: pl.DataFrame, vectors: UnitVectors, texts: pl.DataFrame, axes: tuple[str, ...], home: Path
) -> Sameness:
    """Look at the pictures and texts of whole templates.

    Args:
        members: templates.member columns.
        vectors: of the units.
        texts: rows of corpus.layer_text; those of `texts_to_compare` are enough.
        axes: declared axes.
        home: the project folder.
    """
    found = {
        text_hash: read
        for text_hash, text in texts.select("text_hash", "text").iter_rows()
        if REVISION_AXIS in axes and (read := read_figures(text)) is not None
    }
    return Sameness(looks=find_looks(members=members, vectors=vectors, home=home), figures=found)


def texts_to_compare(members: pl.DataFrame, axes: tuple[str, ...]) -> pl.DataFrame:
    """Legible texts (column text_hash) whose figures matter: all where `revision` is an axis, else none."""
    legible = members.filter((pl.col("text_quality") == "good") & pl.lit(REVISION_AXIS in axes))
    return legible.select("text_hash").unique().sort("text_hash")
