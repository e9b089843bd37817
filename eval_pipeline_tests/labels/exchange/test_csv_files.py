import csv
import io

import pytest

from eval_pipeline.foundation.errors import TableError
from eval_pipeline.labels.exchange.csv_files import read_csv_labels, write_csv


def read(tmp_path, data):
    path = tmp_path / "labels.csv"
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return read_csv_labels(path, name="labels.csv")


def test_what_is_written_comes_back(out_row, tmp_path):
    given = out_row(
        grade="supporting", reviewer="Ann Ö", author_kind="human", reason="=no, the year\ndiffers", is_blind=False
    )
    back = read(tmp_path, write_csv([out_row(), given]))
    assert back.refused == ()
    assert [(row.place, row.grade, row.reviewer, row.blind) for row in back.rows] == [
        ("line 2", "", "", "true"),
        ("line 4", "supporting", "Ann Ö", "false"),
    ]
    assert back.rows[1].reason == "=no, the year\ndiffers"


def test_a_spreadsheet_sees_no_formula(out_row):
    rows = csv.DictReader(io.StringIO(write_csv([out_row(question='=HYPERLINK("http://x")', text="@x")]).decode()))
    row = next(rows)
    assert (row["question"], row["text"]) == ('\'=HYPERLINK("http://x")', "'@x")


def test_the_models_answers_have_a_column_per_judge_only_where_they_are_shown(out_row):
    head = write_csv([out_row()]).decode().splitlines()[0]
    assert "model" not in head
    shown = csv.DictReader(io.StringIO(write_csv([out_row(model_answers={"text": "sufficient"})]).decode()))
    assert next(shown)["model:text"] == "sufficient"


def test_same_rows_same_bytes(out_row):
    assert write_csv([out_row()]) == write_csv([out_row()])


def test_a_missing_column_is_named_with_file_and_line(tmp_path):
    with pytest.raises(TableError, match=r"labels.csv, line 1: column grade, reviewer is missing"):
        read(tmp_path, "question_id,unit_id\nq,u\n")


def test_a_file_that_is_not_utf8_says_so(tmp_path):
    with pytest.raises(TableError, match=r"labels.csv is not UTF-8 \(byte 37\)"):
        read(tmp_path, b"question_id,unit_id,grade,reviewer\nq,\xff,sufficient,ann\n")


def test_a_ragged_row_is_refused_and_the_rest_goes_on(tmp_path):
    text = "question_id,unit_id,grade,reviewer\nq,u,sufficient\nq,u,sufficient,ann\n"
    back = read(tmp_path, text)
    assert [(one.place, one.reason, one.source_path) for one in back.refused] == [
        ("line 2", "unreadable row", "labels.csv")
    ]
    assert [row.place for row in back.rows] == ["line 3"]


def test_bom_semicolons_and_further_columns_are_read(tmp_path):
    text = "\ufeffreviewer;grade;unit_id;question_id;note\nann;sufficient;u;q;x\n"
    assert read(tmp_path, text).rows[0].reviewer == "ann"
