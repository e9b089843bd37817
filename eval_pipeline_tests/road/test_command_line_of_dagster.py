"""Dagster's own command line: the code location is valid, and the job runs with a process per step."""

import json

import pytest

from eval_pipeline.demo.twelve import make_twelve
from eval_pipeline.foundation.settings import ProjectPaths
from eval_pipeline.ledger.doctor import examine
from eval_pipeline.orchestration.instance import prepare_dagster_home
from eval_pipeline.orchestration.partitions import RANGE_TAGS


def _run(start_python, paths, *arguments):
    prepare_dagster_home(paths)
    named = {"DAGSTER_HOME": str(paths.dagster_home), "EVAL_PIPELINE_HOME": str(paths.home)}
    with start_python("-m", "dagster", *arguments, **named) as process:
        told, _ = process.communicate(timeout=900)
    return process.returncode, told


def test_definitions_are_valid(start_python, copy_road):
    code, told = _run(start_python, copy_road(), "definitions", "validate", "-m", "eval_pipeline.definitions")
    assert code == 0, told[-2000:]


@pytest.mark.slow
def test_the_job_runs_with_a_process_per_step(start_python, road_home, tmp_path, rows_of, commits_of):
    paths, before = ProjectPaths(home=tmp_path / "processes"), ProjectPaths(home=road_home)
    make_twelve(home=paths.home)
    tags = json.dumps(RANGE_TAGS)
    arguments = ("job", "execute", "-m", "eval_pipeline.definitions", "-j", "nightly", "--tags", tags)
    code, told = _run(start_python, paths, *arguments)
    assert code == 0, told[-4000:]
    assert examine(paths) == []
    assert commits_of(paths) == commits_of(before)
    mine, theirs = rows_of(paths), rows_of(before)
    assert [name for name in theirs if mine[name] != theirs[name]] == []
    assert paths.report.exists()
