"""What a person's decision on a pair becomes: a label that replaces their own standing one, or a retraction of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import polars as pl

from eval_pipeline.labels.in_force import CONTESTED, labels_in_force
from eval_pipeline.labels.rows import PAIR, PERSON_KINDS, Judgment, standing_labels

CODE_VERSION = "1"
REVIEWER_KINDS = ("human", "developer")
"""Kinds under which people decide; the stand-in of the demo is none of them."""


@dataclass(frozen=True, kw_only=True)
class Decision:
    """What a person says of one pair.

    Attributes:
        question_id: question.
        unit_id: unit.
        relation: relation under which it is judged.
        grade: sufficient, supporting or irrelevant.
        author: name of the person.
        author_kind: `human` or `developer`.
        is_blind: True where the person had not seen the model's answer.
        decided_at_utc: when; a witness.
        reason: in their words; may be empty.
    """

    question_id: str
    unit_id: str
    relation: str
    grade: str
    author: str
    author_kind: str
    is_blind: bool
    decided_at_utc: datetime
    reason: str = ""


@dataclass(frozen=True, kw_only=True)
class Voice:
    """What one person says of a pair now.

    Attributes:
        label_id: the standing label.
        grade: its grade.
        author: name.
        author_kind: kind of author.
        decided_at_utc: when.
    """

    label_id: str
    grade: str
    author: str
    author_kind: str
    decided_at_utc: datetime


def decide(decision: Decision, *, existing: pl.DataFrame) -> list[Judgment]:
    """New label rows of a decision; none where the same person already says the same.

    Args:
        decision: what is said.
        existing: rows of `labels.label`, of this pair and perhaps others.

    Returns:
        The label, which replaces the person's standing row (a retraction, too); where an author stands twice on a
        pair, the other rows are taken back.
    """
    own = _own_standing(existing, decision)
    if [row["grade"] for row in own] == [decision.grade]:
        return []
    label = Judgment(
        question_id=decision.question_id,
        unit_id=decision.unit_id,
        relation=decision.relation,
        grade=decision.grade,
        author_kind=decision.author_kind,
        author=decision.author,
        reason=decision.reason,
        is_blind=decision.is_blind,
        replaces_label_id=own[0]["label_id"] if own else None,
        decided_at_utc=decision.decided_at_utc,
    )
    extra = [row for row in own[1:] if row["grade"] is not None]
    return [label, *(_retraction(row, decision.is_blind, decision.decided_at_utc) for row in extra)]


def take_back(label_id: str, *, existing: pl.DataFrame, author: str, is_blind: bool, now: datetime) -> list[Judgment]:
    """The retraction of a label by its own author; none where it does not stand any more, or is not theirs.

    Args:
        label_id: the label.
        existing: rows of `labels.label` of its pair and perhaps others.
        author: who takes it back.
        is_blind: True where they have not seen the model's answer meanwhile.
        now: when; a witness.
    """
    mine = (pl.col("label_id") == label_id) & (pl.col("author") == author)
    standing = standing_labels(existing).filter(mine & pl.col("author_kind").is_in(list(REVIEWER_KINDS)))
    return [_retraction(row, is_blind, now) for row in standing.iter_rows(named=True) if row["grade"] is not None]


def voices_of(existing: pl.DataFrame, question_id: str, unit_id: str) -> list[Voice]:
    """What persons say of a pair now, by time; retracted labels have no voice.

    Args:
        existing: rows of `labels.label`.
        question_id: question.
        unit_id: unit.
    """
    of_pair = (pl.col("question_id") == question_id) & (pl.col("unit_id") == unit_id)
    rows = standing_labels(existing.filter(of_pair & pl.col("author_kind").is_in(list(PERSON_KINDS))))
    rows = rows.filter(pl.col("grade").is_not_null()).sort("decided_at_utc", "label_id")
    columns = ("label_id", "grade", "author", "author_kind", "decided_at_utc")
    return [Voice(**{name: row[name] for name in columns}) for row in rows.iter_rows(named=True)]


def state_of_pair(existing: pl.DataFrame, question_id: str, unit_id: str) -> str:
    """Ids of all rows of persons on a pair, sorted, with blanks between: what somebody who looks at it now looks at."""
    of_pair = (pl.col("question_id") == question_id) & (pl.col("unit_id") == unit_id)
    rows = existing.filter(of_pair & pl.col("author_kind").is_in(list(PERSON_KINDS)))
    return " ".join(sorted(rows["label_id"].to_list()))


def is_contested(existing: pl.DataFrame, question_id: str, unit_id: str) -> bool:
    """Whether labels of a pair disagree, so that a third has to decide."""
    of_pair = (pl.col("question_id") == question_id) & (pl.col("unit_id") == unit_id)
    in_force = labels_in_force(labels=existing.filter(of_pair), judge_name="")
    return in_force.filter(pl.col("state") == CONTESTED).height > 0


def _own_standing(existing: pl.DataFrame, decision: Decision) -> list[dict[str, Any]]:
    mine = {name: getattr(decision, name) for name in (*PAIR, "author_kind", "author")}
    rows = existing.filter(pl.all_horizontal(pl.col(name) == value for name, value in mine.items()))
    return list(standing_labels(rows).iter_rows(named=True))


def _retraction(row: Mapping[str, Any], is_blind: bool, now: datetime) -> Judgment:
    return Judgment(
        question_id=row["question_id"],
        unit_id=row["unit_id"],
        relation=row["relation"],
        grade=None,
        author_kind=row["author_kind"],
        author=row["author"],
        reason="taken back",
        is_blind=is_blind,
        replaces_label_id=row["label_id"],
        decided_at_utc=now,
    )
