import pytest

from eval_pipeline.corpus.proposing.proposal import propose_project


def test_a_table_gives_entity_and_period_and_the_text_the_metric(reports, manifest):
    found = propose_project(reports.home)
    facets = found.config.facets
    assert (facets["entity"].column, facets["period"].columns) == ("entity", ("fiscal_year", "fiscal_quarter"))
    assert facets["metric"].pattern.text
    assert found.config.axes == ("period", "metric", "entity")
    assert {name: (one.n_parsed, one.n_total) for name, one in found.coverage.items()} == {
        "entity": (3, 3), "period": (3, 3), "metric": (3, 6),
    }  # fmt: skip
    assert found.coverage["period"].values == ("FY2022", "FY2023", "FY2023Q2")


def test_without_a_table_file_names_give_entity_and_period(reports):
    found = propose_project(reports.home)
    assert found.config.corpus.metadata is None
    assert found.coverage["entity"].values == ("acme", "globex")
    assert found.coverage["period"].values == ("2022", "2023", "2023Q2")


def test_a_pattern_that_finds_nothing_is_left_out(project):
    project.put_pdf("ACME_2022.pdf", "minutes")
    found = propose_project(project.home)
    assert (sorted(found.config.facets), list(found.left_out)) == (["entity", "period"], ["metric"])
    assert found.config.axes == ("period", "entity")


def test_a_pattern_that_could_not_be_checked_is_kept(project):
    project.put_pdf("ACME_2022.pdf", "")
    found = propose_project(project.home)
    assert "metric" in found.config.facets
    assert found.coverage["metric"].share is None


def test_synonyms_go_to_the_entity_and_a_second_table_is_told(reports, manifest):
    for name in ("a", "b"):
        reports.put(f"{name}.csv", "name,synonym\nAcme,Acme Holding\n")
    found = propose_project(reports.home)
    assert found.config.facets["entity"].synonyms == "a.csv"
    assert found.notes == ("b.csv holds synonyms too; only a.csv is declared",)


def test_access_of_unknown_order_is_told(reports):
    reports.put("m.csv", "doc,access\nACME_2022_10K,green\nACME_2023_10K,red\n")
    found = propose_project(reports.home)
    assert found.config.corpus.access.column is None
    assert "corpus.access" in found.notes[0]


def test_nothing_at_all_is_proposed_for_names_without_any_sign(project):
    project.put_pdf("minutes.pdf", "what was said")
    found = propose_project(project.home)
    assert found.config.facets == {}


def test_tables_alone_do_not_change_what_is_read(reports, manifest):
    before = {path: path.read_bytes() for path in reports.home.rglob("*") if path.is_file()}
    propose_project(reports.home)
    assert {path: path.read_bytes() for path in reports.home.rglob("*") if path.is_file()} == before


@pytest.mark.shared
def test_real_filings_with_and_without_their_manifest(sample_dir, project):
    names = ("AMAZON_2019_10K", "MCDONALDS_2022Q4_EARNINGS", "FOOTLOCKER_2022_8K_dated-2022-05-20")
    for name in names:
        project.put_copy(sample_dir / "pdfs" / f"{name}.pdf", f"pdfs/{name}.pdf")
    plain = propose_project(project.home)
    assert plain.coverage["entity"].values == ("amazon", "footlocker", "mcdonalds")
    assert plain.coverage["period"].values == ("2019", "2022", "2022Q4")
    assert "balance sheets" in plain.coverage["metric"].values
    for name in ("manifest", "questions", "evidence"):
        project.put_copy(sample_dir / f"{name}.parquet", f"{name}.parquet")
    told = propose_project(project.home)
    corpus, questions = told.config.corpus, told.config.questions.imports
    assert (corpus.metadata, corpus.id, corpus.path) == ("manifest.parquet", "doc_id", "file")
    assert told.coverage["period"].values == ("FY2019", "FY2022", "FY2022Q4")
    assert {one.reason for one in told.metadata.refusals} == {"no such document"}
    assert [(one.document, one.pages, one.page_base) for one in questions] == [("doc_id", "evidence_pages", 0)]
