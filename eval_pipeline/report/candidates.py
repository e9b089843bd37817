"""The candidate table of a question in words: does the page look like the answer, does it contain it?"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from eval_pipeline.report.wording import explain_author

LOOKS, CONTAINS = "looks like the answer?", "contains the answer?"
_CONTAINS = {"sufficient": "yes", "supporting": "in part", "irrelevant": "no"}


@dataclass(frozen=True, kw_only=True)
class CandidateRow:
    """One page as it stands to a question.

    Attributes:
        unit_id: the page.
        caption: what it is in a few words.
        source: where it is from.
        role: `gold`, `other period 1`, `nearest by appearance 2`, `came back`.
        looks: where it stands among all pages by similarity to gold, in words.
        contains: what it was judged to be, in words.
        kind: grade as a colour: `sufficient`, `supporting`, `irrelevant` or `unjudged`.
        places: its place in each variant's final list, in the order of the table's variants; `-` where it is in none.
    """

    unit_id: str
    caption: str
    source: str
    role: str
    looks: str
    contains: str
    kind: str
    places: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class CandidateTable:
    """The candidates of one question.

    Attributes:
        variants: names, one column each.
        rows: in the order of the frame that they were laid out from.
    """

    variants: tuple[str, ...]
    rows: tuple[CandidateRow, ...]

    def to_frame(self) -> pl.DataFrame:
        """The table as plain text: page, role, the two questions, one column per variant."""
        columns = ["page", "role", LOOKS, CONTAINS, *(f"place in {name}" for name in self.variants)]
        told = [(f"{row.caption} ({row.source})", row.role, row.looks, row.contains, *row.places) for row in self.rows]
        return pl.DataFrame(told, schema=dict.fromkeys(columns, pl.String), orient="row")


def lay_candidates(
    candidates: pl.DataFrame, *, variants: Sequence[str], told: Mapping[str, tuple[str, str]]
) -> CandidateTable:
    """Put the candidates of one question into words.

    Args:
        candidates: rows of `receipts.candidate_table.CANDIDATE` of one question, in the order to show them.
        variants: names of the variants, in the order to show them.
        told: caption and source by unit id; a page that is not in it may not be shown and is left out.
    """
    rows = [_lay(row, variants, *told[row["unit_id"]]) for row in candidates.to_dicts() if row["unit_id"] in told]
    return CandidateTable(variants=tuple(variants), rows=tuple(rows))


def _lay(row: Mapping[str, Any], variants: Sequence[str], caption: str, source: str) -> CandidateRow:
    places = json.loads(row["places"])
    return CandidateRow(
        unit_id=row["unit_id"],
        caption=caption,
        source=source,
        role=say_role(row),
        looks=say_looks(row),
        contains=say_contains(row["grade"], row["author_kind"]),
        kind=row["grade"] or "unjudged",
        places=tuple(str(places.get(name, "-")) for name in variants),
    )


def say_role(row: Mapping[str, Any]) -> str:
    """What a candidate is to the question."""
    match row["role"]:
        case "negative":
            named = "nearest by appearance" if row["axis"] == "appearance" else f"other {row['axis']}"
            return f"{named} {row['axis_rank']}"
        case "returned":
            return "came back"
        case _:
            return "gold"


def say_looks(row: Mapping[str, Any]) -> str:
    """Where a candidate stands among all pages by similarity to gold: `1st of 59, 0.98`."""
    if row["similarity"] is None:
        return "not known"
    if row["corpus_rank"] is None:
        return "the page itself"
    return f"{write_place(row['corpus_rank'])} of {row['n_corpus']:,}, {row['similarity']:.3f}"


def write_place(place: int) -> str:
    """A place as people say it.

    >>> [write_place(place) for place in (1, 2, 3, 4, 11, 12, 13, 21, 1002)]
    ['1st', '2nd', '3rd', '4th', '11th', '12th', '13th', '21st', '1,002nd']
    """
    last = place % 10 if place % 100 not in (11, 12, 13) else 0
    return f"{place:,}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(last, 'th') }"


def say_contains(grade: str | None, author_kind: str | None) -> str:
    """What a candidate was judged to be: `yes: sufficient (model judge)`."""
    if grade is None:
        return "contested" if author_kind else "not judged"
    return f"{_CONTAINS.get(grade, grade)}: {grade} ({explain_author(author_kind or 'unjudged')})"
