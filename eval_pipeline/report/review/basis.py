"""What the review pages show, and what they ask of whoever keeps the rows."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import polars as pl

from eval_pipeline.labels.rows import Judgment

Pair = tuple[str, str]
"""Question id, unit id."""


@dataclass(frozen=True, kw_only=True)
class ModelAnswer:
    """What a judge said of a pair; hidden until a person has decided.

    Attributes:
        judge: name of the judge.
        verb: `label` or `answers`.
        outcome: a grade, yes, no or abstain.
        reason: the judge's words.
    """

    judge: str
    verb: str
    outcome: str
    reason: str


@dataclass(frozen=True, kw_only=True)
class ReviewQuestion:
    """A question as it is shown: nothing of its gold unit or its expected answer.

    Attributes:
        question_id: the question.
        text: as a retriever got it.
        relation: relation under which pages are judged for it.
    """

    question_id: str
    text: str
    relation: str


@dataclass(frozen=True, kw_only=True)
class ReviewPage:
    """A page as it is shown.

    Attributes:
        unit_id: the unit.
        source: file and page, for people; shown on demand.
        picture: stored picture.
        text: text layer; may be empty.
        document: the whole file; None where it holds pages that may not be shown.
    """

    unit_id: str
    source: str
    picture: Path
    text: str
    document: Path | None


@dataclass(frozen=True, kw_only=True, eq=False)
class ReviewBasis:
    """All that the pages rest on, but for the labels. What may not be seen is not in it.

    Attributes:
        title: what is reviewed.
        project_id: tells projects apart that are served at the same address, one after another.
        queued: pairs by queue, see `labels.queues.lay_queues`.
        questions: by id.
        pages: by unit id.
        answers: by pair; pairs that no judge was asked about are absent.
    """

    title: str
    project_id: str
    queued: pl.DataFrame
    questions: Mapping[str, ReviewQuestion]
    pages: Mapping[str, ReviewPage]
    answers: Mapping[Pair, tuple[ModelAnswer, ...]]


Decide = Callable[[pl.DataFrame], list[Judgment]]
"""From the labels of one question as they stand now, the rows to add."""


class ReviewLedger(Protocol):
    """Reads and records for the review pages; each call but `read_basis` is short."""

    def read_basis(self) -> ReviewBasis:
        """Everything but the labels; may take seconds."""
        ...

    def read_labels(self, question_ids: Collection[str], *, is_patient: bool = False) -> pl.DataFrame:
        """Rows of `labels.label` of these questions; LedgerBusy where another process holds the ledger too long."""
        ...

    def record_label(self, question_id: str, decide: Decide) -> pl.DataFrame:
        """Read the question's labels, decide, record, in one session; its labels after that.

        Raises:
            LedgerBusy: another process holds the ledger; nothing was recorded, and asking again is safe.
        """
        ...

    def question_of(self, receipt_id: str) -> str | None:
        """The question of a receipt; None where there is no such receipt."""
        ...
