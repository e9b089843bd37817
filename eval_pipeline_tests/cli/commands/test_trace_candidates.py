"""The candidate table on a terminal and for a program."""

import json

import polars as pl
import pytest

from eval_pipeline.cli.commands.trace_candidates import align, show_candidates
from eval_pipeline.orchestration.evaluating import lay_ground
from eval_pipeline.orchestration.resources import Project


def test_columns_are_aligned():
    frame = pl.DataFrame({"page": ["a", "longer"], "role": ["gold", "-"]})
    assert list(align(frame)) == ["page    role", "a       gold", "longer  -"]


@pytest.mark.road
def test_any_question_shows_what_it_stood_against(road_home, capsys):
    project = Project(home=str(road_home))
    question_id = lay_ground(project, project.contracts[0]).pools.item(0, "question_id")
    show_candidates(question_id=question_id, home=road_home, as_json=False)
    told = capsys.readouterr().out
    assert told.startswith(f"question {question_id}, asked by quarterly-evidence: ")
    for words in ("looks like the answer?", "contains the answer?", "the page itself", "other ", " of 11, "):
        assert words in told
    show_candidates(question_id=question_id, home=road_home, as_json=True)
    found = json.loads(capsys.readouterr().out)
    assert (found["question_id"], found["task"]) == (question_id, "quarterly-evidence")
    assert found["candidates"][0]["role"] == "gold"
    assert isinstance(found["candidates"][0]["places"], dict)
