from eval_pipeline.corpus.metadata import read_metadata
from eval_pipeline.corpus.proposing.coverage import measure_coverage


def measure(project, texts=None):
    paths = sorted(f"pdfs/{path.name}" for path in (project.home / "pdfs").iterdir())
    metadata = read_metadata(home=project.home, config=project.config.corpus, paths=paths)
    return measure_coverage(
        config=project.config, home=project.home, documents=paths, metadata=metadata, texts=texts or {}
    )


def test_documents_are_counted_by_what_their_rows_say(reports):
    reports.put("m.csv", "doc,period\nACME_2022_10K,FY22\nACME_2023_10K,soon\n")
    reports.declare(facets={"period": {"column": "period", "parse": "period"}}, metadata="m.csv", id="doc")
    found = measure(reports)["period"]
    assert (found.of, found.n_total, found.n_parsed, found.n_unparsed, found.n_missing) == ("documents", 3, 1, 1, 1)
    assert (found.unparsed, found.missing) == (("soon",), ("pdfs/GLOBEX_2023Q2_EARNINGS.pdf",))
    assert (found.values, found.n_distinct, found.share) == (("FY2022",), 1, 1 / 3)


def test_rows_about_pages_are_counted_and_documents_without_a_row_once(reports):
    reports.put("m.csv", "doc,page,kpi\nACME_2022_10K,1,Revenue\nACME_2022_10K,2,revenue\n")
    reports.declare(facets={"kpi": {"column": "kpi"}}, metadata="m.csv", id="doc", page="page")
    found = measure(reports)["kpi"]
    assert (found.of, found.n_total, found.n_parsed, found.values) == ("rows or documents", 4, 2, ("revenue",))


def test_a_pattern_on_text_is_measured_on_the_pages_read(reports):
    reports.declare(facets={"metric": {"pattern": {"text": "(?P<metric>BALANCE SHEETS)"}}})
    texts = {("pdfs/a.pdf", 0): "cover", ("pdfs/a.pdf", 1): "BALANCE SHEETS"}
    found = measure(reports, texts)["metric"]
    assert (found.of, found.n_total, found.n_parsed, found.missing) == ("pages read", 2, 1, ())
    assert measure(reports)["metric"].share is None


def test_patterns_on_paths_are_measured_without_tables(reports):
    reports.declare(facets={"year": {"pattern": {"path": r"_(\d{4})_"}, "parse": "period"}})
    found = measure(reports)["year"]
    assert (found.n_parsed, found.missing) == (2, ("pdfs/GLOBEX_2023Q2_EARNINGS.pdf",))
