"""Draws depend on seed and name only; what was drawn is written the same way."""

from pathlib import Path

from eval_pipeline.demo.relations.placing import Draw, place_set, read_lines, write_lines, write_table


def test_a_draw_depends_on_seed_and_name() -> None:
    draw = Draw(seed=7, name="mug-0")
    assert draw.number("width") == Draw(seed=7, name="mug-0").number("width")
    assert draw.number("width") not in (
        draw.number("height"),
        Draw(seed=8, name="mug-0").number("width"),
        Draw(seed=7, name="mug-1").number("width"),
    )
    assert {Draw(seed=seed, name="x").between("n", 3, 5) for seed in range(60)} == {3, 4, 5}
    assert {Draw(seed=seed, name="x").pick("n", ("a", "b")) for seed in range(30)} == {"a", "b"}


def test_files_and_truth_are_placed(tmp_path: Path) -> None:
    rows = [{"b": 1, "a": "x"}, {"a": "ü"}]
    drawn = place_set(home=tmp_path, files={"corpus/a.txt": b"A"}, truth="truth/t.jsonl", rows=rows)
    assert (tmp_path / "corpus/a.txt").read_bytes() == b"A"
    assert drawn.files == ("corpus/a.txt",)
    assert read_lines(tmp_path / drawn.truth) == rows
    assert write_lines(rows).startswith(b'{"a":"x","b":1}\n')


def test_a_table_has_the_columns_of_its_first_row() -> None:
    assert write_table([{"file": "a,b", "type": "mug"}, {"file": "c", "type": ""}]) == b'file,type\n"a,b",mug\nc,\n'
