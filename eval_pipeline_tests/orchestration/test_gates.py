"""A later run may not step over a failed check: whoever rests on a rule asks it again."""

import pytest

from eval_pipeline.foundation.errors import GateFailed
from eval_pipeline.foundation.files import write_atomically
from eval_pipeline.orchestration.gates import (
    open_figure_gates,
    open_gates,
    refuse_half_described,
    refuse_open_gates,
)
from eval_pipeline.orchestration.resources import Project
from eval_pipeline.orchestration.running import run_project

pytestmark = pytest.mark.road


def test_all_gates_hold_on_the_road(road_home):
    project = Project(home=str(road_home))
    assert open_gates(project) == []
    assert open_figure_gates(project) == []
    refuse_open_gates(project)


def test_the_report_alone_is_refused_while_a_rule_fails(copy_road, without_shortfalls):
    paths = copy_road()
    before = paths.report.read_bytes()
    without_shortfalls(paths)
    with pytest.raises(GateFailed, match="pools have places without negative and without reason") as caught:
        run_project(paths, select=["evaluation_report"], quiet=True)
    assert caught.value.exit_code == 3
    assert paths.report.read_bytes() == before


FAULTS = {
    "UPDATE questions.well_posedness SET gold_abstained = true WHERE slice = 'main'": (
        "questions of the main set are not answered by their own page"
    ),
    "UPDATE corpus.rendition SET n_pages = n_pages + 1 WHERE n_units = 3": (
        "4 documents are neither read nor refused, first corpus/"
    ),
    "DELETE FROM negatives.shortfall": "pools have places without negative and without reason",
}


def test_each_rule_closes_its_gate(copy_road, change_ledger):
    paths = copy_road()
    project = Project(home=str(paths.home))
    for statement in FAULTS:
        change_ledger(paths, statement)
    found = open_gates(project)
    assert len(found) == len(FAULTS)
    for told in FAULTS.values():
        assert any(told in line for line in found), told
    with pytest.raises(GateFailed, match=r"neither read nor refused.*; .*without negative"):
        refuse_open_gates(project)
    refuse_half_described(project)


def test_pages_without_facets_are_not_passed_over(copy_road, change_ledger):
    paths = copy_road()
    change_ledger(paths, "DELETE FROM corpus.unit_facets")
    with pytest.raises(GateFailed, match="12 units are not described yet; materialise 'page_text'"):
        refuse_half_described(Project(home=str(paths.home)))


def test_figures_of_a_former_state_are_not_reported_as_those_of_now(copy_road, change_ledger):
    """Pools changed and nothing was scored since: there is no present figure to report, and that is said."""
    paths = copy_road()
    change_ledger(paths, "DELETE FROM negatives.negative WHERE axis = 'period'")
    found = open_figure_gates(Project(home=str(paths.home)))
    for task in ("quarterly-evidence", "questions-as-asked"):
        assert f"{task}: something changed since the last figures; materialise 'variant_runs' and what follows" in found


@pytest.mark.parametrize(("strict", "n_open"), [("true", 1), ("false", 0)])
def test_rejectable_negatives_close_the_gate_only_where_declared_strict(
    copy_road, change_ledger, monkeypatch, strict, n_open
):
    monkeypatch.setattr("eval_pipeline.metrics.rejectable.MIN_QUESTIONS", 2)
    monkeypatch.setattr("eval_pipeline.metrics.rejectable.MARGIN", 0.0)
    paths = copy_road()
    text = paths.config.read_text()
    assert "strict: false" in text
    write_atomically(paths.config, text.replace("strict: false", f"strict: {strict}").encode())
    change_ledger(
        paths,
        "UPDATE receipts.receipt SET value = 1 WHERE value IS NOT NULL AND arena = 'siblings' "
        "AND measure = 'sufficient@1' AND variant_id IN "
        "(SELECT variant_id FROM runs.variant WHERE name = 'control-appearance')",
    )
    told = open_figure_gates(Project(home=str(paths.home)))
    assert told == ["quarterly-evidence: negatives can be rejected on appearance"] * n_open
