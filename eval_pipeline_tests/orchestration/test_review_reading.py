from datetime import UTC, datetime

import polars as pl
import pytest

from eval_pipeline.foundation.errors import LedgerBusy
from eval_pipeline.ledger.connection import session
from eval_pipeline.ledger.locking import hold_lock
from eval_pipeline.orchestration import review_reading
from eval_pipeline.orchestration.report_reading import read_report
from eval_pipeline.orchestration.resources import Project
from eval_pipeline.orchestration.review_reading import LedgerDesk, export_ground, largest_cut, read_review
from eval_pipeline.report.review.desk import Desk
from eval_pipeline.report.review.records import DeskSettings
from eval_pipeline.runs.eligibility import Clearance


@pytest.fixture(scope="module")
def basis(road_home):
    return read_review(Project(home=str(road_home)), clearance=None)


def desk_on(paths):
    ledger = LedgerDesk(project=Project(home=str(paths.home)), clearance=None)
    return Desk(ledger, DeskSettings(), lambda: datetime.now(UTC))


@pytest.mark.road
def test_the_audit_holds_the_first_k_of_every_variant_of_the_drawn_questions(basis, road_home):
    project = Project(home=str(road_home))
    assert largest_cut(project) == 5
    ranked = review_reading.read_final_rankings(project).filter(pl.col("rank") <= 5)
    with project.session() as ledger:
        drawn = ledger.table("labels.audit_question").filter("is_drawn")["question_id"]
    wanted = ranked.filter(pl.col("question_id").is_in(drawn.to_list())).select("question_id", "unit_id").unique()
    audit = basis.queued.filter(pl.col("queue") == "audit").select("question_id", "unit_id")
    assert audit.sort("question_id", "unit_id").equals(wanted.sort("question_id", "unit_id"))
    priority = basis.queued.filter(pl.col("queue") == "priority")
    assert not set(priority["question_id"]) & set(drawn)


@pytest.mark.road
def test_every_queued_pair_has_a_question_a_page_and_what_the_judge_said(basis):
    pairs = list(basis.queued.select("question_id", "unit_id").iter_rows())
    assert len(pairs) > 50
    for question_id, unit_id in pairs:
        assert basis.questions[question_id].relation == "evidence"
        assert basis.pages[unit_id].picture.is_file()
        assert basis.pages[unit_id].document.is_file()
        assert {one.judge for one in basis.answers[question_id, unit_id]} == {"text"}
    assert any(page.text for page in basis.pages.values())


@pytest.mark.road
def test_what_is_above_the_clearance_is_in_no_page_no_question_and_no_file(road_home, basis, monkeypatch):
    project = Project(home=str(road_home))
    with project.session() as ledger:
        gold = ledger.table("questions.question_gold")
    question_id = basis.queued.item(0, "question_id")
    hidden = gold.filter(pl.col("question_id") == question_id).item(0, "unit_id")
    monkeypatch.setattr(
        review_reading, "visible_units", lambda *, units, **_: frozenset(units["unit_id"].to_list()) - {hidden}
    )
    shown = read_review(project, clearance=Clearance(level="public"))
    assert hidden not in shown.pages
    assert question_id not in shown.questions
    assert not shown.queued.filter((pl.col("unit_id") == hidden) | (pl.col("question_id") == question_id)).height
    siblings = [
        page
        for page in shown.pages.values()
        if page.source.split(" p. ")[0] == basis.pages[hidden].source.split(" p. ")[0]
    ]
    assert siblings
    assert all(page.document is None for page in siblings)
    assert set(shown.questions) < set(basis.questions)


@pytest.mark.road
def test_labels_of_people_reach_agreement_and_the_report_as_the_stand_ins_do(copy_road):
    paths = copy_road()
    project, desk = Project(home=str(paths.home)), desk_on(paths)
    before = read_report(project).tasks[0]
    assert before.audited_by == ("generator-truth",)
    with project.session() as ledger:
        labels = ledger.table("labels.label").filter(pl.col("author_kind") == "generator-truth")
    said = {(row["question_id"], row["unit_id"]): row["grade"] for row in labels.iter_rows(named=True)}
    audit = desk.basis.queued.filter(pl.col("queue") == "audit")
    pairs = list(audit.select("question_id", "unit_id").iter_rows())
    for pair in pairs[:3]:
        desk.decide(pair, said[pair], author="ann", state=desk.view(pair, "ann").state)
    same = read_report(project).tasks[0]
    assert same.audited_by == ("generator-truth", "human")
    assert same.agreement.n_pairs == before.agreement.n_pairs
    other = next(grade for grade in ("irrelevant", "sufficient") if grade != said[pairs[3]])
    outcome = desk.decide(pairs[3], other, author="ann", state=desk.view(pairs[3], "ann").state)
    assert outcome.is_contested
    assert read_report(project).tasks[0].agreement.n_pairs == before.agreement.n_pairs - 1


@pytest.mark.road
def test_a_ledger_that_is_held_is_told_soon_and_nothing_is_lost(copy_road, monkeypatch):
    paths = copy_road()
    desk = desk_on(paths)
    monkeypatch.setattr(review_reading, "WAIT_S", 0.05)
    pair = desk.next_pair("audit", "ann")
    sees = desk.view(pair, "ann").state
    with hold_lock(paths.lock, wait_s=5), pytest.raises(LedgerBusy):
        desk.decide(pair, "sufficient", author="ann", state=sees)
    assert desk.decide(pair, "sufficient", author="ann", state=sees).is_new
    with session(paths) as ledger:
        mine = ledger.table("labels.label").filter(pl.col("author") == "ann")
        made = ledger.find("labels.label", "label_id", mine["label_id"].to_list())
        (commit,) = ledger.find_commits(made["commit_id"].to_list()).to_dicts()
    assert (commit["asset"], commit["partition"], commit["dagster_run_id"]) == ("labels", "review", None)


@pytest.mark.road
def test_a_receipt_leads_to_its_question(road_home):
    project = Project(home=str(road_home))
    with project.session() as ledger:
        receipt = ledger.table("receipts.receipt").row(0, named=True)
    desk = LedgerDesk(project=project, clearance=None)
    assert desk.question_of(receipt["receipt_id"]) == receipt["question_id"]
    assert desk.question_of("rcp_0") is None


@pytest.mark.road
def test_a_file_shows_the_models_answers_only_where_that_is_wanted(basis):
    assert export_ground(basis, with_model=False).answers == {}
    shown = export_ground(basis, with_model=True)
    assert not shown.is_blind
    assert {"text"} in [set(one) for one in shown.answers.values()]


def test_before_the_first_run_there_is_nothing_which_is_no_error(a_project):
    basis = read_review(Project(home=str(a_project.home)), clearance=None)
    assert (basis.queued.height, basis.questions, basis.pages) == (0, {}, {})
    assert basis.title.startswith(a_project.home.name)
