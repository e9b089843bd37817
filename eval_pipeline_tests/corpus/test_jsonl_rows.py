import pytest

from eval_pipeline.corpus.jsonl_rows import read_jsonl


def test_values_stay_as_they_are_written() -> None:
    found = read_jsonl('{"id": 1e5, "n": 007}\n{"id": 1e5, "n": 70, "t": true, "none": null, "list": ["a", "b"]}\n\n')
    assert [bad.line for bad in found.bad] == [1]
    assert found.rows[0].line == 2
    assert found.rows[0].values == {"id": "1e5", "n": "70", "t": "true", "list": "a;b"}
    assert found.columns == ("id", "n", "t", "none", "list")


@pytest.mark.parametrize(
    "line",
    [
        '{"a": NaN}',
        '{"a": 1',
        "[1]",
        '{"a": 1, "a": 2}',
        '{"a": "x\\u0000"}',
        '{"a": "\\ud800"}',
        "nonsense",
        '{"a": Infinity}',
    ],
)
def test_a_bad_line_is_refused_and_the_next_one_read(line: str) -> None:
    found = read_jsonl(f'{line}\n{{"a": "ok"}}\n')
    assert [bad.line for bad in found.bad] == [1]
    assert [row.values for row in found.rows] == [{"a": "ok"}]


def test_names_are_composed_and_line_ends_of_any_kind_read() -> None:
    found = read_jsonl('{"Socie\u0301te\u0301": "x"}\r\n{"Société": "line\u2028mark"}\r\n')
    assert found.columns == ("Société",)
    assert [row.values["Société"] for row in found.rows] == ["x", "line\u2028mark"]
