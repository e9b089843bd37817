from eval_pipeline.corpus.proposing.document_columns import find_document_columns
from eval_pipeline.corpus.proposing.folder import look_at_folder


def columns_of(project, name):
    folder = look_at_folder(project.home)
    table = next(table for table in folder.tables if table.path == name)
    return find_document_columns(table=table, folder=folder)


def test_stem_is_the_id_and_path_the_path(reports, manifest):
    found = columns_of(reports, "manifest.csv")
    assert (found.id, found.path, found.page, found.n_named) == ("doc_id", "file", None, 3)


def test_a_count_of_pages_is_no_page_column(reports, manifest):
    assert columns_of(reports, "manifest.csv").page is None


def test_an_id_of_its_own_counts_beside_a_path(reports):
    reports.put("a.csv", "document_id,file\nD1,pdfs/ACME_2022_10K.pdf\nD2,pdfs/ACME_2023_10K.pdf\n")
    assert columns_of(reports, "a.csv").id == "document_id"


def test_an_id_that_two_files_share_is_none(reports):
    reports.put("a.csv", "doc_id,file\nD1,pdfs/ACME_2022_10K.pdf\nD1,pdfs/ACME_2023_10K.pdf\n")
    found = columns_of(reports, "a.csv")
    assert (found.id, found.path) == (None, "file")


def test_file_names_without_a_folder_are_an_id(reports):
    reports.put("a.csv", "report,year\nACME_2022_10K.pdf,2022\nACME_2023_10K.pdf,2023\n")
    found = columns_of(reports, "a.csv")
    assert (found.id, found.path) == ("report", None)


def test_pages_counted_from_zero_are_seen(reports):
    reports.put("a.csv", "doc,page,page_id,kpi\nACME_2022_10K,0,p1,x\nACME_2022_10K,1,p2,y\n")
    found = columns_of(reports, "a.csv")
    assert (found.page, found.page_base, found.page_id) == ("page", 0, "page_id")


def test_a_row_without_a_document_is_counted(reports):
    reports.put("a.csv", "doc\nACME_2022_10K\nACME_2023_10K\nGONE_2020\n")
    found = columns_of(reports, "a.csv")
    assert found.documents == ("pdfs/ACME_2022_10K.pdf", "pdfs/ACME_2023_10K.pdf", None)


def test_a_long_list_that_describes_the_few_documents_here_counts(reports):
    rows = "".join(f"OLD_{n}\n" for n in range(50))
    reports.put("a.csv", f"doc\n{rows}ACME_2022_10K\nACME_2023_10K\n")
    assert columns_of(reports, "a.csv").n_named == 2
    reports.put("b.csv", f"doc\n{rows}ACME_2022_10K\n")
    assert columns_of(reports, "b.csv") is None


def test_a_table_about_something_else_names_no_document(reports):
    reports.put("a.csv", "city,year\nOslo,2022\nRome,2023\n")
    reports.put("b.csv", "city,year\n")
    assert columns_of(reports, "a.csv") is None
    assert columns_of(reports, "b.csv") is None
