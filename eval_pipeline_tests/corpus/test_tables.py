from pathlib import Path
from typing import Any

import pytest

from eval_pipeline.corpus.tables import read_table
from eval_pipeline.foundation.errors import TableError


def test_man_02_names_and_numbers_stay_text(case_files: Path) -> None:
    table = read_table(home=case_files, relative="MAN-02_leading_zeros_and_NA.csv")
    assert [row.values["page_id"] for row in table.rows] == ["007", "7", "1e5", "100000", "true", "2024-01-02"]
    assert [row.values["entity"] for row in table.rows] == ["0070", "70", "NA", "null", "NaN", "INF"]
    assert [row.values.get("revision") for row in table.rows] == ["01", "1", "01", "01", None, None]


def test_man_03_a_byte_order_mark_is_no_part_of_a_name(case_files: Path) -> None:
    table = read_table(home=case_files, relative="MAN-03_bom_crlf.csv")
    assert table.columns[0] == "page_id"
    assert [row.values["revision"] for row in table.rows] == ["r1", "r1"]


def test_man_03_another_encoding_is_refused_by_line_or_read_when_named(case_files: Path) -> None:
    with pytest.raises(TableError, match=r"MAN-03_cp1252.csv, line 2: not utf-8") as caught:
        read_table(home=case_files, relative="MAN-03_cp1252.csv")
    assert caught.value.line == 2
    table = read_table(home=case_files, relative="MAN-03_cp1252.csv", encoding="cp1252")
    assert table.rows[0].values["entity"] == "Société Générale"


def test_man_08_a_header_alone_is_a_table_and_zero_bytes_are_refused_by_name(case_files: Path) -> None:
    table = read_table(home=case_files, relative="MAN-08_header_only.csv")
    assert table.rows == ()
    assert table.columns[:2] == ("page_id", "source")
    with pytest.raises(TableError, match=r"MAN-08_zero_bytes.csv has zero bytes"):
        read_table(home=case_files, relative="MAN-08_zero_bytes.csv")


@pytest.mark.parametrize(
    ("relative", "encoding", "match"),
    [("none.csv", "utf-8", "not there"), ("a.xlsx", "utf-8", "tables are"), ("a.csv", "utf-9", "no known encoding")],
)
def test_a_table_that_cannot_be_used_is_named(tmp_path: Path, relative: str, encoding: str, match: str) -> None:
    for name in ("a.xlsx", "a.csv"):
        (tmp_path / name).write_text("id\n1\n")
    with pytest.raises(TableError, match=match):
        read_table(home=tmp_path, relative=relative, encoding=encoding)


def test_a_refused_row_says_where_it_stands(tmp_path: Path) -> None:
    (tmp_path / "m.csv").write_text("id,name\n1\n")
    refusal: Any = read_table(home=tmp_path, relative="m.csv").refusals[0]
    assert (refusal.source_path, refusal.place, refusal.reason) == ("m.csv", "row 2", "row does not fit its table")
    assert len(refusal.content_hash) == 64
