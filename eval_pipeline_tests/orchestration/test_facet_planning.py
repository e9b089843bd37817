"""Which facets the next run will not find."""

from eval_pipeline.corpus.proposing.coverage import Coverage
from eval_pipeline.foundation.config import load_project
from eval_pipeline.orchestration.facet_planning import foresee_coverage, held_coverage, tell_missing
from eval_pipeline.orchestration.planning import plan_next_run
from eval_pipeline.orchestration.resources import Project


def a_coverage(facet, *, n_parsed, n_total=10):
    return Coverage(
        facet=facet,
        of="pages read",
        n_total=n_total,
        n_parsed=n_parsed,
        n_unparsed=0,
        n_distinct=1,
        unparsed=(),
        missing=(),
        values=(),
    )


def test_an_axis_that_many_pages_lack_is_told_with_its_share():
    coverage = {"metric": a_coverage("metric", n_parsed=2), "period": a_coverage("period", n_parsed=8)}
    assert tell_missing(coverage) == (
        "metric: 80% of 10 pages read have no usable value; a page that lacks a facet takes part in no axis, and its "
        "hard negatives only look alike",
    )


def test_an_axis_with_a_default_lacks_nothing():
    assert tell_missing({"revision": a_coverage("revision", n_parsed=0)}) == ()


def test_the_plan_tells_coverage_before_a_page_is_read(a_project):
    plan = plan_next_run(a_project)
    assert set(plan.facets) == {"period", "metric", "entity"}
    assert all(share is not None and 0 < share <= 1 for share in plan.facets.values())
    declared = load_project(a_project.config)
    assert foresee_coverage(a_project, declared, pages={}) == {}


def test_a_facet_that_no_table_holds_is_warned_of(a_project):
    text = a_project.config.read_text(encoding="utf-8")
    assert "metric: {column: metric}" in text
    a_project.config.write_text(
        text.replace("metric: {column: metric}", "metric: {pattern: {path: 'nowhere-(x)'}}"), encoding="utf-8"
    )
    plan = plan_next_run(a_project)
    assert plan.facets["metric"] == 0.0
    assert [warning.partition(":")[0] for warning in plan.warnings] == ["metric"]


def test_pages_in_force_are_counted_by_axis(road_home):
    found = held_coverage(Project(home=str(road_home)), ("period", "metric", "entity"))
    assert found.n_units == 12
    assert found.n_incomplete <= sum(found.missing.values())
