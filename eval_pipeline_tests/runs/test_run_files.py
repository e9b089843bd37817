import gzip
import json
from pathlib import Path

import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval_pipeline.foundation.errors import TableError
from eval_pipeline.runs.run_files import read_run_file

ROWS = [(1, "q1", "pa", 0.9), (2, "q1", "pb", 1e-3)]


def test_run_03_each_kind_of_line_is_read_or_refused_by_number(case_files: Path) -> None:
    found = read_run_file(case_files / "RUN-03_malformed.run")
    assert found.lines.rows() == [(2, "q1", "pa", 0.9), (7, "q1", "pb", 0.5)]
    assert found.refused.select("line", "reason").rows() == [
        (3, "wrong number of fields"),
        (4, "wrong number of fields"),
        (5, "score is not a finite number"),
        (8, "wrong number of fields"),
        (9, "score is not a finite number"),
    ]
    assert found.refused["detail"].to_list()[-1] == "found 1,5"


def test_run_07_scores_are_64_bit_and_nan_and_infinity_are_refused(case_files: Path) -> None:
    found = read_run_file(case_files / "RUN-07_precision_nan.run")
    assert found.lines.rows() == [
        (1, "q1", "p1", 0.1234567890123456),
        (2, "q1", "p2", 0.1234567890123455),
        (4, "q2", "p1", 0.001),
    ]
    assert found.refused.rows() == [
        (3, "score is not a finite number", "found nan"),
        (5, "score is not a finite number", "found -inf"),
    ]


@pytest.mark.parametrize("packing", ["plain", "gzip", "zstd"])
def test_forms_and_packings_say_the_same(tmp_path: Path, packing: str) -> None:
    trec = "\ufeffq1 Q0 pa 7 0.9 t\r\nq1\tQ0  pb 1 1e-3 t".encode()
    lines = [json.dumps({"question_id": q, "unit_id": u, "score": s, "extra": 1}) for _, q, u, s in ROWS]
    frame = pl.DataFrame(ROWS, schema=["line", "question_id", "unit_id", "score"], orient="row")
    parquet = tmp_path / "x"
    frame.write_parquet(parquet)
    for suffix, data in ((".run", trec), (".jsonl", "\n".join(lines).encode()), (".parquet", parquet.read_bytes())):
        ending, packed = {
            "plain": ("", data),
            "gzip": (".gz", gzip.compress(data)),
            "zstd": (".zst", pa.compress(data, codec="zstd", asbytes=True)),
        }[packing]
        path = tmp_path / f"a{suffix}{ending}"
        path.write_bytes(packed)
        found = read_run_file(path)
        assert found.lines.rows() == ROWS, path.name
        assert found.refused.is_empty()


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("{", "Expecting"),
        ("[1]", "found list"),
        ('{"question_id": 1, "unit_id": "a", "score": 1}', "should be text"),
        ('{"question_id": "q", "unit_id": "a"}', "score should be a number, found None"),
        ('{"question_id": "q", "unit_id": "a", "score": "1"}', "score should be a number"),
        ('{"question_id": "q", "unit_id": "a", "score": NaN}', "found NaN"),
    ],
)
def test_a_bad_line_of_json_is_refused_and_the_rest_goes_on(tmp_path: Path, line: str, words: str) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(f'{line}\n\n{{"question_id": "q", "unit_id": "a", "score": 1}}\n')
    found = read_run_file(path)
    assert found.lines.rows() == [(3, "q", "a", 1.0)]
    assert found.refused["line"].to_list() == [1]
    assert words in found.refused["detail"].item()


def test_what_is_no_run_file_is_named(tmp_path: Path) -> None:
    for name, data, words in (
        ("a.parquet", b"q1 Q0 pa 1 0.9 t", "Parquet with columns"),
        ("a.run", b"q1 Q0 pa 1 0.9 t\nq\xe9 Q0", "line 2: not UTF-8"),
        ("a.run.gz", gzip.compress(b"abc")[:-9], "cannot be read"),
    ):
        (tmp_path / name).write_bytes(data)
        with pytest.raises(TableError, match=words):
            read_run_file(tmp_path / name)
    with pytest.raises(TableError, match="cannot be read"):
        read_run_file(tmp_path / "absent.run")


@pytest.mark.parametrize("suffix", [".run", ".jsonl"])
def test_an_empty_file_has_no_lines(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"a{suffix}"
    path.write_bytes(b"")
    assert read_run_file(path).lines.is_empty()


IDS = st.text(
    st.characters(codec="utf-8", exclude_categories=["Z", "C"], exclude_characters="#"), min_size=1, max_size=6
)


@given(rows=st.lists(st.tuples(IDS, IDS, st.floats(allow_nan=False, allow_infinity=False)), max_size=6))
def test_what_is_written_is_read_back_to_the_last_digit(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, str, float]]
) -> None:
    path = tmp_path_factory.getbasetemp() / "written.run"
    path.write_text("".join(f"{q} Q0 {u} 1 {s!r} t\n" for q, u, s in rows), encoding="utf-8")
    found = read_run_file(path)
    assert found.lines.drop("line").rows() == rows
    assert found.refused.is_empty()
