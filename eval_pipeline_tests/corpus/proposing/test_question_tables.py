import pytest

from eval_pipeline.corpus.proposing.folder import look_at_folder
from eval_pipeline.corpus.proposing.page_reading import count_pages
from eval_pipeline.corpus.proposing.question_tables import propose_questions
from eval_pipeline.corpus.proposing.table_roles import sort_tables


@pytest.fixture
def propose(reports):
    def call():
        folder = look_at_folder(reports.home)
        roles = sort_tables(folder)
        pages = count_pages(home=reports.home, paths=folder.documents, image_pixels=10**6).pages
        (asking,) = roles.questions
        return propose_questions(asking=asking, passages=roles.passages, home=reports.home, n_pages=pages)

    return call


def test_columns_are_recognised(reports, propose):
    reports.put(
        "q.csv",
        "qid,Query,gold_answer,report,evidence_pages,available\n1,What?,7,ACME_2022_10K,2,true\n2,Why?,8,,,true\n",
    )
    found = propose()
    assert found.config.model_dump(exclude_none=True) == {
        "path": "q.csv", "id": "qid", "text": "Query", "answer": "gold_answer", "document": "report",
        "pages": "evidence_pages", "page_base": 1, "available": "available",
    }  # fmt: skip
    assert (found.n_rows, found.n_with_evidence, found.is_sure) == (2, 1, True)


def test_questions_without_evidence_are_taken(reports, propose):
    reports.put("q.jsonl", '{"question_id": "a", "question": "What?"}\n')
    found = propose()
    assert (found.config.document, found.config.pages, found.n_with_evidence) == (None, None, 0)
    assert found.told == "no row names evidence pages"


def test_quoted_evidence_tells_how_pages_are_counted(reports, propose):
    words = "The consolidated balance sheets, as they stand on the page, and words that do not. "
    reports.put("q.csv", "question_id,question,doc,page\n1,Owed?,ACME_2022_10K,1\n2,Owed?,ACME_2023_10K,1\n")
    reports.put(
        "evidence.csv",
        f'question_id,doc,page,text\n1,ACME_2022_10K,1,"{words * 2}"\n2,ACME_2023_10K,1,"{words * 2}"\n',
    )
    found = propose()
    assert (found.config.page_base, found.is_sure) == (0, True)


def test_a_file_without_ids_or_of_another_kind_is_not_imported(reports, propose):
    reports.put("q.csv", "question,answer\nWhat?,7\n")
    assert propose().config is None
    assert "question_id" in propose().told
    (reports.home / "q.csv").unlink()
    reports.put("q.tsv", "question_id\tquestion\n1\tWhat?\n")
    assert propose().config is None
    assert ".jsonl" in propose().told
