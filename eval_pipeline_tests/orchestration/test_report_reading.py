"""What the report shows is what the ledger holds."""

import pytest

from eval_pipeline.orchestration.report_reading import caption_of, read_report, source_of
from eval_pipeline.orchestration.resources import Project
from eval_pipeline.report.building import build_report

UNIT = {
    "facets": '{"entity":"acme","metric":"revenue","period":"FY2024Q1"}',
    "source_path": "corpus/a/b.pdf",
    "page_number": 3,
}


def test_captions():
    axes = ("period", "metric", "entity")
    assert caption_of(UNIT, axes) == "FY2024Q1 · revenue · acme"
    assert caption_of({**UNIT, "facets": "{}"}, axes) == "b.pdf p. 3"
    assert caption_of({**UNIT, "facets": '{"analyte":"glucose","visit":"2"}'}, ("visit", "analyte")) == "2 · glucose"
    assert source_of(UNIT) == "b.pdf p. 3"


@pytest.mark.road
def test_the_report_on_disk_is_what_the_ledger_says_now(road_home):
    project = Project(home=str(road_home))
    data = read_report(project)
    assert (data.corpus.n_documents, data.corpus.n_pages) == (6, 12)
    assert data.corpus.is_trained is False or "untrained" not in data.corpus.encoder
    assert [task.contract["task"] for task in data.tasks] == ["quarterly-evidence", "questions-as-asked"]
    assert build_report(data).encode() == project.paths.report.read_bytes()


@pytest.mark.road
def test_the_report_names_no_place_of_this_machine(road_home):
    page = Project(home=str(road_home)).paths.report.read_text(encoding="utf-8")
    assert str(road_home) not in page
    assert 'src="http' not in page
