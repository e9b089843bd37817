"""The cache of verdicts: what is asked again, what is not, and what a failure leaves behind."""

from collections.abc import Mapping
from datetime import UTC, datetime

import polars as pl
import pytest

from eval_pipeline.foundation.errors import JudgeFailed
from eval_pipeline.foundation.protocols import PageContent, Verdict
from eval_pipeline.foundation.tables.judging import VERDICT
from eval_pipeline.judging.asking import PAIR_COLUMNS, ask, verdict_id_of

NOW = datetime(2026, 1, 5, tzinfo=UTC)
PAIRS = [
    ("q1", "What was revenue?", "u1", "pic1", "txt1"),
    ("q1", "What was revenue?", "u2", "pic2", "txt2"),
    ("q2", "What was profit?", "u1", "pic1", "txt1"),
    ("q2", "What was profit?", "u2", "pic2", "txt2"),
]


class CountingJudge:
    """Says yes and counts; its id hashes prompt and model, as a real judge's does."""

    kind = "stub"

    def __init__(self, *, prompt: str = "Does it answer?", model: str = "m1", name: str = "stub") -> None:
        self.name, self.prompt, self.model = name, prompt, model
        self.judge_id = f"jd_{prompt}_{model}"
        self.calls: list[tuple[str, str]] = []
        self.failing: set[str] = set()
        self.outcome = "yes"

    def settings(self) -> Mapping[str, str | int | float | bool | None]:
        return {"prompt": self.prompt, "model": self.model}

    def answers(self, question: str, page: PageContent) -> Verdict:
        self.calls.append((question, page.unit_id))
        if page.unit_id in self.failing:
            message = "reply was cut"
            raise JudgeFailed(message, reason="cut")
        return Verdict(outcome=self.outcome, reason=f"{page.unit_id} says so")  # type: ignore[arg-type]  # a stub

    def label(self, question: str, page: PageContent) -> Verdict:
        self.calls.append((question, page.unit_id))
        return Verdict(outcome="supporting", reason="stub")


def a_frame(pairs: list[tuple[str, str, str, str, str]]) -> pl.DataFrame:
    return pl.DataFrame(pairs, schema=dict.fromkeys(PAIR_COLUMNS, pl.String), orient="row")


def pages_of(unit_ids: object) -> dict[str, PageContent]:
    assert isinstance(unit_ids, list)
    return {unit: PageContent(unit_id=unit, text="Revenue 5", text_quality="good") for unit in unit_ids}


def ask_all(judge: CountingJudge, pairs: list[tuple[str, str, str, str, str]], known: pl.DataFrame) -> pl.DataFrame:
    output = ask(judge=judge, verb="answers", pairs=a_frame(pairs), pages=pages_of, known=known, now=NOW)
    return output.tables["judging.verdict"]


def test_jdg_07_changed_prompt_model_or_pixels_ask_again_and_order_does_not() -> None:
    first = CountingJudge()
    verdicts = ask_all(first, PAIRS, VERDICT.empty())
    assert len(first.calls) == 4

    prompted = CountingJudge(prompt="Does it answer!")
    verdicts = pl.concat([verdicts, ask_all(prompted, PAIRS, verdicts)])
    assert len(prompted.calls) == 4

    other_model = CountingJudge(model="m2")
    verdicts = pl.concat([verdicts, ask_all(other_model, PAIRS, verdicts)])
    assert len(other_model.calls) == 4

    repainted = [*PAIRS[:1], ("q1", "What was revenue?", "u2", "pic2-repainted", "txt2"), *PAIRS[2:]]
    again = CountingJudge()
    verdicts = pl.concat([verdicts, ask_all(again, repainted, verdicts)])
    assert again.calls == [("What was revenue?", "u2")]

    shuffled = CountingJudge()
    assert ask_all(shuffled, repainted[::-1], verdicts).height == 0
    assert shuffled.calls == []
    assert verdicts["judge_id"].n_unique() == 3
    assert verdicts["verdict_id"].n_unique() == 13


def test_jdg_07_a_failed_call_is_counted_not_cached_and_asked_again() -> None:
    judge = CountingJudge()
    judge.failing = {"u2"}
    output = ask(judge=judge, verb="answers", pairs=a_frame(PAIRS), pages=pages_of, known=VERDICT.empty(), now=NOW)
    verdicts = output.tables["judging.verdict"]
    assert verdicts["unit_id"].to_list() == ["u1", "u1"]
    assert (output.summary["n_failed"], output.summary["n_asked"]) == (2, 4)
    assert "reply was cut" in str(output.summary["first_failure"])
    judge.failing = set()
    judge.calls.clear()
    assert ask_all(judge, PAIRS, verdicts).height == 2
    assert {unit for _, unit in judge.calls} == {"u2"}


def test_rows_do_not_depend_on_the_order_or_repetition_of_pairs() -> None:
    once = ask_all(CountingJudge(), PAIRS, VERDICT.empty())
    again = ask_all(CountingJudge(), [*PAIRS[::-1], *PAIRS], VERDICT.empty())
    assert once.equals(again)
    assert once["verdict_id"].is_sorted()


def test_equal_content_under_two_units_is_asked_once() -> None:
    judge = CountingJudge()
    twins = [("q1", "Q?", "u9", "pic", "txt"), ("q1", "Q?", "u2", "pic", "txt")]
    verdicts = ask_all(judge, twins, VERDICT.empty())
    assert judge.calls == [("Q?", "u2")]
    assert verdicts["unit_id"].to_list() == ["u2"]


def test_each_verdict_carries_judge_and_judge_carries_settings() -> None:
    output = ask(
        judge=CountingJudge(), verb="label", pairs=a_frame(PAIRS[:1]), pages=pages_of, known=VERDICT.empty(), now=NOW
    )
    (judge,) = output.tables["judging.judge"].to_dicts()
    (verdict,) = output.tables["judging.verdict"].to_dicts()
    assert judge["settings"] == '{"model":"m1","prompt":"Does it answer?"}'
    assert verdict["judge_id"] == judge["judge_id"]
    assert (verdict["verb"], verdict["outcome"], verdict["n_tokens"]) == ("label", "supporting", None)
    assert verdict["decided_at_utc"] == NOW


def test_an_outcome_of_the_other_verb_is_a_failure_not_a_verdict() -> None:
    judge = CountingJudge()
    judge.outcome = "sufficient"
    output = ask(judge=judge, verb="answers", pairs=a_frame(PAIRS[:1]), pages=pages_of, known=VERDICT.empty(), now=NOW)
    assert output.tables["judging.verdict"].height == 0
    assert "allowed: yes, no, abstain" in str(output.summary["first_failure"])


def test_a_unit_without_content_is_a_failure() -> None:
    judge = CountingJudge()
    output = ask(
        judge=judge, verb="answers", pairs=a_frame(PAIRS[:1]), pages=lambda _: {}, known=VERDICT.empty(), now=NOW
    )
    assert judge.calls == []
    assert output.summary["n_failed"] == 1


def test_no_pairs_make_no_rows() -> None:
    output = ask(
        judge=CountingJudge(), verb="answers", pairs=a_frame([]), pages=pages_of, known=VERDICT.empty(), now=NOW
    )
    assert output.n_rows == 0


@pytest.mark.parametrize("changed", ["verb", "text", "picture_hash", "text_hash", "judge_id"])
def test_verdict_id_depends_on_everything_that_could_change_the_verdict(changed: str) -> None:
    inputs = {"verb": "answers", "text": "Q?", "picture_hash": "p", "text_hash": "t", "judge_id": "j"}
    assert verdict_id_of(**inputs) == verdict_id_of(**inputs)
    assert verdict_id_of(**inputs) != verdict_id_of(**{**inputs, changed: "other"})
