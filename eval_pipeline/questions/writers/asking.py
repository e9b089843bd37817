"""Ask paid writers about pages: each page once, several at a time, recorded as it comes, failures told and kept."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol, TypeGuard

import polars as pl

from eval_pipeline.foundation.errors import JudgeFailed
from eval_pipeline.foundation.outputs import StageOutput
from eval_pipeline.foundation.protocols import PageContent, PaidCall
from eval_pipeline.foundation.tables.judging import CALL_OUTCOMES, NOT_ASKED
from eval_pipeline.foundation.tables.questions import WRITTEN_PAGE
from eval_pipeline.judging.asking import RECORD_AFTER_S, Recorder
from eval_pipeline.judging.calls import OTHER, call_columns, count_attempts, given_up, paid_by
from eval_pipeline.judging.meter import Paid
from eval_pipeline.judging.working import work
from eval_pipeline.questions.writers.vlm_replies import to_questions
from eval_pipeline.questions.writers.written import WrittenPage, WrittenQuestion

WRITTEN = "written"


class PaidWriter(Protocol):
    """A writer whose every page costs something.

    Attributes:
        writer_id: version of everything that could change what it writes.
        concurrency: pages under way at one time.
        record_every: pages after which they are recorded.
        asks: times that a page is asked about whose replies did not count.
    """

    writer_id: str
    concurrency: int
    record_every: int
    asks: int

    def ask(self, page: PageContent) -> WrittenPage:
        """Questions of one page; raises JudgeFailed where nothing came that counts."""
        ...

    def stop(self, message: str) -> None:
        """Send nothing more."""
        ...

    def count_paid(self, paid: Paid) -> None:
        """Take over what earlier runs paid."""
        ...


def is_paid(writer: object) -> TypeGuard[PaidWriter]:
    """Whether a writer is asked, and paid, page by page."""
    return callable(getattr(writer, "ask", None))


@dataclass(kw_only=True)
class Brought:
    """What paid writers brought, now and before.

    Attributes:
        questions: by (writer, unit).
        waiting: units on which some writer has not said its last word.
        rows: new rows of questions.written_page.
    """

    questions: dict[tuple[str, str], list[WrittenQuestion]] = field(default_factory=dict)
    waiting: set[str] = field(default_factory=set)
    rows: list[dict[str, Any]] = field(default_factory=list)


def ask_writers(
    *,
    writers: Sequence[PaidWriter],
    pages: Mapping[str, PageContent],
    known: pl.DataFrame,
    now: datetime,
    record: Recorder | None,
) -> Brought:
    """Ask every writer about every page that it has not written from yet.

    A page whose replies did not count as often as the writer's `asks` says is given up: it has no question, and does
    not wait. What failed otherwise, or was not asked as a budget ran out, waits for the next run.

    Args:
        writers: paid ones.
        pages: what may be shown, by unit id.
        known: rows of questions.written_page of these writers.
        now: aware time, stored as a witness.
        record: called with what came, as it comes; None records nothing on the way.
    """
    brought = Brought()
    for writer in writers:
        of_writer = known.filter(pl.col("writer") == writer.writer_id)
        writer.count_paid(paid_by(of_writer))
        _ask_writer(writer, pages, of_writer, now=now, record=record, brought=brought)
    return brought


def _ask_writer(
    writer: PaidWriter,
    pages: Mapping[str, PageContent],
    known: pl.DataFrame,
    *,
    now: datetime,
    record: Recorder | None,
    brought: Brought,
) -> None:
    done = known.filter(pl.col("outcome") == WRITTEN).select("unit_id", "written")
    stored = {unit_id: written for unit_id, written in done.iter_rows() if unit_id in pages}
    brought.questions |= {(writer.writer_id, unit): to_questions(written) for unit, written in stored.items()}
    named = known.rename({"unit_id": "verdict_id"})
    attempts, hopeless = count_attempts(named), given_up(named, asks=writer.asks)
    waiting = [pages[unit_id] for unit_id in sorted(pages) if unit_id not in stored and unit_id not in hopeless]
    shelf = _Shelf(rows=brought.rows, record=record, every=writer.record_every)

    def take(came: tuple[str, WrittenPage | JudgeFailed]) -> None:
        unit_id, said = came
        attempt = attempts.get(unit_id, 0) + 1
        row = _to_row(said, writer_id=writer.writer_id, unit_id=unit_id, attempt=attempt, now=now)
        shelf.put(row)
        if isinstance(said, JudgeFailed):
            brought.waiting.add(unit_id)
        else:
            brought.questions[writer.writer_id, unit_id] = to_questions(said.written)

    try:
        work(
            waiting,
            lambda page: (page.unit_id, _ask_one(writer, page)),
            take,
            concurrency=writer.concurrency,
            stop=lambda: writer.stop("the run was interrupted; the next one asks again"),
        )
    finally:
        shelf.record_new()


def _ask_one(writer: PaidWriter, page: PageContent) -> WrittenPage | JudgeFailed:
    try:
        return writer.ask(page)
    except JudgeFailed as error:
        return error


@dataclass(kw_only=True)
class _Shelf:
    """Rows, and how many of them are recorded."""

    rows: list[dict[str, Any]]
    record: Recorder | None
    every: int
    n_recorded: int = 0
    recorded_at_s: float = field(default_factory=time.monotonic)

    def __post_init__(self) -> None:
        self.n_recorded = len(self.rows)

    def put(self, row: dict[str, Any]) -> None:
        self.rows.append(row)
        is_late = time.monotonic() - self.recorded_at_s >= RECORD_AFTER_S
        if len(self.rows) - self.n_recorded >= self.every or is_late:
            self.record_new()

    def record_new(self) -> None:
        new = self.rows[self.n_recorded :]
        if self.record is not None and new:
            self.record(StageOutput(tables={WRITTEN_PAGE.name: WRITTEN_PAGE.frame(new)}))
        self.n_recorded, self.recorded_at_s = len(self.rows), time.monotonic()


def _to_row(
    said: WrittenPage | JudgeFailed, *, writer_id: str, unit_id: str, attempt: int, now: datetime
) -> dict[str, Any]:
    row = {"writer": writer_id, "unit_id": unit_id, "asked_at_utc": now, **call_columns(said.call or PaidCall())}
    if isinstance(said, WrittenPage):
        return {**row, "attempt": attempt, "outcome": WRITTEN, "detail": said.detail, "written": said.written}
    outcome = said.reason if said.reason in CALL_OUTCOMES else OTHER
    at = 0 if outcome in NOT_ASKED else attempt
    return {**row, "attempt": at, "outcome": outcome, "detail": str(said), "written": None}
