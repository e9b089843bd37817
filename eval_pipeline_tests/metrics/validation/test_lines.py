import pytest

from eval_pipeline.metrics.validation.lines import Line, Proof, simulation_error


def test_a_bound_grants_its_simulation_error_and_no_more():
    line = {"what": "x", "low": 0.92, "high": 0.98}
    assert Line(**line, value=0.92).is_inside
    assert not Line(**line, value=0.919).is_inside
    assert Line(**line, value=0.91, slack=0.017).is_inside
    assert not Line(**line, value=0.999, slack=0.017).is_inside


def test_a_proof_holds_where_every_line_does():
    lines = (Line(what="x", value=0.5, low=0, high=1), Line(what="y", value=2.0, low=0, high=1))
    assert not Proof(name="p", claim="c", lines=lines).holds
    assert Proof(name="p", claim="c", lines=lines[:1]).holds


def test_simulation_error_worked_value():
    assert simulation_error(0.05, 1000) == pytest.approx(0.0138, abs=5e-5)
