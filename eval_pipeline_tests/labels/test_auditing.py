from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

import polars as pl
import pytest

from eval_pipeline.foundation.config import LabelsConfig
from eval_pipeline.foundation.outputs import StageOutput
from eval_pipeline.foundation.protocols import Adjudication
from eval_pipeline.labels.auditing import AuditDraw, audit, plan_audit
from eval_pipeline.labels.rows import to_label_rows

Grade = Literal["sufficient", "supporting", "irrelevant"]


@dataclass
class Stub:
    grade: Grade = "sufficient"
    asked: list[tuple[str, str, int]] = field(default_factory=list)
    leaves: str = ""

    def adjudicate(self, question: str, document_path: str, page_number: int) -> Adjudication | None:
        self.asked.append((question, document_path, page_number))
        if document_path == self.leaves:
            return None
        return Adjudication(grade=self.grade, author_kind="generator-truth", author="stand-in", reason="read it")


def questions(n: int) -> pl.DataFrame:
    rows = [(f"q{number:03d}", f"text {number}", "evidence") for number in range(n)]
    return pl.DataFrame(rows, schema=dict.fromkeys(["question_id", "text", "relation"], pl.String), orient="row")


UNITS = pl.DataFrame({"unit_id": ["u", "w"], "source_path": ["corpus/u.pdf", "corpus/w.pdf"], "page_number": [3, 1]})


@pytest.fixture
def run(now: datetime) -> Callable[..., StageOutput]:
    def make(reviewer: Stub | None, n: int = 3, wanted: int = 60, existing: pl.DataFrame | None = None) -> StageOutput:
        asked = questions(n)
        pairs = asked.select("question_id").join(pl.DataFrame({"unit_id": ["u", "w", "gone"]}), how="cross")
        return audit(
            questions=asked,
            candidates=pl.concat([pairs, pairs]).with_columns(source=pl.lit("gold")),
            reviewer=reviewer,
            units=UNITS,
            config=LabelsConfig(audit_questions=wanted),
            existing=to_label_rows([]) if existing is None else existing,
            now=now,
        )

    return make


def test_every_candidate_of_a_drawn_question_is_adjudicated_once_and_blind(run: Callable[..., StageOutput]) -> None:
    reviewer = Stub()
    output = run(reviewer)
    labels = output.tables["labels.label"]
    assert labels.height == len(reviewer.asked) == 6
    assert reviewer.asked[:2] == [("text 0", "corpus/u.pdf", 3), ("text 0", "corpus/w.pdf", 1)]
    assert labels["is_blind"].all()
    assert set(labels["author_kind"]) == {"generator-truth"}
    assert output.tables["labels.audit_question"]["inclusion_probability"].to_list() == [1.0] * 3


def test_pages_that_the_reviewer_leaves_are_left(run: Callable[..., StageOutput]) -> None:
    output = run(Stub(leaves="corpus/w.pdf"))
    assert output.tables["labels.label"]["unit_id"].unique().to_list() == ["u"]
    assert output.summary["left to people"] == 3


def test_without_a_reviewer_the_questions_are_drawn_and_wait(run: Callable[..., StageOutput]) -> None:
    output = run(None)
    assert output.tables["labels.audit_question"].height == 3
    assert output.tables["labels.label"].height == 0
    assert output.summary["left to people"] == 6


def test_a_second_audit_adds_nothing_and_a_changed_mind_replaces(run: Callable[..., StageOutput]) -> None:
    first = run(Stub()).tables["labels.label"]
    assert run(Stub(), existing=first).tables["labels.label"].height == 0
    changed = run(Stub(grade="irrelevant"), existing=first).tables["labels.label"]
    assert sorted(changed["replaces_label_id"]) == sorted(first["label_id"])
    assert run(Stub(grade="irrelevant"), existing=pl.concat([first, changed])).tables["labels.label"].height == 0


def test_the_share_is_what_was_wanted_and_the_draw_is_stable_as_questions_come(
    run: Callable[..., StageOutput],
) -> None:
    output = run(None, n=400, wanted=100)
    rows = output.tables["labels.audit_question"]
    assert set(rows["inclusion_probability"]) == {0.25}
    assert 70 <= rows["is_drawn"].sum() <= 130
    draw = AuditDraw(share=0.25, seed=0)
    assert dict(rows.select("question_id", "is_drawn").iter_rows()) == {
        question: draw.is_drawn(question) for question in rows["question_id"]
    }
    wider = AuditDraw(share=0.5, seed=0)
    assert all(wider.is_drawn(question) for question in rows.filter("is_drawn")["question_id"])


def test_settings_name_share_and_seed() -> None:
    config = LabelsConfig(audit_questions=10, audit_seed=3)
    assert plan_audit(n_questions=5, config=config) == AuditDraw(share=1.0, seed=3)
    assert plan_audit(n_questions=0, config=config).share == 0.0
    ids = {AuditDraw(share=share, seed=seed).settings_id for share in (0.5, 1.0) for seed in (0, 1)}
    assert len(ids) == 4


def test_no_questions(run: Callable[..., StageOutput]) -> None:
    assert run(Stub(), n=0).n_rows == 0
