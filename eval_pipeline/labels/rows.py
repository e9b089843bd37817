"""One judgment of a pair as a row of `labels.label`, and which rows of an author stand."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import datetime

import polars as pl

from eval_pipeline.foundation import ids
from eval_pipeline.foundation.tables import labels as tables

CODE_VERSION = "1"
PERSON_KINDS = ("human", "developer", "generator-truth")
GIVEN_KINDS = ("ticket", "import")
JUDGE_KIND = "judge"
PAIR = ("question_id", "unit_id", "relation")


@dataclass(frozen=True, kw_only=True)
class Judgment:
    """One judgment of a pair.

    Attributes:
        question_id: question.
        unit_id: unit.
        relation: relation under which it was judged.
        grade: sufficient, supporting or irrelevant; None takes the replaced label back.
        author_kind: human, developer, generator-truth, ticket, import or judge.
        author: name of the person, ticket, file or judge.
        judge_id: judge version; None for others.
        reason: may be empty.
        is_blind: True when the author had not seen the model's answer.
        replaces_label_id: label of the same author that this one replaces; None for the first.
        origin_label_id: label from which this one was carried; None otherwise.
        decided_at_utc: when; a witness, outside the id.
    """

    question_id: str
    unit_id: str
    relation: str
    grade: str | None
    author_kind: str
    author: str
    decided_at_utc: datetime
    judge_id: str | None = None
    reason: str = ""
    is_blind: bool = True
    replaces_label_id: str | None = None
    origin_label_id: str | None = None

    @property
    def label_id(self) -> str:
        """Hash of everything but the time: the same decision twice is one label."""
        content = {name: value for name, value in asdict(self).items() if name != "decided_at_utc"}
        return ids.content_id("lbl", content)


def to_label_rows(judgments: Iterable[Judgment]) -> pl.DataFrame:
    """Rows of `labels.label`, one per distinct label, sorted by id; of equal ones the earliest time is kept."""
    rows = [{"label_id": judgment.label_id, **asdict(judgment)} for judgment in judgments]
    frame = pl.DataFrame(rows, schema=tables.LABEL.schema)
    once = frame.sort("label_id", "decided_at_utc").unique("label_id", keep="first", maintain_order=True)
    return tables.LABEL.validate(once)


def standing_labels(labels: pl.DataFrame) -> pl.DataFrame:
    """Rows that no other row of the same author on the same pair replaces, retractions included.

    Args:
        labels: rows of `labels.label` in any order.

    Returns:
        The standing rows, sorted by pair and label id. An author who judged a pair twice without replacing has two.
    """
    by = [*PAIR, "author_kind", "author"]
    replaced = labels.filter(pl.col("replaces_label_id").is_not_null()).select(
        *by, pl.col("replaces_label_id").alias("label_id")
    )
    return labels.join(replaced, on=[*by, "label_id"], how="anti").sort(*PAIR, "label_id")
