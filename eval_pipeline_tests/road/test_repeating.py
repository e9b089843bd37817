"""A project run again adds nothing; a lost ledger is what the commits say; a moved folder is the same project."""

import dagster as dg

from eval_pipeline.foundation.settings import ProjectPaths
from eval_pipeline.ledger.doctor import examine
from eval_pipeline.ledger.rebuilding import compare, rebuild
from eval_pipeline.orchestration.assembly import build_definitions
from eval_pipeline.orchestration.partitions import RANGE_TAGS
from eval_pipeline.orchestration.running import run_project
from eval_pipeline.orchestration.schedules import NIGHTLY_JOB


def test_a_run_repeated_in_a_moved_folder_adds_nothing(copy_road, road_home, files_of, commits_of, rows_of):
    before, paths = ProjectPaths(home=road_home), copy_road()
    finished = run_project(paths, quiet=True)
    assert finished.failed_checks == ()
    assert commits_of(paths) == commits_of(before)
    assert files_of(paths) == files_of(before)
    assert paths.report.stat().st_mtime_ns == before.report.stat().st_mtime_ns  # not even written again
    assert rows_of(paths) == rows_of(before)
    assert compare(paths.ledger, before.ledger) == []


def test_dagsters_own_python_api_runs_the_whole_graph(copy_road, road_home, files_of):
    """One run of the declared job on another instance: the ledger, not Dagster, knows what is new."""
    before, paths = ProjectPaths(home=road_home), copy_road()
    job = build_definitions(home=paths.home).resolve_job_def(NIGHTLY_JOB)
    with dg.DagsterInstance.ephemeral() as instance:
        result = job.execute_in_process(instance=instance, tags=RANGE_TAGS)
    assert result.success
    evaluations = result.get_asset_check_evaluations()
    assert len(evaluations) == 5
    assert all(check.passed for check in evaluations)
    assert files_of(paths) == files_of(before)


def test_a_lost_ledger_is_rebuilt_from_the_commits(copy_road, road_home):
    before, paths = ProjectPaths(home=road_home), copy_road()
    paths.ledger.unlink()
    paths.ledger.with_name("ledger.duckdb.wal").unlink(missing_ok=True)
    assert [finding.kind for finding in examine(paths)] == ["ledger missing"]
    rebuild(paths)
    assert compare(paths.ledger, before.ledger) == []
    assert examine(paths) == []
