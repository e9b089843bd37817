import json

import pytest

from eval_pipeline.cli.commands.compare import compare_variants, tell_detectable
from eval_pipeline.foundation.errors import InputError
from eval_pipeline.metrics.power import Detectable

TASK = "quarterly-evidence"


def test_pairs_with_interval_test_and_discordant_questions(road_home, call):
    called = call("compare", "image", "text", "--contract", TASK, home=road_home)
    assert called.returncode == 0, called.stderr
    told = " ".join(called.stdout.split())
    assert "image - text" in told
    assert "mcnemar p" in told
    assert "smallest detectable difference" in told
    assert "questions: these tell nothing apart" in told
    assert "An interval covers the drawing of questions and nothing else" in told


def the_options(home, **changes):
    plain = {"sides": (), "contract": TASK, "measure": None, "arena": None, "on": None, "n_listed": 1, "as_json": False}
    return {"home": home, **plain, **changes}


def test_json_holds_every_discordant_question(road_home, capsys):
    compare_variants(**the_options(road_home, as_json=True))
    found = json.loads(capsys.readouterr().out)
    names = {pair["one"] for pair in found["pairs"]} | {pair["other"] for pair in found["pairs"]}
    assert len(found["pairs"]) == len(names) * (len(names) - 1) / 2
    for pair in found["pairs"]:
        assert pair["n"] == pair["n_alike"] + len(pair["discordant"])
        assert len(pair["one_better"]) - len(pair["other_better"]) == round(pair["n"] * pair["difference"])
        assert 0 < pair["p_value"] <= pair["p_holm"] <= 1
    assert found["denominator"]["n"] == found["n"]
    assert found["shared_set"] is None


def test_other_denominators_are_refused_and_the_difference_named(road_home):
    arenas = ("image:random", "image:siblings")
    with pytest.raises(InputError, match="different denominators, so no difference is shown") as refused:
        compare_variants(**the_options(road_home, sides=arenas))
    assert "the questions with a value" in str(refused.value)
    assert "the arena (the candidate sets)" in str(refused.value)
    with pytest.raises(InputError, match="share no question with the same candidates"):
        compare_variants(**the_options(road_home, sides=arenas, on="shared"))


def test_a_shared_set_is_named(road_home, capsys):
    compare_variants(**the_options(road_home, sides=("image", "text"), on="shared"))
    told = capsys.readouterr().out
    assert "shared set shared_" in told
    assert "left out: none" in told
    assert "more; --list" in told
    with pytest.raises(InputError, match="write --on shared"):
        compare_variants(**the_options(road_home, on="everything"))
    with pytest.raises(InputError, match="one side only, image"):
        compare_variants(**the_options(road_home, sides=("image",)))


def test_why_there_is_no_smallest_difference():
    given = {"n": 17, "discordance": 0.1, "method": "mcnemar"}
    assert tell_detectable(Detectable(difference=0.25, reason="scored", **given)) == "0.25"
    few = Detectable(difference=None, reason="too_few_questions", **given)
    assert tell_detectable(few) == "none (too few questions at this discordance)"
