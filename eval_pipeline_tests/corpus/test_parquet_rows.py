import datetime
import io

import polars as pl
import pytest

from eval_pipeline.corpus.parquet_rows import read_parquet
from eval_pipeline.foundation.errors import TableError


def write(frame: pl.DataFrame) -> bytes:
    data = io.BytesIO()
    frame.write_parquet(data)
    return data.getvalue()


def test_columns_become_plain_text() -> None:
    frame = pl.DataFrame(
        {
            "text": ["007", None, ""],
            "whole": [2023, None, 4],
            "was_whole": [2023.0, None, float("nan")],
            "real": [0.1, 2.0, None],
            "flag": [True, False, None],
            "day": [datetime.date(2024, 9, 30), None, None],
            "list": [["a", "b"], [], None],
            "record": [{"x": 1}, {"x": None}, None],
        },
        schema_overrides={"whole": pl.Int32},
    )
    found = read_parquet(path="m.parquet", data=write(frame))
    assert found.rows[0].values == {
        **{"text": "007", "whole": "2023", "was_whole": "2023", "real": "0.1", "flag": "true"},
        **{"day": "2024-09-30", "list": "a;b", "record": '{"x": 1}'},
    }
    assert found.rows[1].values == {"real": "2.0", "flag": "false", "record": '{"x": null}'}
    assert [row.line for row in found.rows] == [1, 2, 3]


def test_a_row_with_nul_is_refused() -> None:
    found = read_parquet(path="m.parquet", data=write(pl.DataFrame({"a": ["x\0", "y"]})))
    assert [bad.line for bad in found.bad] == [1]
    assert [row.values for row in found.rows] == [{"a": "y"}]


@pytest.mark.parametrize("data", [b"PAR1 not really", b"id,name\n1,2\n"])
def test_what_is_no_parquet_is_named(data: bytes) -> None:
    with pytest.raises(TableError, match=r"m\.parquet cannot be read as Parquet"):
        read_parquet(path="m.parquet", data=data)
