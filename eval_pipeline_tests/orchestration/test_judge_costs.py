"""What calls took, and what more would."""

from datetime import UTC, datetime

import pytest

from eval_pipeline.demo.twelve import make_twelve
from eval_pipeline.foundation.errors import JudgeFailed
from eval_pipeline.foundation.protocols import PaidCall, Verdict
from eval_pipeline.foundation.tables.judging import CALL
from eval_pipeline.judging.calls import to_call_row
from eval_pipeline.orchestration.judge_costs import cost_of_calls, foresee_calls, foresee_judge, is_free
from eval_pipeline.orchestration.resources import Project
from eval_pipeline.orchestration.run_rates import Rate

NOW = datetime(2026, 1, 5, tzinfo=UTC)


def calls_of(*said: Verdict | JudgeFailed):
    rows = [
        to_call_row(
            one,
            pair={"verdict_id": f"v{place}", "question_id": "q", "unit_id": "u"},
            verb="label",
            judge_id="j",
            attempt=1,
            now=NOW,
        )
        for place, one in enumerate(said)
    ]
    return CALL.frame(rows)


def test_failures_count_into_the_cost_of_a_verdict() -> None:
    call = PaidCall(n_requests=1, n_input_tokens=90, n_output_tokens=10, usd=0.25, elapsed_s=3.0)
    good = Verdict(outcome="supporting", reason="r", call=call)
    cost = cost_of_calls(calls_of(good, good, JudgeFailed("cut", reason="cut", call=call)))
    assert (cost.n_calls, cost.n_tokens, cost.usd, cost.seconds) == (2, 150.0, 0.375, 4.5)
    run = foresee_calls(cost, n_calls=8000, concurrency=4)
    assert (run.n_tokens, run.usd, run.hours) == (1_200_000, 3000, pytest.approx(8000 * 4.5 / 4 / 3600))


def test_what_is_not_told_stays_unknown() -> None:
    silent = Verdict(outcome="supporting", reason="r", call=PaidCall(n_requests=1, elapsed_s=1.0))
    cost = cost_of_calls(calls_of(silent))
    assert (cost.n_tokens, cost.usd) == (None, None)
    assert cost_of_calls(CALL.empty()) is None
    assert cost_of_calls(calls_of(JudgeFailed("no", reason="refused"))) is None
    run = foresee_calls(None, n_calls=5, concurrency=1)
    assert (run.n_calls, run.n_tokens, run.usd, run.hours) == (5, None, None, None)


def test_which_judges_are_free() -> None:
    assert is_free({"type": "text-match"})
    assert not is_free({"type": "vlm"})
    assert not is_free({"type": "mine:Judge"})


def test_a_free_judge_takes_time_at_the_measured_rate(tmp_path) -> None:
    rate = Rate(value=40.0, unit="pairs per second", is_measured=False, source="assumed")
    make_twelve(home=tmp_path / "twelve")
    project = Project(home=str(tmp_path / "twelve"))
    found = foresee_judge(project, "text", n_calls=144_000, rate=rate, is_new=True)
    assert (found.n_tokens, found.usd, found.hours) == (0.0, 0.0, 1.0)
    paths = project.paths
    told = paths.config.read_text().replace(
        "judges:\n", "judges:\n  eye: {type: vlm, base_url: http://127.0.0.1:9/v1, model: m}\n"
    )
    paths.config.write_text(told)
    assert foresee_judge(project, "eye", n_calls=5, rate=rate, is_new=True).usd is None
