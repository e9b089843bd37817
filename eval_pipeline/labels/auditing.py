"""The random audit: questions drawn by hash with a stored probability, every candidate unit of them adjudicated."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import polars as pl

from eval_pipeline.foundation import ids
from eval_pipeline.foundation.config import LabelsConfig
from eval_pipeline.foundation.outputs import StageOutput
from eval_pipeline.foundation.protocols import Adjudication, Reviewer
from eval_pipeline.foundation.tables import labels as tables
from eval_pipeline.labels.rows import PERSON_KINDS, Judgment, standing_labels, to_label_rows

CODE_VERSION = "1"


@dataclass(frozen=True, kw_only=True)
class AuditDraw:
    """How audit questions are drawn.

    Attributes:
        share: chance of a question to be drawn, 0 to 1.
        seed: seed of the hash.
    """

    share: float
    seed: int

    @property
    def settings_id(self) -> str:
        """Hash of share and seed."""
        return ids.content_id("aud", {"share": self.share, "seed": self.seed})

    def is_drawn(self, question_id: str) -> bool:
        """Whether a question is in: it depends on its id, the share and the seed, not on the other questions."""
        return ids.hash_unit(self.seed, "audit", question_id) < self.share


def plan_audit(*, n_questions: int, config: LabelsConfig) -> AuditDraw:
    """Share of questions that gives the wanted number in expectation: min(1, wanted / n)."""
    share = min(1.0, config.audit_questions / n_questions) if n_questions else 0.0
    return AuditDraw(share=share, seed=config.audit_seed)


def audit(
    *,
    questions: pl.DataFrame,
    candidates: pl.DataFrame,
    reviewer: Reviewer | None,
    units: pl.DataFrame,
    config: LabelsConfig,
    existing: pl.DataFrame,
    now: datetime,
) -> StageOutput:
    """Draw audit questions and have every candidate unit of them adjudicated.

    The reviewer sees the question and the place of a page; never the model's answer, the gold flag or the source of
    the candidate. A pair on which the reviewer's own label stands with the same grade gets no new one; a new grade
    replaces it.

    Args:
        questions: question_id, text, relation: the population of the audit.
        candidates: question_id, unit_id of the candidate pool; further columns are ignored.
        reviewer: who decides; None draws the questions and leaves the pairs to people.
        units: rows of the view `corpus.unit_in_force`; candidates that are not in force any more are left out.
        config: size and seed of the audit.
        existing: rows of `labels.label` so far.
        now: when; a witness.

    Returns:
        labels.audit_question for every question, labels.label (blind) for what was decided anew.
    """
    draw = plan_audit(n_questions=questions.height, config=config)
    drawn = pl.col("question_id").map_elements(draw.is_drawn, return_dtype=pl.Boolean)
    sampled = questions.sort("question_id").with_columns(is_drawn=drawn)
    pairs = _pairs_to_decide(sampled.filter("is_drawn"), candidates, units)
    standing = _standing_of_persons(existing)
    judgments, n_left = [], 0
    for pair, decision in _decide(pairs, reviewer):
        if decision is None:
            n_left += 1
        elif (judgment := _judgment(pair, decision, standing, now)) is not None:
            judgments.append(judgment)
    return StageOutput(
        tables={tables.AUDIT_QUESTION.name: _audit_rows(sampled, draw), tables.LABEL.name: to_label_rows(judgments)},
        summary={
            "questions drawn": int(sampled["is_drawn"].sum()),
            "pairs in the audit": pairs.height,
            "new labels": len(judgments),
            "left to people": n_left,
        },
    )


def _audit_rows(sampled: pl.DataFrame, draw: AuditDraw) -> pl.DataFrame:
    rows = sampled.select(
        "question_id",
        pl.lit(draw.settings_id).alias("settings_id"),
        pl.lit(draw.share, pl.Float64).alias("inclusion_probability"),
        "is_drawn",
    )
    return tables.AUDIT_QUESTION.validate(rows)


def _pairs_to_decide(drawn: pl.DataFrame, candidates: pl.DataFrame, units: pl.DataFrame) -> pl.DataFrame:
    pairs = candidates.select("question_id", "unit_id").unique()
    places = units.select("unit_id", "source_path", "page_number")
    asked = drawn.select("question_id", "text", "relation")
    return asked.join(pairs, on="question_id").join(places, on="unit_id").sort("question_id", "unit_id")


def _decide(pairs: pl.DataFrame, reviewer: Reviewer | None) -> Iterator[tuple[Mapping[str, Any], Adjudication | None]]:
    for pair in pairs.iter_rows(named=True):
        said = reviewer.adjudicate(pair["text"], pair["source_path"], pair["page_number"]) if reviewer else None
        yield pair, said


def _standing_of_persons(existing: pl.DataFrame) -> dict[tuple[str, ...], dict[str, Any]]:
    rows = standing_labels(existing).filter(pl.col("author_kind").is_in(list(PERSON_KINDS)))
    key = ("question_id", "unit_id", "relation", "author_kind", "author")
    return {tuple(row[name] for name in key): row for row in rows.iter_rows(named=True)}


def _judgment(
    pair: Mapping[str, Any],
    decision: Adjudication,
    standing: Mapping[tuple[str, ...], Mapping[str, Any]],
    now: datetime,
) -> Judgment | None:
    key = (pair["question_id"], pair["unit_id"], pair["relation"], decision.author_kind, decision.author)
    before = standing.get(key)
    if before is not None and before["grade"] == decision.grade:
        return None
    return Judgment(
        question_id=pair["question_id"],
        unit_id=pair["unit_id"],
        relation=pair["relation"],
        grade=decision.grade,
        author_kind=decision.author_kind,
        author=decision.author,
        reason=decision.reason,
        is_blind=True,
        replaces_label_id=before["label_id"] if before is not None else None,
        decided_at_utc=now,
    )
