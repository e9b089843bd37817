"""A ledger in memory, four pages, and the review pages on top of them."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import polars as pl
import pytest
from PIL import Image
from starlette.testclient import TestClient

from eval_pipeline.foundation.errors import LedgerBusy
from eval_pipeline.labels.queues import ANSWERS_SCHEMA, lay_queues
from eval_pipeline.labels.rows import Judgment, to_label_rows
from eval_pipeline.report.review.app import build_app
from eval_pipeline.report.review.basis import ModelAnswer, ReviewBasis, ReviewPage, ReviewQuestion
from eval_pipeline.report.review.desk import Desk
from eval_pipeline.report.review.records import DeskSettings

PORT = 3001
URL = f"http://127.0.0.1:{PORT}"
UNITS = ("unit_a", "unit_b", "unit_c", "unit_d")
SECRET = "THE MODEL SAYS SO"


@dataclass(kw_only=True)
class MemoryLedger:
    """Labels in memory.

    Attributes:
        basis: what is reviewed.
        labels: rows of labels.label.
        is_busy: whether another process holds the ledger.
        n_sessions: how often it was opened.
    """

    basis: ReviewBasis
    labels: pl.DataFrame = field(default_factory=lambda: to_label_rows([]))
    is_busy: bool = False
    n_sessions: int = 0

    def read_basis(self) -> ReviewBasis:
        return self.basis

    def read_labels(self, question_ids: object, *, is_patient: bool = False) -> pl.DataFrame:
        self._open()
        return self.labels

    def record_label(self, question_id: str, decide: Callable[[pl.DataFrame], list[Judgment]]) -> pl.DataFrame:
        self._open()
        mine = self.labels.filter(pl.col("question_id") == question_id)
        self.add(*decide(mine))
        return self.labels.filter(pl.col("question_id") == question_id)

    def question_of(self, receipt_id: str) -> str | None:
        return "q1" if receipt_id == "rcp_1" else None

    def add(self, *judgments: Judgment) -> None:
        """Record as another process would."""
        rows = to_label_rows(judgments).join(self.labels, on="label_id", how="anti")
        self.labels = pl.concat([self.labels, rows]).sort("label_id")

    def _open(self) -> None:
        self.n_sessions += 1
        if self.is_busy:
            message = "ledger.lock is held by process 7 after 2 s of waiting"
            raise LedgerBusy(message)


@pytest.fixture
def basis(tmp_path: Path) -> ReviewBasis:
    """q1 is audited (a, b, c); q2 is not (d, then a: both judges' favourites)."""
    pages = {}
    for number, unit_id in enumerate(UNITS):
        picture = tmp_path / "derived" / f"{unit_id}.webp"
        picture.parent.mkdir(exist_ok=True)
        Image.new("RGB", (20, 30), (number * 40, 0, 0)).save(picture, lossless=True)
        document = tmp_path / f"{unit_id}.pdf"
        document.write_bytes(b"%PDF-" + unit_id.encode())
        pages[unit_id] = ReviewPage(
            unit_id=unit_id, source=f"{unit_id}.pdf p. 1", picture=picture, text=f"text of {unit_id}", document=document
        )
    ranked = [("q1", "image", rank, unit) for rank, unit in enumerate(UNITS[:3], start=1)]
    ranked += [("q2", "image", 1, "unit_a"), ("q2", "text", 1, "unit_d"), ("q2", "image", 2, "unit_d")]
    said = [(q, u, "text", "label", "supporting", SECRET) for q, u in (("q1", "unit_a"), ("q2", "unit_d"))]
    said.append(("q2", "unit_a", "text", "label", "irrelevant", SECRET))
    schema = {"question_id": pl.String, "variant_name": pl.String, "rank": pl.Int64, "unit_id": pl.String}
    queued = lay_queues(
        candidates=pl.DataFrame(schema={"question_id": pl.String, "unit_id": pl.String}),
        rankings=pl.DataFrame(ranked, schema=schema, orient="row"),
        drawn=["q1"],
        answers=pl.DataFrame(said, schema=ANSWERS_SCHEMA, orient="row"),
        k=5,
        seed=0,
    )
    return ReviewBasis(
        title="twelve",
        project_id="prj_1",
        queued=queued,
        questions={
            "q1": ReviewQuestion(question_id="q1", text="What was <revenue> & more?", relation="evidence"),
            "q2": ReviewQuestion(question_id="q2", text="How many parcels?", relation="evidence"),
        },
        pages=pages,
        answers={
            (row[0], row[1]): (ModelAnswer(judge=row[2], verb=row[3], outcome=row[4], reason=row[5]),) for row in said
        },
    )


@pytest.fixture
def memory(basis: ReviewBasis) -> MemoryLedger:
    return MemoryLedger(basis=basis)


@pytest.fixture
def clock() -> Callable[[], datetime]:
    """A clock that ticks ten seconds each time it is read."""
    ticks: Iterator[int] = iter(range(10_000))
    return lambda: datetime(2025, 1, 1, tzinfo=UTC) + timedelta(seconds=10 * next(ticks))


@pytest.fixture
def make_desk(memory: MemoryLedger, clock: Callable[[], datetime]) -> Callable[..., Desk]:
    return lambda **settings: Desk(memory, DeskSettings(**settings), clock)


@pytest.fixture
def desk(make_desk: Callable[..., Desk]) -> Desk:
    return make_desk()


@pytest.fixture
def browse(desk: Desk) -> Callable[..., TestClient]:
    """A browser of its own for a reviewer."""

    def make(reviewer: str | None = "ann", on: Desk | None = None) -> TestClient:
        client = TestClient(build_app(on or desk, port=PORT), base_url=URL, headers={"origin": URL})
        if reviewer is not None:
            client.post("/name", data={"reviewer": reviewer, "next": "/"})
        return client

    return make


@pytest.fixture
def judge() -> Callable[..., Judgment]:
    """A judgment of (q1, unit_a) by a person, with changes."""

    def make(grade: str | None, author: str = "ben", **changes: object) -> Judgment:
        usual: dict[str, object] = {
            "question_id": "q1",
            "unit_id": "unit_a",
            "relation": "evidence",
            "grade": grade,
            "author_kind": "human",
            "author": author,
            "decided_at_utc": datetime(2025, 1, 1, tzinfo=UTC),
        }
        return Judgment(**{**usual, **changes})  # type: ignore[arg-type]

    return make
