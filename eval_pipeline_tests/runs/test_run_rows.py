from eval_pipeline.foundation.errors import RetrievalFailed
from eval_pipeline.runs.run_rows import Failures, Timings


def test_failures_are_counted_by_reason_and_one_is_one_row() -> None:
    failures = Failures()
    assert failures.count() == {}
    for question, reason in (("q1", "time-out"), ("q2", "status 503"), ("q3", "time-out")):
        failures.add(question, RetrievalFailed(f"{reason} of {question}", reason=reason))
    assert failures.count() == {"questions_not_answered": 3, "reasons": "status 503 1, time-out 2"}
    rows = failures.to_frame("run_1")
    assert rows.select("question_id", "reason", "detail").row(0) == ("q1", "time-out", "time-out of q1")
    assert rows["failure_id"].n_unique() == 3
    assert rows.equals(failures.to_frame("run_1"))
    assert set(rows["failure_id"]).isdisjoint(failures.to_frame("run_2")["failure_id"])


def test_times_by_stage_and_their_quantiles() -> None:
    timings = Timings()
    assert timings.summarise() == {}
    for place in range(1, 101):
        timings.add(f"q{place}", {"lexical": place / 2000}, place / 1000)
    assert timings.summarise() == {"median_ms": 50.5, "p95_ms": 95.05}
    assert timings.to_frame("run_1").filter(question_id="q7").select("stage", "elapsed_s").rows() == [
        ("lexical", 0.0035),
        ("all", 0.007),
    ]
