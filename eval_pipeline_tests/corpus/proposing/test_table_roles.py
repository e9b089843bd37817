from eval_pipeline.corpus.proposing.folder import look_at_folder
from eval_pipeline.corpus.proposing.table_roles import sort_tables

PASSAGE = "The balance sheets of the company show what it owns and what it owes at the end of a year. " * 2


def roles_of(project):
    return sort_tables(look_at_folder(project.home))


def test_tables_are_told_apart(reports, manifest):
    reports.put("questions.csv", "question_id,question,doc_id\nq1,What is owed?,ACME_2022_10K\n")
    reports.put("evidence.csv", f"question_id,doc_id,page,text\nq1,ACME_2022_10K,1,{PASSAGE}\n")
    reports.put("names.csv", "name,synonym\nAcme,Acme Holding\n")
    reports.put("cities.csv", "city\nOslo\n")
    roles = roles_of(reports)
    assert [one.table.path for one in roles.metadata] == ["manifest.csv"]
    assert [(one.table.path, one.text) for one in roles.questions] == [("questions.csv", "question")]
    assert [(one.table.path, one.text) for one in roles.passages] == [("evidence.csv", "text")]
    assert [table.path for table in roles.synonyms] == ["names.csv"]
    assert dict(roles.unused) == {
        "cities.csv": "no column names documents of this folder",
        "evidence.csv": "its rows are about questions (column question_id)",
    }


def test_a_table_with_several_rows_a_document_needs_a_page(reports):
    rows = "".join(f"ACME_2022_10K,{n}\n" for n in range(4))
    reports.put("a.csv", f"doc,note\n{rows}")
    assert roles_of(reports).unused == (("a.csv", "several rows name the same document, and no column names a page"),)
    reports.put("a.csv", f"doc,page\n{rows}")
    assert [one.columns.page for one in roles_of(reports).metadata] == ["page"]


def test_tables_that_share_the_id_are_declared_together(reports, manifest):
    reports.put("access.csv", "doc_id,access\nACME_2022_10K,public\nACME_2023_10K,internal\n")
    reports.put("other.csv", "report,year\nACME_2022_10K.pdf,2022\n")
    roles = roles_of(reports)
    assert [one.table.path for one in roles.metadata] == ["manifest.csv", "access.csv"]
    assert roles.unused == (("other.csv", "it has no column 'doc_id', by which manifest.csv names documents"),)
