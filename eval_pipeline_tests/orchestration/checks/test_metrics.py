"""What figures must not show."""

import polars as pl
import pytest

from eval_pipeline.metrics.rejectable import Rejectability
from eval_pipeline.orchestration.checks.metrics import leaked_units, read_present, rejectable_negatives, tell
from eval_pipeline.orchestration.resources import Project

pytestmark = pytest.mark.road


def test_after_a_run_nothing_leaks(road_home):
    assert leaked_units(Project(home=str(road_home))).is_empty()


def test_a_page_in_a_list_of_one_who_may_not_see_it_is_named(copy_road, change_ledger):
    paths = copy_road()
    project = Project(home=str(paths.home))
    unit = project.read("corpus/units_in_force")["unit_id"].min()
    change_ledger(paths, f"UPDATE corpus.unit_facets SET access_groups = '[\"board\"]' WHERE unit_id = '{unit}'")
    leaks = leaked_units(project)
    assert set(leaks["unit_id"]) == {unit}
    assert set(leaks["variant"]) <= {"image", "text", "hybrid", "hybrid-rawsum"}
    assert set(leaks["task"]) == {"quarterly-evidence", "questions-as-asked"}


def test_too_few_questions_leave_open_whether_negatives_are_rejectable(road_home):
    found = dict(rejectable_negatives(read_present(Project(home=str(road_home)))))
    assert set(found) == {"quarterly-evidence", "questions-as-asked"}
    assert [item.is_rejectable for item in found.values()] == [None, None]
    assert "30 needed" in found["quarterly-evidence"].reason


def test_the_verdict_is_told_with_its_figures_and_by_template(road_home):
    present = read_present(Project(home=str(road_home)))[0]
    whole, parts = present.negatives, present.by_template
    assert parts.filter(pl.col("pools") == "declared axes")["n_questions"].sum() == whole.n
    assert tell(whole) == (
        f"{whole.n} questions, 30 needed: control-appearance {whole.estimate:.3f} (at least {whole.low:.3f}), "
        f"control-random {whole.random:.3f}, n {whole.n}"
    )
    assert tell(Rejectability(is_rejectable=None, reason="no figure of the controls")) == "no figure of the controls"


def test_figures_of_the_present_state_only(copy_road, change_ledger):
    """An older evaluation is not given out as that of now."""
    paths = copy_road()
    assert [item.is_scored for item in read_present(Project(home=str(paths.home)))] == [True, True]
    change_ledger(paths, "DELETE FROM negatives.negative WHERE axis = 'period'")
    present = read_present(Project(home=str(paths.home)))
    assert [(item.is_scored, item.negatives.n) for item in present] == [(False, 0), (False, 0)]
