"""The report is a file that can be made again."""

import pytest

from eval_pipeline.orchestration.running import run_project

pytestmark = pytest.mark.road


def test_a_lost_report_comes_back_with_the_same_bytes(copy_road):
    paths = copy_road()
    before = paths.report.read_bytes()
    paths.report.unlink()
    run_project(paths, select=["evaluation_report"], quiet=True)
    assert paths.report.read_bytes() == before
