"""People's questions."""

import json
import shutil
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from eval_pipeline.foundation.config import ProjectConfig
from eval_pipeline.foundation.outputs import StageOutput
from eval_pipeline.foundation.tables.views import UNIT_IN_FORCE
from eval_pipeline.questions.importing import import_questions, lookup_ids


def a_unit(unit_id: str, document: str, page: int, declared_id: str | None = None) -> dict[str, Any]:
    return dict.fromkeys(UNIT_IN_FORCE.schema, "x") | {
        "unit_id": unit_id,
        "document_id": document,
        "source_path": f"corpus/{document}.pdf",
        "page_number": page,
        "declared_id": declared_id,
        "facets": "{}",
        "access_groups": "[]",
    }


UNITS = UNIT_IN_FORCE.frame(
    [*(a_unit(f"u{page}", "report", page, f"p{page}") for page in (1, 2, 3)), a_unit("v1", "other", 1, "p1")]
)


def take(home: Path, rows: list[dict[str, Any]], units: pl.DataFrame = UNITS, **columns: Any) -> StageOutput:
    home.mkdir(exist_ok=True)
    (home / "q.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return take_file(home, "q.jsonl", units, **columns)


def take_file(home: Path, name: str, units: pl.DataFrame = UNITS, **columns: Any) -> StageOutput:
    config = ProjectConfig.model_validate({"questions": {"import": [{"path": name, **columns}]}})
    return import_questions(home=home, config=config, units=units, batch_id="b1")


def gold_of(output: StageOutput) -> dict[str, list[str]]:
    joined = output.tables["questions.question_gold"].join(output.tables["questions.question"], on="question_id")
    ordered = joined.sort("declared_id", "position").group_by("declared_id", maintain_order=True).agg("unit_id")
    return dict(ordered.iter_rows())


def refused(output: StageOutput) -> list[tuple[str, str]]:
    return output.tables["corpus.quarantine"].select("place", "reason").rows()


BY_PAGE = {"document": "doc", "pages": "pages", "answer": "answer"}


def test_a_row_is_refused_while_file_declaration_and_corpus_are_as_they_were(tmp_path: Path) -> None:
    row = {"question_id": "a", "question": "Q?", "doc": "report", "pages": [4], "answer": ""}
    refused_under = take(tmp_path, [row], **BY_PAGE).tables["corpus.quarantine"]["found_under"].to_list()
    config = ProjectConfig.model_validate({"questions": {"import": [{"path": "q.jsonl", **BY_PAGE}]}})
    assert lookup_ids(home=tmp_path, config=config, batch_id="b1") == refused_under
    assert lookup_ids(home=tmp_path, config=config, batch_id="b2") != refused_under  # its page may have arrived
    other = ProjectConfig.model_validate({"questions": {"import": [{"path": "q.jsonl", **BY_PAGE, "page_base": 0}]}})
    assert lookup_ids(home=tmp_path, config=other, batch_id="b1") != refused_under
    (tmp_path / "q.jsonl").unlink()
    assert lookup_ids(home=tmp_path, config=config, batch_id="b1") == []


def test_a_corrected_answer_is_taken(tmp_path: Path) -> None:
    row = {"question_id": "a", "question": "Q?", "doc": "report", "pages": [1]}
    taken = [take(tmp_path, [{**row, "answer": answer}], **BY_PAGE) for answer in ("93.86", "93.68", "", None)]
    questions = pl.concat(output.tables["questions.question"] for output in taken)
    assert questions["expected_answer"].to_list() == ["93.86", "93.68", None, None]
    assert questions["question_id"].n_unique() == 3  # rows of one id are equal: nothing is lost as a conflict
    assert questions.unique().height == 3


def test_takes_answers_and_several_gold_pages_in_declared_order(tmp_path: Path) -> None:
    output = take(
        tmp_path,
        [
            {"question_id": 7, "question": " What? ", "answer": 93.86, "doc": "report", "pages": [3, 1]},
            {"question_id": "free", "question": "Open?", "answer": None, "doc": None, "pages": []},
        ],
        **BY_PAGE,
    )
    questions = {row["declared_id"]: row for row in output.tables["questions.question"].to_dicts()}
    assert questions["7"]["text"] == "What?"
    assert (questions["7"]["expected_answer"], questions["free"]["expected_answer"]) == ("93.86", None)
    assert (questions["7"]["origin"], questions["7"]["writer"]) == ("import", "q.jsonl")
    assert gold_of(output) == {"7": ["u3", "u1"]}
    assert output.summary == {"n_rows": 2, "n_imported": 2, "n_unavailable": 0, "n_refused": 0}
    imported = output.tables["questions.imported_question"]
    assert imported["batch_id"].unique().to_list() == ["b1"]
    assert imported["kind"].unique().to_list() == ["import"]


def test_pages_may_be_counted_from_nought(tmp_path: Path) -> None:
    rows = [{"question_id": "a", "question": "Q?", "doc": "report.pdf", "pages": "0;2", "answer": ""}]
    assert gold_of(take(tmp_path, rows, page_base=0, **BY_PAGE)) == {"a": ["u1", "u3"]}


@pytest.mark.parametrize(
    ("row", "reason", "words"),
    [
        ({"doc": "report", "pages": [9]}, "unknown page", "report has no page 9 (counted from 1) among its 3 units"),
        ({"doc": "missing", "pages": [1]}, "unknown document", "'missing' is not in the corpus"),
        ({"doc": "", "pages": [1]}, "unknown document", "'' is not in the corpus"),
        ({"doc": "report", "pages": "front"}, "unreadable pages", "'front'"),
        ({"question": "  "}, "empty question", "column question is empty"),
        ({"question_id": None}, "no id", "column question_id is empty"),
    ],
)
def test_a_row_that_cannot_be_used_is_listed_and_kept_out(
    tmp_path: Path, row: dict[str, Any], reason: str, words: str
) -> None:
    good = {"question_id": "good", "question": "Q?", "doc": "report", "pages": [1], "answer": ""}
    output = take(tmp_path, [good, good | {"question_id": "bad"} | row], **BY_PAGE)
    assert gold_of(output) == {"good": ["u1"]}
    (entry,) = output.tables["corpus.quarantine"].to_dicts()
    assert (entry["place"], entry["reason"], entry["is_warning"]) == ("line 2", reason, False)
    assert words in entry["detail"]
    assert entry["source_path"] == "q.jsonl"


def test_man_07_two_questions_under_one_id_are_refused_naming_both_lines(tmp_path: Path, case_files: Path) -> None:
    shutil.copy(case_files / "MAN-07_duplicate_questions.csv", tmp_path / "q.csv")
    units = UNITS.filter(pl.col("unit_id") != "v1")
    output = take_file(tmp_path, "q.csv", units, page_id="gold_page")
    rows = output.tables["corpus.quarantine"].sort("place").to_dicts()
    assert [row["reason"] for row in rows] == ["duplicate id", "duplicate id", "unknown page"]
    assert all("q1" in row["detail"] and "lines 2 and 3" in row["detail"] for row in rows[:2])
    assert "p9" in rows[2]["detail"]
    assert output.tables["questions.question"].height == 0


def test_man_07_copies_of_one_row_are_refused_too(tmp_path: Path) -> None:
    row = {"question_id": "a", "question": "Q?", "doc": "report", "pages": [1], "answer": ""}
    output = take(tmp_path, [row, row, row | {"question_id": "b"}], **BY_PAGE)
    assert refused(output) == [("line 1", "duplicate id"), ("line 2", "duplicate id")]
    assert gold_of(output) == {"b": ["u1"]}


def test_a_page_id_that_two_pages_have_is_refused(tmp_path: Path) -> None:
    rows = [
        {"question_id": "a", "question": "Q?", "page": "p2;p3"},
        {"question_id": "b", "question": "Q?", "page": "p1"},
        {"question_id": "c", "question": "Q?", "page": ["p3"]},
    ]
    output = take(tmp_path, rows, page_id="page")
    assert gold_of(output) == {"a": ["u2", "u3"], "c": ["u3"]}
    assert refused(output) == [("line 2", "ambiguous page")]


def test_unavailable_rows_are_counted(tmp_path: Path) -> None:
    rows = [
        {"question_id": "a", "question": "Q?", "there": False},
        {"question_id": "b", "question": "Q?", "there": True},
        {"question_id": "c", "question": "Q?", "there": None},
    ]
    output = take(tmp_path, rows, available="there")
    assert (output.summary["n_imported"], output.summary["n_unavailable"]) == (2, 1)


def test_importing_twice_gives_the_same_rows(tmp_path: Path) -> None:
    rows = [
        {"question_id": name, "question": f"{name}?", "doc": "report", "pages": [1], "answer": ""} for name in "abc"
    ]
    first, second = take(tmp_path, rows, **BY_PAGE), take(tmp_path, rows, **BY_PAGE)
    assert all(first.tables[name].equals(frame) for name, frame in second.tables.items())


def test_no_imports_make_empty_tables(tmp_path: Path) -> None:
    output = import_questions(home=tmp_path, config=ProjectConfig(), units=UNITS, batch_id="b1")
    assert output.n_rows == 0
    assert set(output.tables) == {
        "questions.question",
        "questions.question_gold",
        "questions.imported_question",
        "corpus.quarantine",
    }


@pytest.mark.shared
def test_the_seven_real_questions_find_their_pages(sample_dir: Path) -> None:
    manifest = pl.read_parquet(sample_dir / "manifest.parquet").filter(pl.col("status") == "ok")
    units = UNIT_IN_FORCE.frame(
        [
            a_unit(f"{name}#{page}", name, page)
            for name, n_pages in manifest.select("doc_id", "pages").iter_rows()
            for page in range(1, n_pages + 1)
        ]
    )
    output = take_file(
        sample_dir,
        "questions.parquet",
        units,
        text="question",
        answer="answer",
        document="doc_id",
        pages="evidence_pages",
        page_base=0,
        available="doc_available",
    )
    gold = gold_of(output)
    assert len(gold) == 7
    assert gold["financebench_id_06655"] == ["AMAZON_2017_10K#38", "AMAZON_2017_10K#40"]
    assert output.tables["corpus.quarantine"].height == 0
