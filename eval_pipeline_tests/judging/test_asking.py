"""The cache of verdicts: what is asked again, what is not, and what a failure leaves behind."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime

import polars as pl
import pytest

from eval_pipeline.foundation.errors import JudgeFailed
from eval_pipeline.foundation.outputs import StageOutput
from eval_pipeline.foundation.protocols import PageContent, Verdict
from eval_pipeline.foundation.tables.judging import CALL, VERDICT
from eval_pipeline.judging import asking
from eval_pipeline.judging.asking import PAIR_COLUMNS, ask, verdict_id_of
from eval_pipeline_tests.judging.conftest import pairs_of, texts_of
from eval_pipeline_tests.scripted_endpoint import completion, says

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


def test_verdicts_are_recorded_on_the_way_and_a_killed_run_asks_only_for_the_rest(
    make_judge, endpoint, monkeypatch
) -> None:
    monkeypatch.setattr(asking, "RECORD_AFTER_S", 1e9)
    names = [f"q{number}|p1" for number in range(12)]
    recorded: list[StageOutput] = []

    def record(output: StageOutput) -> None:
        recorded.append(output)
        if len(recorded) == 2:  # raised while recording: the chunk is offered once more on the way out
            raise KeyboardInterrupt

    judge = make_judge(concurrency=1, record_every=4)
    asked = {"verb": "label", "pairs": pairs_of(names), "pages": texts_of({"p1": "x"}), "now": NOW}
    with pytest.raises(KeyboardInterrupt):
        ask(judge=judge, known=VERDICT.empty(), record=record, **asked)
    known = pl.concat([output.tables["judging.verdict"] for output in recorded]).unique("verdict_id")
    calls = pl.concat([output.tables["judging.call"] for output in recorded]).unique(["verdict_id", "attempt"])
    assert known.height == endpoint.n_requests == calls.height == 8
    again = ask(judge=make_judge(concurrency=1), known=known, calls=calls, **asked)
    assert endpoint.n_requests == 12
    assert again.tables["judging.verdict"].height == 4
    assert pl.concat([known, again.tables["judging.verdict"]])["verdict_id"].n_unique() == 12


def test_threads_under_way_when_a_run_is_interrupted_are_waited_for_and_recorded(make_judge, endpoint) -> None:
    names = [f"q{number}|p1" for number in range(40)]
    endpoint.script = lambda shown, _: replace(says("supporting", shown), delay_s=0.02)
    recorded: list[StageOutput] = []

    def record(output: StageOutput) -> None:
        recorded.append(output)
        if len(recorded) == 1:
            raise SystemExit

    asked = {"verb": "label", "pairs": pairs_of(names), "pages": texts_of({"p1": "x"}), "now": NOW}
    with pytest.raises(SystemExit):
        ask(judge=make_judge(concurrency=4, record_every=6), known=VERDICT.empty(), record=record, **asked)
    known = pl.concat([output.tables["judging.verdict"] for output in recorded]).unique("verdict_id")
    assert known.height == endpoint.n_requests < 40
    calls = pl.concat([output.tables["judging.call"] for output in recorded]).unique(["verdict_id", "attempt"])
    again = ask(judge=make_judge(concurrency=4), known=known, calls=calls, **asked)
    assert endpoint.n_requests == 40
    assert known.height + again.tables["judging.verdict"].height == 40


def test_rows_do_not_depend_on_how_many_are_asked_at_one_time(make_judge, endpoint) -> None:
    names = [f"q{number}|p{number % 3}" for number in range(15)]
    asked = {"verb": "answers", "pairs": pairs_of(names), "pages": texts_of(dict.fromkeys(("p0", "p1", "p2"), "x"))}
    one, many = (
        ask(judge=make_judge(concurrency=n), known=VERDICT.empty(), now=NOW, **asked).tables["judging.verdict"]
        for n in (1, 6)
    )
    assert one.drop("elapsed_s").equals(many.drop("elapsed_s"))


def test_a_pair_is_given_up_after_the_declared_times_and_stays_without_a_label(make_judge, endpoint) -> None:
    endpoint.script = lambda *_: completion("I think it is sufficient.")
    calls = CALL.empty()
    asked = {"verb": "label", "pairs": pairs_of(["q1|p1"]), "pages": texts_of({"p1": "x"}), "known": VERDICT.empty()}
    for _ in range(4):
        output = ask(judge=make_judge(asks=2), now=NOW, calls=calls, **asked)
        calls = pl.concat([calls, output.tables["judging.call"]])
        assert output.tables["judging.verdict"].height == 0
    assert endpoint.n_requests == 2
    assert calls.select("attempt", "outcome").rows() == [(1, "malformed"), (2, "malformed")]
    assert (output.summary["n_given_up"], output.summary["n_asked"], output.summary["n_known"]) == (1, 0, 0)


def test_a_failure_is_told_with_what_was_paid_for_it(make_judge, endpoint) -> None:
    endpoint.script = lambda *_: completion("no idea")
    output = ask(
        judge=make_judge(price={"input": 1, "output": 2}),
        verb="label",
        pairs=pairs_of(["q1|p1", "q2|p1"]),
        pages=texts_of({"p1": "x"}),
        known=VERDICT.empty(),
        now=NOW,
    )
    assert (output.summary["n_tokens"], output.summary["usd"]) == (2100, 0.0022)
    row = output.tables["judging.call"].row(0, named=True)
    assert (row["outcome"], row["n_input_tokens"], row["model"]) == ("malformed", 1000, "scripted-1")
    assert "it begins 'no idea'" in row["detail"]


def test_several_pages_at_a_time_are_of_one_question_and_each_is_asked_once(make_judge, endpoint) -> None:
    names = [f"q{question}|p{page}" for question in range(2) for page in range(5)]
    texts = {f"p{page}": f"Page {page}" for page in range(5)}
    asked = {
        "verb": "answers",
        "pairs": pairs_of(names),
        "pages": texts_of(texts),
        "known": VERDICT.empty(),
        "now": NOW,
    }
    output = ask(judge=make_judge(candidates=3, order_check=False, concurrency=2), **asked)
    assert output.tables["judging.verdict"].height == 10
    assert sorted(len(shown.pages) for shown in endpoint.requests) == [2, 2, 3, 3]
    assert sorted({shown.question for shown in endpoint.requests}) == ["What of q0?", "What of q1?"]
    assert sum(output.tables["judging.call"]["n_requests"]) == 4
    again = ask(judge=make_judge(candidates=3, order_check=False, concurrency=2), **asked)
    columns = ["verdict_id", "shown_order"]
    assert again.tables["judging.call"].select(columns).equals(output.tables["judging.call"].select(columns))


def test_what_came_is_recorded_after_some_seconds_though_few_came(make_judge, endpoint, monkeypatch) -> None:
    monkeypatch.setattr(asking, "RECORD_AFTER_S", 0.0)
    recorded: list[StageOutput] = []
    ask(
        judge=make_judge(concurrency=1, record_every=100),
        verb="label",
        pairs=pairs_of(["q1|p1", "q2|p1", "q3|p1"]),
        pages=texts_of({"p1": "x"}),
        known=VERDICT.empty(),
        now=NOW,
        record=recorded.append,
    )
    assert [output.tables["judging.verdict"].height for output in recorded] == [1, 1, 1]
