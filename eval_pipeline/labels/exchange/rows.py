"""One pair as a file tells it: on the way out, and on the way back in."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from eval_pipeline.corpus.refusals import Refusal

PICTURES = "pictures"
"""Folder of the page pictures beside an exported file."""

FORMULA_MARKS = ("=", "+", "-", "@", "\t")


@dataclass(frozen=True, kw_only=True)
class OutRow:
    """A pair to label, or a label that was given.

    Attributes:
        question_id: question.
        question: its text.
        relation: relation under which it is judged.
        unit_id: unit.
        source: file and page, for people.
        picture: stored picture of the page.
        text: its text layer; may be empty.
        queue: `audit`, `priority` or empty.
        grade: empty where it is to be decided.
        reviewer: empty where it is to be decided.
        author_kind: `human` or `developer`; empty where it is to be decided.
        reason: may be empty.
        is_blind: whether the model's answer was hidden from whoever decides.
        decided_at: ISO time with zone; empty where it is to be decided.
        model_answers: grade by judge; empty where they are hidden.
    """

    question_id: str
    question: str
    relation: str
    unit_id: str
    source: str
    picture: Path
    text: str
    queue: str
    grade: str = ""
    reviewer: str = ""
    author_kind: str = ""
    reason: str = ""
    is_blind: bool = True
    decided_at: str = ""
    model_answers: Mapping[str, str]

    @property
    def picture_name(self) -> str:
        """Name of the picture in PICTURES: the unit's id, which is safe in any path and address."""
        return f"{self.unit_id}{self.picture.suffix}"


@dataclass(frozen=True, kw_only=True)
class InRow:
    """What a file says of one pair, as it was written.

    Attributes:
        place: line, or task and annotation.
        question_id: as given.
        unit_id: as given.
        grade: as given; empty for undecided.
        reviewer: as given.
        author_kind: as given; empty for the kind of the whole file.
        reason: may be empty.
        blind: as given: `true`, `false` or empty.
        decided_at: as given; may be empty.
    """

    place: str
    question_id: str
    unit_id: str
    grade: str
    reviewer: str
    author_kind: str = ""
    reason: str = ""
    blind: str = ""
    decided_at: str = ""


@dataclass(frozen=True, kw_only=True)
class ReadFile:
    """A file that was read.

    Attributes:
        name: as shown in messages and stored with what is refused.
        content_hash: SHA-256 of its bytes.
        rows: what it says, in file order.
        refused: rows that cannot be read at all.
    """

    name: str
    content_hash: str
    rows: tuple[InRow, ...]
    refused: tuple[Refusal, ...] = ()


def quote_formula(text: str) -> str:
    """Text that no spreadsheet takes for a formula: a leading mark gets an apostrophe before it."""
    return f"'{text}" if text.startswith(FORMULA_MARKS) else text


def unquote_formula(text: str) -> str:
    """The text as it was before `quote_formula`."""
    return text[1:] if text.startswith("'") and text[1:].startswith(FORMULA_MARKS) else text
