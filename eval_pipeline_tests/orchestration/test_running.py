"""Runs in this process: what may be selected, and how a failure is told apart from a gate and from bad input."""

import pytest

from eval_pipeline.foundation.errors import ConfigError, GateFailed, UnknownName
from eval_pipeline.foundation.settings import ProjectPaths
from eval_pipeline.orchestration.running import FIRST_PART, StepFailed, choose_assets, run_project


def test_a_folder_without_declaration_is_refused_and_left_as_it_is(tmp_path):
    with pytest.raises(ConfigError, match="no project folder"):
        run_project(ProjectPaths(home=tmp_path), quiet=True)
    assert list(tmp_path.iterdir()) == []


def test_an_unknown_asset_is_refused_by_name(a_project):
    with pytest.raises(UnknownName, match="no asset is called 'pagez'; there are candidate_pool, "):
        run_project(a_project, select=["pagez"], quiet=True)


def test_a_key_that_is_not_allowed_is_the_users_fault(a_project):
    a_project.config.write_text(a_project.config.read_text() + "\nencodr: {}\n")
    with pytest.raises(ConfigError, match="encodr") as caught:
        run_project(a_project, select=["documents"], quiet=True)
    assert caught.value.exit_code == 2


def test_bad_input_inside_a_step_keeps_its_exit_code(a_project):
    for contract in a_project.contracts.glob("*.yaml"):
        contract.unlink()
    with pytest.raises(StepFailed, match=r"step variant_runs failed: .*declare one before the run") as caught:
        run_project(a_project, select=["variant_runs"], quiet=True)
    assert caught.value.exit_code == 2
    assert "ConfigError" in caught.value.traceback


def test_what_rests_on_nothing_yet_says_what_to_do(a_project):
    with pytest.raises(StepFailed, match="materialise 'documents' first") as caught:
        run_project(a_project, select=["imported_questions"], quiet=True)
    assert caught.value.exit_code == 1


def test_documents_alone(a_project):
    finished = run_project(a_project, select=["documents"], quiet=True)
    assert len(finished.dagster_run_ids) == 1
    assert finished.failed_checks == ()
    assert a_project.ledger.exists()


def test_one_of_the_two_assets_of_a_step_brings_the_other(definitions):
    assert choose_assets(definitions, ["receipts", "pages"]) == ["metric_tables", "pages", "receipts"]


def test_everything_is_every_asset_that_can_be_made(definitions):
    chosen = choose_assets(definitions, None)
    assert len(chosen) == 16
    assert "template_members" not in chosen
    with pytest.raises(UnknownName):
        choose_assets(definitions, ["template_members"])


@pytest.mark.road
def test_a_failed_blocking_check_stops_the_run(copy_road, without_shortfalls):
    paths = copy_road()
    without_shortfalls(paths)
    with pytest.raises(GateFailed, match="blocking checks failed: every_place_accounted_for") as caught:
        run_project(paths, select=["hard_negatives", "well_posed_questions"], quiet=True)
    assert caught.value.exit_code == 3


def test_the_first_part_ends_at_the_templates():
    """What follows reads the observation of template_members, which this part makes."""
    assert FIRST_PART[-1] == "page_templates"
