import json
import re

import pytest

from eval_pipeline.cli.commands.power import show_power
from eval_pipeline.foundation.errors import InputError

TASK = "quarterly-evidence"


def test_what_the_questions_can_tell_apart(road_home, capsys):
    show_power(home=road_home, contract=TASK, measure=None, arena=None, difference=0.1, discordance=None, as_json=False)
    told = " ".join(capsys.readouterr().out.split())
    assert re.search(r"every variant alike on \d+ of \d+ \(", told)
    assert re.search(r"image - text: smallest detectable difference .* at the discordance .*; needed for 0\.1: ", told)
    assert "slices are too small to speak of a difference of 0.1" in told


def test_json_and_a_stated_discordance(road_home, capsys):
    options = {"home": road_home, "contract": TASK, "measure": "sufficient@1", "arena": "siblings"}
    show_power(**options, difference=0.1, discordance=0.3, as_json=True)
    found = json.loads(capsys.readouterr().out)
    assert (found["discordance"], found["is_stated"]) == (0.3, True)
    assert all(not part["speaks"] for part in found["slices"])
    with pytest.raises(InputError, match="give a share above 0"):
        show_power(**options, difference=2.0, discordance=None, as_json=True)
