"""Files of questions."""

from pathlib import Path

import polars as pl
import pytest

from eval_pipeline.foundation.config import QuestionImportConfig
from eval_pipeline.foundation.errors import TableError
from eval_pipeline.questions.question_files import read_question_file


def declared(name: str, **more: str) -> QuestionImportConfig:
    return QuestionImportConfig(path=name, **more)


def test_lines_are_those_a_person_sees(tmp_path: Path) -> None:
    (tmp_path / "q.csv").write_text("question_id,question\nq1,One?\nq2,Two?\n", encoding="utf-8")
    (tmp_path / "q.jsonl").write_text(
        '{"question_id": 1, "question": "One?"}\n\n{"question_id": 2}\n', encoding="utf-8"
    )
    pl.DataFrame({"question_id": ["q1"], "question": ["One?"]}).write_parquet(tmp_path / "q.parquet")
    csv = read_question_file(tmp_path / "q.csv", declared("q.csv"))
    assert csv == [(2, {"question_id": "q1", "question": "One?"}), (3, {"question_id": "q2", "question": "Two?"})]
    jsonl = read_question_file(tmp_path / "q.jsonl", declared("q.jsonl"))
    assert jsonl == [(1, {"question_id": 1, "question": "One?"}), (3, {"question_id": 2, "question": None})]
    parquet = read_question_file(tmp_path / "q.parquet", declared("q.parquet"))
    assert parquet == [(1, {"question_id": "q1", "question": "One?"})]


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("gone.csv", None, "gone.csv is not there"),
        ("q.xlsx", b"x", "ends in '.xlsx'; allowed: .csv, .parquet, .jsonl"),
        ("q.parquet", b"no parquet", "cannot be read as Parquet"),
        ("q.jsonl", b'{"question_id": 1}\n{oops\n', "line 2: not JSON"),
        ("q.jsonl", b"[1]\n", "line 1: an object is expected, found list"),
        ("q.jsonl", b"\xff\xfe", "is not UTF-8"),
        ("q.csv", b"id,question\n1,One?\n", "has no column 'question_id'; it has id, question"),
        ("q.csv", b"", "cannot be read as CSV"),
    ],
)
def test_an_unusable_file_is_named(tmp_path: Path, name: str, content: bytes | None, words: str) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(TableError) as caught:
        read_question_file(tmp_path / name, declared(name))
    assert words in str(caught.value)
    assert caught.value.path == name
