"""Which runs are in force, before and after they were made."""

import pytest

from eval_pipeline.orchestration.arena_reading import read_arenas
from eval_pipeline.orchestration.question_sets import read_asked
from eval_pipeline.orchestration.resources import Project
from eval_pipeline.orchestration.run_reading import (
    arena_settings,
    clearance_of,
    read_final_rankings,
    read_rankings,
    runs_in_force,
)

pytestmark = pytest.mark.road


@pytest.fixture(scope="module")
def project(road_home):
    """The twelve pages after one run."""
    return Project(home=str(road_home))


def test_runs_in_force_are_those_that_were_made(project):
    asked = read_asked(project)
    arenas = read_arenas(project, asked)
    named = {run.retrieval_run_id for contract in project.contracts for run in runs_in_force(project, arenas, contract)}
    with project.session() as ledger:
        assert named == set(ledger.table("runs.retrieval_run")["retrieval_run_id"])


def test_only_the_control_by_appearance_reads_all_questions(project):
    arenas = read_arenas(project, read_asked(project))
    runs = runs_in_force(project, arenas, project.contracts[0])
    assert [run.variant.name for run in runs if run.reads_all] == ["control-appearance"]
    assert {run.arena_settings_id for run in runs} == {arena_settings(project)}
    assert {run.clearance for run in runs} == {clearance_of(project.contracts[0])}


def test_every_question_has_its_final_list(project):
    asked = read_asked(project)
    final = read_final_rankings(project, asked)
    assert set(final["variant_name"]) == {"image", "text", "hybrid"}
    lists = final.select("question_id", "variant_name").unique()
    assert lists.height >= 2 * asked.questions.height
    assert final.select("question_id", "variant_name", "rank").is_duplicated().sum() == 0


def test_lists_tell_when_they_came(project):
    arenas = read_arenas(project, read_asked(project))
    run = next(run for run in runs_in_force(project, arenas, project.contracts[0]) if run.variant.name == "text")
    ranked, lists = read_rankings(project, run)
    assert {"question_id", "stage", "rank", "unit_id", "score"} <= set(ranked.columns)
    assert lists["made_at_utc"].null_count() == 0
    assert {"final", "arena:random", "arena:siblings"} <= set(lists["stage"])
