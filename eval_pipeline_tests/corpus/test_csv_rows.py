import csv
import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval_pipeline.corpus.csv_rows import read_csv
from eval_pipeline.foundation.errors import TableError

HEADER = "page_id,source,page\n"


def test_man_04_ragged_rows_are_refused_by_line_and_nothing_shifts(case_files: Path) -> None:
    text = (case_files / "MAN-04_ragged.csv").read_text()
    found = read_csv(path="m.csv", text=text)
    assert [(row.line, row.values["page_id"], row.values["entity"]) for row in found.rows] == [
        (2, "p1", "Acme"),
        (5, "p4", "Acme, Inc"),
    ]
    assert [bad.line for bad in found.bad] == [3, 4, 6]
    assert "8 fields, the header has 7" in found.bad[0].detail
    assert "quotes" in found.bad[2].detail


@pytest.mark.parametrize(
    ("body", "good", "bad"),
    [
        ('p1,"open,1\np2,b,2\np3,c,3\n', ["p2", "p3"], [2]),
        ('p1,"open,1\np2,"Acme, Inc",2\np3,c,3\n', ["p2", "p3"], [2]),
        ('p1,"two\nlines",1\np2,b,2\n', ["p1", "p2"], []),
        ('p1,"two\nlines"\np2,b,2\n', ["p2"], [2]),
        ('p1,5" pipe,1\n', ["p1"], []),
        ('p1,"a"b,1\np2,b,2\n', ["p2"], [2]),
        ("p1,a\0b,1\np2,b,2\n", ["p2"], [2]),
        ("\n\np1,b,1\n\n", ["p1"], []),
        ("", [], []),
    ],
)
def test_a_bad_row_never_takes_its_neighbours_along(body: str, good: list[str], bad: list[int]) -> None:
    found = read_csv(path="m.csv", text=HEADER + body)
    assert [row.values["page_id"] for row in found.rows] == good
    assert [row.line for row in found.bad] == bad


def test_a_quote_left_open_in_a_long_file_loses_one_row() -> None:
    body = "p0,ok,1\n" + 'p1,"open,2\n' + "".join(f"q{n},some text,{n}\n" for n in range(20_000))
    found = read_csv(path="m.csv", text=HEADER + body)
    assert [bad.line for bad in found.bad] == [3]
    assert len(found.rows) == 20_001


@pytest.mark.parametrize(("path", "separator"), [("a.csv", ";"), ("a.csv", "\t"), ("a.tsv", "\t"), ("a.csv", ",")])
def test_separators(path: str, separator: str) -> None:
    text = separator.join(["id", "name"]) + "\r\n" + separator.join(["1", "x"]) + "\r\n"
    found = read_csv(path=path, text=text)
    assert found.columns == ("id", "name")
    assert found.rows[0].values == {"id": "1", "name": "x"}


@pytest.mark.parametrize("text", ["id,id\n1,2\n", ",,\n1,2,3\n", "\n\n", '"open,id\n'])
def test_a_header_that_names_nothing_is_an_error(text: str) -> None:
    with pytest.raises(TableError, match=r"m\.csv, line 1") as caught:
        read_csv(path="m.csv", text=text)
    assert caught.value.line == 1


def test_a_column_without_a_name_is_passed_over() -> None:
    found = read_csv(path="m.csv", text=",id\n0,a\n1,b\n")
    assert found.columns == ("id",)
    assert [row.values for row in found.rows] == [{"id": "a"}, {"id": "b"}]


VALUES = st.text(alphabet=st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=12)


@given(st.lists(st.tuples(VALUES.filter(bool), VALUES), max_size=6))
def test_what_a_csv_writer_writes_is_read_back_byte_for_byte(rows: list[tuple[str, str]]) -> None:
    data = io.StringIO(newline="")
    writer = csv.writer(data, quoting=csv.QUOTE_ALL)
    writer.writerows([("a", "b"), *rows])
    found = read_csv(path="m.csv", text=data.getvalue())
    assert [(row.values["a"], row.values.get("b", "")) for row in found.rows] == rows
    assert not found.bad
