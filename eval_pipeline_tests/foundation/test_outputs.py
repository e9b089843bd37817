import polars as pl

from eval_pipeline.foundation.outputs import StageOutput, merge_outputs

ONE = StageOutput(tables={"a.b": pl.DataFrame({"x": [1, 2]})}, inputs=("i2", "i1"), summary={"pages": 2, "note": "one"})
TWO = StageOutput(tables={"a.b": pl.DataFrame({"x": [2, 3]}), "a.c": pl.DataFrame({"y": ["k"]})}, inputs=("i1",),
                  summary={"pages": 3, "note": "two", "cost": 0.5})  # fmt: skip


def test_rows_over_all_tables_are_counted():
    assert (ONE.n_rows, TWO.n_rows, StageOutput(tables={}).n_rows) == (2, 3, 0)


def test_merging_joins_rows_once_adds_numbers_and_keeps_the_last_word():
    merged = merge_outputs(ONE, TWO)
    assert merged.tables["a.b"]["x"].to_list() == [1, 2, 3]
    assert merged.tables["a.c"]["y"].to_list() == ["k"]
    assert merged.inputs == ("i1", "i2")
    assert merged.summary == {"pages": 5, "note": "two", "cost": 0.5}


def test_merging_nothing_is_an_empty_output():
    assert merge_outputs() == StageOutput(tables={})
