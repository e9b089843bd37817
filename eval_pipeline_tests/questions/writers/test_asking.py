"""Paid writers: each page once, failures told, nothing paid twice."""

from datetime import UTC, datetime

import polars as pl
import pytest

from eval_pipeline.foundation.errors import JudgeFailed
from eval_pipeline.foundation.outputs import StageOutput
from eval_pipeline.foundation.protocols import PageContent
from eval_pipeline.foundation.tables.questions import WRITTEN_PAGE
from eval_pipeline.questions.writers import asking
from eval_pipeline.questions.writers.asking import ask_writers, is_paid
from eval_pipeline.questions.writers.rules import RulesWriter
from eval_pipeline_tests.questions.writers.conftest import an_item, writes
from eval_pipeline_tests.scripted_endpoint import completion

NOW = datetime(2026, 1, 5, tzinfo=UTC)
PAGES = {
    f"u{number}": PageContent(unit_id=f"u{number}", text=f"Revenue 5\nPage {number}", text_quality="good")
    for number in range(6)
}


def good(shown, _=0):
    return writes(an_item("What was revenue?", metric="revenue"), shown=shown)


def ask(writer, known: pl.DataFrame | None = None, **more):
    known = WRITTEN_PAGE.empty() if known is None else known
    return ask_writers(writers=[writer], pages=PAGES, known=known, now=NOW, record=more.get("record"))


def test_rules_are_free_and_a_model_is_not(make_writer) -> None:
    assert not is_paid(RulesWriter())
    assert is_paid(make_writer())


def test_what_was_written_before_is_not_paid_again(make_writer, endpoint) -> None:
    endpoint.script = good
    first = ask(make_writer())
    known = WRITTEN_PAGE.frame(first.rows)
    assert (endpoint.n_requests, first.waiting) == (6, set())
    again = ask(make_writer(), known)
    assert (endpoint.n_requests, again.rows) == (6, [])
    assert again.questions == first.questions
    assert {row["n_input_tokens"] for row in first.rows} == {1000}
    other = ask(make_writer(per_page=1), known)
    assert (endpoint.n_requests, len(other.rows)) == (12, 6)


def test_a_failed_page_waits_is_told_and_is_asked_again_alone(make_writer, endpoint) -> None:
    endpoint.script = lambda shown, _: completion("?") if "Page 3" in str(shown.pages) else good(shown)
    first = ask(make_writer())
    assert first.waiting == {"u3"}
    (failed,) = [row for row in first.rows if row["written"] is None]
    assert (failed["unit_id"], failed["outcome"], failed["attempt"], failed["n_output_tokens"]) == (
        "u3",
        "malformed",
        1,
        50,
    )
    endpoint.script = good
    again = ask(make_writer(), WRITTEN_PAGE.frame(first.rows))
    assert (endpoint.n_requests, [row["attempt"] for row in again.rows], again.waiting) == (7, [2], set())


def test_a_page_is_given_up_after_the_declared_times_and_no_longer_waits(make_writer, endpoint) -> None:
    endpoint.script = lambda *_: completion(None, refusal="no")
    known = WRITTEN_PAGE.empty()
    for _ in range(3):
        brought = ask(make_writer(asks=2), known)
        known = pl.concat([known, WRITTEN_PAGE.frame(brought.rows)]) if brought.rows else known
    assert (endpoint.n_requests, brought.rows, brought.waiting, brought.questions) == (12, [], set(), {})


def test_a_budget_holds_over_runs(make_writer, endpoint) -> None:
    endpoint.script = good
    first = ask(make_writer(budget={"tokens": 4500}, max_tokens=100, concurrency=1))
    n_paid = endpoint.n_requests
    assert 0 < n_paid < 6
    assert {row["attempt"] for row in first.rows if row["outcome"] == "over budget"} == {0}
    again = ask(make_writer(budget={"tokens": 4500}, max_tokens=100, concurrency=1), WRITTEN_PAGE.frame(first.rows))
    assert endpoint.n_requests == n_paid
    assert len(again.waiting) == 6 - n_paid


def test_what_comes_is_recorded_on_the_way(make_writer, endpoint, monkeypatch) -> None:
    monkeypatch.setattr(asking, "RECORD_AFTER_S", 1e9)
    endpoint.script = good
    recorded: list[StageOutput] = []

    def record(output: StageOutput) -> None:
        recorded.append(output)
        if len(recorded) == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ask(make_writer(record_every=2, concurrency=1), record=record)
    known = pl.concat([output.tables[WRITTEN_PAGE.name] for output in recorded]).unique(["unit_id", "attempt"])
    assert known.height == endpoint.n_requests == 4
    ask(make_writer(), known)
    assert endpoint.n_requests == 6


def test_a_writer_of_the_users_own_may_fail_in_its_own_words() -> None:
    class Moody:
        writer_id, concurrency, record_every, asks = "moody", 1, 1, 1

        def ask(self, page):
            raise JudgeFailed("not today", reason="mood")

        def stop(self, message):
            raise AssertionError

        def count_paid(self, paid):
            pass

    brought = ask(Moody())
    assert {(row["outcome"], row["detail"]) for row in brought.rows} == {("failed", "not today")}
