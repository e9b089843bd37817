"""What goes wrong on the wire: retried where it may pass, named where it does not, never a label."""

import json

import polars as pl
import pytest

from eval_pipeline.foundation.errors import ConfigError, JudgeFailed
from eval_pipeline.foundation.tables.judging import CALL, VERDICT
from eval_pipeline.judging.asking import ask
from eval_pipeline_tests.judging.conftest import NOW, a_page, pairs_of, texts_of
from eval_pipeline_tests.scripted_endpoint import Scripted, completion, fails, says

CASE = ["q1|p1", "q1|p2", "q2|p1", "q2|p2"]


def play(case, *, timeout_s: float):
    """The script of JDG-03, by pair."""

    def script(shown, before: int):
        name = f"{shown.question[8:-1]}|{shown.pages[shown.page_id]}"
        step = case["pairs"][name][min(before, len(case["pairs"][name]) - 1)]
        match step:
            case int():
                return fails(step, retry_after=str(case["retry_after_s"]) if step == 429 else None)
            case "timeout":
                return Scripted(body=says("irrelevant", shown).body, delay_s=2 * timeout_s)
            case _:
                return says(json.loads(step)["label"], shown)

    return script


def test_jdg_03_busy_and_slow_endpoints_lose_no_label_and_invent_none(make_judge, endpoint, naps, case_files) -> None:
    case = json.loads((case_files / "JDG-03_server_script.json").read_text())
    endpoint.script = play(case, timeout_s=0.25)
    pages = texts_of({"p1": "p1", "p2": "p2"})
    judge = make_judge(concurrency=2, timeout_s=0.25)
    judge.judge_id = "jd"
    first = ask(judge=judge, verb="label", pairs=pairs_of(CASE), pages=pages, known=VERDICT.empty(), now=NOW)
    verdicts, calls = first.tables["judging.verdict"], first.tables["judging.call"]
    said = {f"{q}|{u}": grade for q, u, grade in verdicts.select("question_id", "unit_id", "outcome").iter_rows()}
    assert said == {"q1|p1": "sufficient", "q1|p2": "irrelevant", "q2|p2": "supporting"}
    assert (first.summary["n_pairs"], first.summary["n_failed"]) == (4, 1)
    assert first.summary["failures"] == "rate limited 1"
    waiting = calls.filter(pl.col("outcome") != "verdict")
    assert waiting.select("question_id", "unit_id", "outcome", "attempt", "n_requests").rows() == [
        ("q2", "p1", "rate limited", 1, 6)
    ]
    assert max(naps) <= 1.0

    n_before, endpoint.script = endpoint.n_requests, lambda shown, _: says("supporting", shown)
    again = ask(judge=judge, verb="label", pairs=pairs_of(CASE), pages=pages, known=verdicts, now=NOW, calls=calls)
    assert endpoint.n_requests == n_before + 1
    assert again.tables["judging.verdict"].select("question_id", "unit_id").rows() == [("q2", "p1")]
    assert again.tables["judging.call"]["attempt"].to_list() == [2]


def test_jdg_03_retry_after_is_waited_for(make_judge, endpoint, naps) -> None:
    endpoint.script = lambda shown, before: fails(429, retry_after="7") if before == 0 else says("yes", shown)
    said = make_judge().answers("What was revenue?", a_page())
    assert (said.outcome, said.call.n_requests) == ("yes", 2)
    assert naps == [pytest.approx(7, abs=0.5)]


def test_without_retry_after_waits_double(make_judge, endpoint, naps) -> None:
    endpoint.script = lambda shown, before: fails(503) if before < 3 else says("yes", shown)
    make_judge().answers("What was revenue?", a_page())
    assert naps == [pytest.approx(wait, abs=0.5) for wait in (1, 2, 4)]


def test_an_endpoint_that_asks_for_an_hour_is_not_waited_for(make_judge, endpoint, naps) -> None:
    endpoint.script = lambda *_: fails(429, retry_after="3600")
    with pytest.raises(JudgeFailed) as caught:
        make_judge().answers("What was revenue?", a_page())
    assert (caught.value.reason, endpoint.n_requests, naps) == ("rate limited", 1, [])


@pytest.mark.parametrize(("status", "reason"), [(500, "server error"), (502, "server error"), (408, "server error")])
def test_retries_end(make_judge, endpoint, status, reason) -> None:
    endpoint.script = lambda *_: fails(status)
    with pytest.raises(JudgeFailed, match="tried 3 times") as caught:
        make_judge(retries=2).answers("What was revenue?", a_page())
    assert (caught.value.reason, caught.value.call.n_requests, caught.value.call.n_tokens) == (reason, 3, None)


def test_a_rejected_request_is_not_repeated_and_says_what_may_help(make_judge, endpoint) -> None:
    endpoint.script = lambda *_: fails(400)
    with pytest.raises(JudgeFailed, match="structured: json_object or prompt") as caught:
        make_judge().answers("What was revenue?", a_page())
    assert (caught.value.reason, endpoint.n_requests) == ("rejected", 1)


def test_nobody_there_is_unreachable(make_judge) -> None:
    judge = make_judge(base_url="http://127.0.0.1:1/v1", retries=1)
    with pytest.raises(JudgeFailed, match=r"no connection to http://127\.0\.0\.1:1/v1") as caught:
        judge.answers("What was revenue?", a_page())
    assert caught.value.reason == "unreachable"


@pytest.mark.parametrize(("status", "words"), [(401, "refuses requests without a key"), (404, "knows no model 'm'")])
def test_a_wrong_key_or_model_ends_the_run_by_name(make_judge, endpoint, status, words) -> None:
    endpoint.script = lambda *_: fails(status)
    judge = make_judge()
    with pytest.raises(ConfigError, match=words):
        judge.answers("What was revenue?", a_page())
    with pytest.raises(JudgeFailed) as caught:
        judge.answers("What was profit?", a_page())
    assert (caught.value.reason, endpoint.n_requests) == ("stopped", 1)


@pytest.mark.parametrize(("structured", "form"), [("json_object", {"type": "json_object"}), ("prompt", None)])
def test_the_way_to_structured_output_is_the_declared_one(make_judge, endpoint, structured, form) -> None:
    make_judge(structured=structured).answers("What was revenue?", a_page())
    assert endpoint.requests[0].body.get("response_format") == form


def test_a_schema_is_sent_and_closed(make_judge, endpoint) -> None:
    make_judge(extra={"seed": 5}, limit_key="max_completion_tokens", temperature=None).answers("What?", a_page())
    body = endpoint.requests[0].body
    schema = body["response_format"]["json_schema"]
    assert schema["strict"] is True
    assert schema["schema"]["additionalProperties"] is False
    assert schema["schema"]["required"] == list(schema["schema"]["properties"])
    assert (body["seed"], body["max_completion_tokens"]) == (5, 1000)
    assert not {"temperature", "max_tokens"} & set(body)


def test_what_an_endpoint_tells_of_its_cost_is_taken(make_judge, endpoint) -> None:
    endpoint.script = lambda shown, _: says("yes", shown, cost=0.0125)
    said = make_judge().answers("What was revenue?", a_page())
    assert said.call.usd == 0.0125


def test_an_endpoint_that_tells_nothing_of_tokens_leaves_them_unknown(make_judge, endpoint) -> None:
    endpoint.script = lambda shown, _: says("yes", shown, n_input=None)
    judge = make_judge(budget={"tokens": 100_000})
    said = judge.answers("What was revenue?", a_page())
    assert (said.n_tokens, said.call.usd) == (None, None)
    assert judge.paid.n_tokens > 1000  # counted as set aside


def test_a_budget_ends_the_asking_and_what_is_left_waits(make_judge, endpoint) -> None:
    names = [f"q{number}|p1" for number in range(8)]
    judge = make_judge(budget={"tokens": 7000}, max_tokens=100, concurrency=3)
    output = ask(
        judge=judge, verb="label", pairs=pairs_of(names), pages=texts_of({"p1": "x"}), known=VERDICT.empty(), now=NOW
    )
    calls = output.tables["judging.call"]
    assert output.tables["judging.verdict"].height == endpoint.n_requests == 6
    waiting = calls.filter(pl.col("outcome") == "over budget")
    assert (waiting.height, waiting["attempt"].unique().to_list()) == (2, [0])
    assert (output.summary["n_not_asked"], output.summary["n_failed"], output.summary["n_asked"]) == (2, 0, 6)
    richer = make_judge(budget={"tokens": 70_000}, max_tokens=100)
    again = ask(
        judge=richer,
        verb="label",
        pairs=pairs_of(names),
        pages=texts_of({"p1": "x"}),
        known=output.tables["judging.verdict"],
        now=NOW,
        calls=calls,
    )
    assert again.tables["judging.verdict"].height == 2
    assert again.tables["judging.call"]["attempt"].to_list() == [1, 1]


def test_money_without_a_price_stops_after_the_first_reply_and_says_so(make_judge, endpoint) -> None:
    names = [f"q{number}|p1" for number in range(4)]
    judge = make_judge(budget={"usd": 5}, concurrency=1)
    output = ask(
        judge=judge, verb="label", pairs=pairs_of(names), pages=texts_of({"p1": "x"}), known=VERDICT.empty(), now=NOW
    )
    assert (output.tables["judging.verdict"].height, output.summary["n_not_asked"]) == (1, 3)
    assert "declare price" in str(output.summary["first_failure"])


def test_a_dead_endpoint_is_left_alone_after_some_calls(make_judge, endpoint) -> None:
    endpoint.script = lambda *_: fails(500)
    names = [f"q{number}|p1" for number in range(30)]
    judge = make_judge(retries=0, concurrency=1)
    output = ask(
        judge=judge, verb="label", pairs=pairs_of(names), pages=texts_of({"p1": "x"}), known=VERDICT.empty(), now=NOW
    )
    assert endpoint.n_requests == 12
    assert (output.summary["n_failed"], output.summary["n_not_asked"]) == (12, 18)
    assert output.tables["judging.verdict"].height == 0
    assert CALL.validate(output.tables["judging.call"]).height == 30


def test_refusals_in_a_row_are_replies_and_do_not_stop_the_asking(make_judge, endpoint) -> None:
    endpoint.script = lambda *_: completion(None, refusal="I cannot help with that")
    names = [f"q{number}|p1" for number in range(15)]
    output = ask(
        judge=make_judge(concurrency=1),
        verb="label",
        pairs=pairs_of(names),
        pages=texts_of({"p1": "x"}),
        known=VERDICT.empty(),
        now=NOW,
    )
    assert output.summary["failures"] == "refused 15"
