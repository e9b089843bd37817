"""What an outside retriever should search and score: questions, pages and candidates, by the names that it uses."""

from dataclasses import dataclass
from typing import Literal

import polars as pl

from eval_pipeline.foundation.errors import InputError
from eval_pipeline.runs.unit_names import UnitStyle, name_units

SHOWN = 3


@dataclass(frozen=True, kw_only=True)
class ExportedArenas:
    """Frames to write.

    Attributes:
        questions: question_id, text; sorted.
        units: unit, path, page_number (from 1), of every page that the asker may see; sorted by unit.
        candidates: question_id, unit: every pair to score, each once; sorted. Which of them is gold, and in which arena
            a pair stands, is not said: a candidate of two arenas would be the gold page.
    """

    questions: pl.DataFrame
    units: pl.DataFrame
    candidates: pl.DataFrame


def export_arenas(
    *,
    questions: pl.DataFrame,
    arenas: pl.DataFrame,
    units: pl.DataFrame,
    visible: frozenset[str],
    style: UnitStyle,
    page_base: Literal[0, 1] = 1,
) -> ExportedArenas:
    """Name what is to be searched and scored.

    Args:
        questions: question_id, text.
        arenas: question_id, arena, unit_id.
        units: rows of the view `corpus.unit_in_force`.
        visible: units that the asker may see; no other is written, neither as a page nor as a candidate.
        style: how units are named.
        page_base: number of the first page, where units are named by page.

    Raises:
        InputError: a page has no name of its own in that style, so that an answer could not be read back.
    """
    names = name_units(units=units, style=style, page_base=page_base).name_of
    seen = units.filter(pl.col("unit_id").is_in(sorted(visible)))
    nameless = seen.filter(~pl.col("unit_id").is_in(list(names)))
    if nameless.height:
        first = ", ".join(f"{row['source_path']} p. {row['page_number']}" for row in nameless.head(SHOWN).to_dicts())
        message = (
            f"{nameless.height} pages have no {style} of their own, first {first}; use another style: every page has a "
            "unit_id"
        )
        raise InputError(message)
    named = seen.select("unit_id", "source_path", "page_number").with_columns(
        unit=pl.col("unit_id").replace_strict(names, return_dtype=pl.String) if seen.height else pl.lit("")
    )
    pairs = arenas.join(named, on="unit_id").select("question_id", "unit")
    return ExportedArenas(
        questions=questions.select("question_id", "text").unique().sort("question_id"),
        units=named.select("unit", path="source_path", page_number="page_number").sort("unit"),
        candidates=pairs.unique().sort("question_id", "unit"),
    )
