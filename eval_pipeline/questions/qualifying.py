"""Qualify a question: add the facets on whose axes it failed, and nothing else."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from eval_pipeline.foundation.ids import canonical_json
from eval_pipeline.questions.identity import question_id_of

CODE_VERSION = "2"

PART = re.compile(r"^(FY)?-?(\d{4})[-/ ]?([QH][1-4])$", re.IGNORECASE)
RANGE = re.compile(r"^(\d{4})-(\d{2})\.\.(\d{4})-(\d{2})$")
MONTH = re.compile(r"^(\d{4})-(\d{2})$")
DAY = re.compile(r"^(\d{4})-(\d{2})-(\d{2})$")
FISCAL_YEAR = re.compile(r"^FY[- ]?(\d{4})$", re.IGNORECASE)
MONTH_NAMES = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip


def qualify(
    *,
    question: Mapping[str, Any],
    gold: Sequence[str],
    failing_axes: Sequence[str],
    axes: Sequence[str],
    facets: str,
    page_text: str,
) -> dict[str, Any] | None:
    """The child that names the failing axes which its parent does not name yet.

    Args:
        question: row of questions.question.
        gold: its gold units, in order.
        failing_axes: axes on which a negative answered.
        axes: declared axes, in order.
        facets: normalised facets of the first gold unit, as a JSON object.
        page_text: its text: names are spelled as the page spells them.

    Returns:
        A row of questions.question; None where nothing is left to add (all failing axes are named, or the gold unit
        has no such facet).
    """
    values: dict[str, Any] = json.loads(facets)
    named = json.loads(question["named_axes"])
    added = [axis for axis in axes if axis in failing_axes and axis not in named and values.get(axis)]
    if not added:
        return None
    text = str(question["text"])
    for axis in added:
        text = add_phrase(text, phrase_of(axis, str(values[axis]), page_text=page_text))
    return {
        **question,
        "question_id": question_id_of(
            text=text,
            gold=gold,
            writer=question["writer"],
            parent=question["question_id"],
            declared_id=question["declared_id"],
        ),
        "text": text,
        "origin": "qualified",
        "parent_question_id": question["question_id"],
        "named_axes": canonical_json(sorted({*named, *added})),
    }


def add_phrase(text: str, phrase: str) -> str:
    """The question with the phrase before its question mark, or at its end."""
    body = text.rstrip()
    mark = body[-1] if body[-1:] in ("?", ".") else ""
    return f"{body.removesuffix(mark).rstrip()}{phrase}{mark}"


def phrase_of(axis: str, value: str, *, page_text: str) -> str:
    """Words that name one facet: ` in Q3 2024`, ` for Acme`, `, regarding operating income`."""
    match axis:
        case "period":
            return f" in {spell_period(value)}"
        case "entity":
            return f" for {spell_as_page(value, page_text, fallback=value.title())}"
        case "metric":
            return f", regarding {spell_as_page(value, page_text, fallback=value).lower()}"
        case _:
            return f", where {axis} is {spell_as_page(value, page_text, fallback=value)}"


def spell_period(value: str) -> str:
    """A normalised period in the words people use; unknown forms stay as they are."""
    if found := PART.match(value):
        return f"{found[3].upper()} {(found[1] or '').upper()}{found[2]}"
    if found := FISCAL_YEAR.match(value):
        return f"FY{found[1]}"
    return _spell_days(value)


def _spell_days(value: str) -> str:
    if found := DAY.match(value):
        return f"{MONTH_NAMES[int(found[2]) - 1]} {int(found[3])}, {found[1]}"
    if found := MONTH.match(value):
        return f"{MONTH_NAMES[int(found[2]) - 1]} {found[1]}"
    if found := RANGE.match(value):
        return f"{MONTH_NAMES[int(found[2]) - 1]} {found[1]} to {MONTH_NAMES[int(found[4]) - 1]} {found[3]}"
    return value


def spell_as_page(value: str, page_text: str, *, fallback: str) -> str:
    """The value as the page spells it (first place, any case, any blanks, `&` or `and`), else the fallback."""
    words = value.split()
    if not words:
        return fallback
    spaced = r"\s+".join(re.escape(word) for word in words)
    either = spaced.replace(r"\s+\&\s+", r"(?:\s*&\s*|\s+and\s+)")
    pattern = r"(?<!\w)" + either + r"(?!\w)"
    found = re.search(pattern, page_text, re.IGNORECASE)
    return " ".join(found[0].split()) if found else fallback
