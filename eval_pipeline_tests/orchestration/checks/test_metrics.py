"""What figures must not show."""

import pytest

from eval_pipeline.orchestration.checks.metrics import leaking_figures, read_present, rejectable_negatives
from eval_pipeline.orchestration.resources import Project

pytestmark = pytest.mark.road


def test_after_a_run_nothing_leaks(road_home):
    assert leaking_figures(read_present(Project(home=str(road_home)))).is_empty()


def test_too_few_questions_leave_open_whether_negatives_are_rejectable(road_home):
    found = dict(rejectable_negatives(read_present(Project(home=str(road_home)))))
    assert set(found) == {"quarterly-evidence", "questions-as-asked"}
    assert [item.is_rejectable for item in found.values()] == [None, None]
    assert "30 needed" in found["quarterly-evidence"].reason


def test_an_old_evaluation_does_not_count(copy_road, change_ledger):
    """A leak that a former evaluation recorded is no fault of the present one."""
    paths = copy_road()
    change_ledger(
        paths,
        "INSERT INTO metrics.metric SELECT * REPLACE ('met_old' AS metric_id, 'eval_old' AS evaluation_id, "
        "'leak@5' AS measure, 1.0 AS estimate) FROM metrics.metric ORDER BY metric_id LIMIT 1",
    )
    assert leaking_figures(read_present(Project(home=str(paths.home)))).is_empty()
