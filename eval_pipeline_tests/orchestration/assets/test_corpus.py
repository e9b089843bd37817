"""Arrivals, units and their description: thin pages over the corpus room."""

import polars as pl
import pytest

from eval_pipeline.orchestration.resources import Project
from eval_pipeline.orchestration.running import run_project


@pytest.fixture
def read_corpus(a_project):
    """Run up to the described pages."""
    run_project(a_project, select=["documents", "pages", "page_text"], quiet=True)
    return a_project


def _commits(project):
    with project.session() as ledger:
        rendition = ledger.find("corpus.unit", "unit_id", ledger.table("corpus.unit")["unit_id"].to_list())
        return ledger.find_commits(rendition["commit_id"].unique().to_list())


def test_units_are_committed_bucket_by_bucket_and_read_once(read_corpus):
    project = Project(home=str(read_corpus.home))
    units = project.read("corpus/units_in_force")
    assert units.height == 12
    made = _commits(project)
    assert set(made["asset"]) == {"pages"}
    assert set(made["partition"]) == set(units["bucket"])
    run_project(read_corpus, select=["documents", "pages", "page_text"], quiet=True)
    assert _commits(project).equals(made)


def test_a_removed_document_leaves_the_units_in_force(read_corpus):
    (read_corpus.home / "corpus" / "gatesby-marine-2024-q1.pdf").unlink()
    run_project(read_corpus, select=["documents", "pages", "page_text"], quiet=True)
    project = Project(home=str(read_corpus.home))
    units = project.read("corpus/units_in_force")
    assert units.height == 9
    assert units.filter(pl.col("source_path").str.contains("gatesby-marine-2024-q1")).is_empty()
    with project.session() as ledger:
        assert ledger.table("corpus.unit").height == 12
        assert ledger.table("corpus.batch").height == 2
