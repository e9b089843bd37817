"""Which runs are in force, before and after they were made."""

import pytest

from eval_pipeline.orchestration.question_sets import read_asked
from eval_pipeline.orchestration.resources import Project
from eval_pipeline.orchestration.run_reading import (
    arena_settings,
    clearance_of,
    read_final_rankings,
    read_lists,
    read_rankings,
    read_run_arenas,
    runs_in_force,
    visible_to,
    visible_to_all,
)

pytestmark = pytest.mark.road


@pytest.fixture(scope="module")
def project(road_home):
    """The twelve pages after one run."""
    return Project(home=str(road_home))


def _runs(project, contract):
    return runs_in_force(project, read_run_arenas(project, contract), contract)


def test_runs_in_force_are_those_that_were_made(project):
    named = {run.retrieval_run_id for contract in project.contracts for run in _runs(project, contract)}
    with project.session() as ledger:
        assert named == set(ledger.table("runs.retrieval_run")["retrieval_run_id"])


def test_only_the_control_by_appearance_reads_all_questions(project):
    runs = _runs(project, project.contracts[0])
    assert [run.variant.name for run in runs if run.reads_all] == ["control-appearance"]
    assert {run.arena_settings_id for run in runs} == {arena_settings(project)}
    assert {run.clearance for run in runs} == {clearance_of(project.contracts[0])}


def test_every_question_has_its_final_list(project):
    final = read_final_rankings(project)
    assert set(final["variant_name"]) == {"image", "text", "hybrid", "hybrid-rawsum"}
    lists = final.select("question_id", "variant_name").unique()
    assert lists.height >= 2 * read_asked(project).questions.height
    assert final.select("question_id", "variant_name", "rank").is_duplicated().sum() == 0


def test_lists_tell_when_they_came(project):
    run = next(run for run in _runs(project, project.contracts[0]) if run.variant.name == "text")
    ranked, lists = read_rankings(project, run)
    assert {"question_id", "stage", "rank", "unit_id", "score"} <= set(ranked.columns)
    assert lists["made_at_utc"].null_count() == 0
    assert {"final", "arena:random", "arena:siblings"} <= set(lists["stage"])
    assert read_lists(project, run).equals(lists)


def test_what_is_shown_to_all_is_what_every_asker_may_see(project):
    units = project.read("corpus/units_in_force")
    first, second = (visible_to(project, contract, units) for contract in project.contracts)
    assert visible_to_all(project, units) == first & second == frozenset(units["unit_id"])
