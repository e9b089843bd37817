"""Nothing that arrived is lost in silence."""

import pytest

from eval_pipeline.orchestration.checks.corpus import lost_documents
from eval_pipeline.orchestration.resources import Project
from eval_pipeline.orchestration.running import run_project


def test_what_arrived_and_was_not_read_yet_is_lost(a_project):
    run_project(a_project, select=["documents"], quiet=True)
    lost = lost_documents(Project(home=str(a_project.home)))
    assert "corpus/gatesby-marine-2024-q1.pdf" in lost["source_path"].to_list()
    assert lost.height == 6


@pytest.mark.road
def test_after_a_run_nothing_is_lost(road_home):
    assert lost_documents(Project(home=str(road_home))).is_empty()
