import json

import pytest

from eval_pipeline.cli.commands import validate
from eval_pipeline.metrics.validation.lines import Line, Proof
from eval_pipeline.metrics.validation.running import Validation


def a_validation(*lines):
    return Validation(proofs=(Proof(name="coverage", claim="it covers", lines=lines),), family=(), n_sets=100)


INSIDE = Line(what="Wilson", value=0.95, low=0.92, high=0.98)
FAILING = Line(what="percentile", value=0.64, low=0.0, high=0.92, is_default=False)
OUTSIDE = Line(what="BCa", value=0.80, low=0.92, high=0.98, slack=0.01)


@pytest.fixture
def finds(monkeypatch):
    def use(*lines):
        monkeypatch.setattr(validate, "validate_measures", lambda *, n_sets, seed: a_validation(*lines))

    return use


def test_every_line_stands_with_its_bound(finds, capsys):
    finds(INSIDE, FAILING)
    validate.run_validation(is_quick=True, seed=0, picture=None, as_json=False)
    told = " ".join(capsys.readouterr().out.split())
    assert "inside 0.950 0.92 to 0.98 Wilson" in told
    assert "fails 0.640 below 0.92: no default percentile" in told
    assert "2 of 2 lines inside their bounds; 100 simulated sets a line" in told


def test_a_line_outside_its_bound_fails_the_gate(finds, capsys):
    finds(INSIDE, OUTSIDE)
    with pytest.raises(SystemExit) as stopped:
        validate.run_validation(is_quick=False, seed=0, picture=None, as_json=True)
    assert stopped.value.code == 3
    told = json.loads(capsys.readouterr().out)
    assert told["holds"] is False
    assert [line["is_inside"] for line in told["proofs"][0]["lines"]] == [True, False]


@pytest.mark.slow
def test_the_command_in_full(call, tmp_path):
    called = call("validate", "--picture", str(tmp_path / "made" / "connection.svg"))
    assert called.returncode == 0, called.stdout
    assert "44 of 44 lines inside their bounds" in called.stdout
    assert (tmp_path / "made" / "connection.svg").read_text().startswith("<svg")
