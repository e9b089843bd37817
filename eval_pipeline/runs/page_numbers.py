"""A wrong first page number resolves all the same, to the page beside: it is told by the gold units that are missed."""

from typing import Literal

import polars as pl

MIN_QUESTIONS = 10
"""Fewer questions with a gold unit say nothing."""
TIMES = 2
"""How many times as many gold units the other numbering has to find."""


def suggest_page_base(
    *, ranked: pl.DataFrame, gold: pl.DataFrame, units: pl.DataFrame, page_base: Literal[0, 1]
) -> str | None:
    """Say so where the other numbering of pages finds many more gold units.

    Args:
        ranked: question_id, unit_id, as the declared numbering reads the file.
        gold: question_id, unit_id.
        units: unit_id, document_id, page_number.
        page_base: number of the first page, as declared.

    Returns:
        The suggestion; None where the declared numbering may be right.
    """
    asked = gold.join(ranked.select("question_id").unique(), on="question_id", how="semi")
    n_asked = asked["question_id"].n_unique()
    if n_asked < MIN_QUESTIONS:
        return None
    found = _count(asked, ranked)
    shift = 1 if page_base == 1 else -1  # what was read as page p is page p + shift in the other numbering
    pages = units.select("unit_id", "document_id", "page_number")
    here = pages.select("document_id", page_number=pl.col("page_number") + shift, here="unit_id")
    beside = here.join(pages, on=["document_id", "page_number"]).select(unit_id="here", beside="unit_id")
    moved = ranked.join(beside, on="unit_id").select("question_id", unit_id="beside")
    other = _count(asked, moved)
    if other < MIN_QUESTIONS // 2 or other < TIMES * found:
        return None
    return (
        f"with page_base: {page_base} the gold unit of {found} of {n_asked} questions is listed, with page_base: "
        f"{1 - page_base} that of {other}"
    )


def _count(asked: pl.DataFrame, ranked: pl.DataFrame) -> int:
    return asked.join(ranked, on=["question_id", "unit_id"], how="semi")["question_id"].n_unique()
