"""What `judge calibrate` prints."""

import polars as pl

from eval_pipeline.cli.commands.judge import tell, to_json
from eval_pipeline.metrics.judge_trust import measure_trust
from eval_pipeline.orchestration.calibrating import Calibration
from eval_pipeline.orchestration.judge_costs import CallCost, Foreseen

RUN = Foreseen(n_calls=8000, n_tokens=10_000_000.0, usd=24.8, hours=1.25)


def a_calibration(**more: object) -> Calibration:
    person = pl.DataFrame({"question_id": ["q", "q"], "unit_id": ["a", "b"], "grade": ["sufficient", "supporting"]})
    model = pl.DataFrame({"question_id": ["q", "q"], "unit_id": ["a", "b"], "outcome": ["sufficient", "abstain"]})
    twice = pl.DataFrame({"first": ["sufficient"], "second": ["supporting"]})
    given = {
        "judge": "eye",
        "judge_id": "jd_1",
        "settings": {"model": "m"},
        "n_labelled": {"developer": 1, "human": 3},
        "n_pairs": 2,
        "n_questions": 1,
        "trust": measure_trust(person=person, model=model, repeated=twice),
        "outcome": {"failures": "cut 1"},
        "paid": {"n_tokens": 3150.0, "usd": 0.0093},
        "per_verdict": CallCost(n_calls=3, n_tokens=1050.0, usd=0.0031, seconds=2.25),
        "run": RUN,
    }
    return Calibration(**{**given, **more})


def test_lines_tell_labels_agreement_and_cost() -> None:
    lines = dict(line for line in tell(a_calibration()) if line[0])
    assert lines["judge"] == "eye (jd_1, model m)"
    assert lines["labels"] == "4 pairs were labelled: 1 by developer, 3 by human"
    assert lines["graded"] == "1; abstained on 1, no verdict on 0 (cut 1)"
    assert lines["agreement"].startswith("1.00 (no interval: too few clusters) on 1 pairs; kappa undefined: one class")
    assert lines["flips"] == "1.00 of the pairs that were asked twice"
    assert lines["a verdict"] == "1,050 tokens, 0.0031 USD, 2.2 s"
    assert "at most 8,000 calls if no question is reworded: 10,000,000 tokens, 24.8000 USD, 1.2 hours" in lines["a run"]
    assert "not a random audit" in lines["note"]


def test_what_is_not_known_is_said() -> None:
    unknown = Foreseen(n_calls=5, n_tokens=None, usd=None, hours=None)
    lines = dict(tell(a_calibration(trust=None, per_verdict=None, run=unknown)))
    assert lines["cost"] == "nothing was ever paid for this judge version"
    assert lines["a run"].endswith("tokens not known, money not known, hours not known")
    assert "agreement" not in lines


def test_json_has_plain_keys() -> None:
    plain = to_json(a_calibration())
    assert plain["trust"]["all"]["table"]["sufficient/sufficient"] == 1
    assert plain["run"]["n_calls"] == 8000
    assert to_json(a_calibration(trust=None))["trust"] is None
