import pytest

from eval_pipeline.corpus.globs import find_files
from eval_pipeline.corpus.proposing.folder import look_at_folder
from eval_pipeline.foundation.errors import InputError


def test_documents_and_tables_are_found_and_own_folders_left_out(reports, manifest):
    reports.put("models/page-clip/picture.png", b"x")
    reports.put("truth/facts.jsonl", "{}\n")
    folder = look_at_folder(reports.home)
    assert folder.documents == tuple(sorted(f"pdfs/{name}.pdf" for name in (
        "ACME_2022_10K", "ACME_2023_10K", "GLOBEX_2023Q2_EARNINGS")))  # fmt: skip
    assert [table.path for table in folder.tables] == ["manifest.csv"]
    assert folder.endings == {"pdf": 3}


def test_the_glob_finds_the_same_documents_again(reports):
    folder = look_at_folder(reports.home)
    assert folder.glob.startswith("pdfs/**/*.")
    assert tuple(file.relative for file in find_files(home=reports.home, pattern=folder.glob)) == folder.documents


def test_documents_in_several_places_are_found_anywhere(reports):
    reports.put_pdf("more/b.pdf")
    assert look_at_folder(reports.home).glob.startswith("**/*.")


def test_a_folder_name_that_is_a_glob_is_not_written_into_one(project):
    project.put_pdf("a[1]/b.pdf")
    assert look_at_folder(project.home).glob.startswith("**/*.")


def test_a_table_that_cannot_be_read_is_told_and_the_rest_goes_on(reports, manifest):
    reports.put("latin.csv", "name,city\nX,M\u00fcnchen\n".encode("cp1252"))
    folder = look_at_folder(reports.home)
    assert [table.path for table in folder.tables] == ["manifest.csv"]
    assert [(one.path, "line 2" in one.reason) for one in folder.unread] == [("latin.csv", True)]


def test_no_folder_and_no_document_are_the_users_input(tmp_path):
    with pytest.raises(InputError, match="not a folder"):
        look_at_folder(tmp_path / "nowhere")
    with pytest.raises(InputError, match="no document"):
        look_at_folder(tmp_path)
