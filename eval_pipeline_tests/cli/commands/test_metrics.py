import json

import pytest

from eval_pipeline.cli.commands.metrics import show_metrics
from eval_pipeline.foundation.errors import UnknownName


def test_the_table_has_both_tests_with_their_own_denominators(road_home, call):
    called = call("metrics", home=road_home)
    assert called.returncode == 0, called.stderr
    told = called.stdout
    for words in ("naive test", "this test", "whole corpus", "control floor (template)", "no difference is shown"):
        assert words in told


def test_json_holds_every_figure_and_no_not_a_number(road_home, call):
    evaluations = json.loads(call("metrics", "--json", home=road_home).stdout)
    assert [item["task"] for item in evaluations] == ["quarterly-evidence", "questions-as-asked"]
    for evaluation in evaluations:
        assert {"task", "funnel", "figures", "evaluation_id"} <= set(evaluation)
        for figure in evaluation["figures"]:
            assert (figure["estimate"] is None) == (figure["reason"] != "scored")


def test_an_unknown_contract_is_named(road_home):
    with pytest.raises(UnknownName, match="no evaluation of a contract 'nonsense'"):
        show_metrics(home=road_home, contract="nonsense", as_json=False)
