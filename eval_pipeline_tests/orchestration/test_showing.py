"""Metadata keeps its order, cuts what is long and says how much it cut."""

import base64
from io import BytesIO

import polars as pl
from PIL import Image

from eval_pipeline.orchestration.showing import by_bucket, counts, pictures, table


def test_counts_keep_order_and_kind():
    shown = counts({"documents": 3, "share": 0.5, "judge": "text"})
    assert [(name, item.value) for name, item in shown.items()] == [("documents", 3), ("share", 0.5), ("judge", "text")]


def test_counts_are_named_in_words():
    assert list(counts({"n_posed": 1, "units_without_negatives": 2})) == ["posed", "units without negatives"]


def test_every_bucket_tells_what_the_run_did():
    told = by_bucket({"0b": {"n_posed": 2}, "03": {"n_posed": 1, "encoder": "layout"}})
    assert told["this run"].value == (
        "| bucket | posed | encoder |\n| --- | --- | --- |\n| 03 | 1 | layout |\n| 0b | 2 | - |"
    )
    assert by_bucket({})["this run"].value == "nothing new in any bucket"


def test_table_escapes_rounds_and_tells_what_is_left_out():
    frame = pl.DataFrame({"name": ["a|b", None, "c\nd"], "value": [0.12345, 1.0, None]})
    text = table(frame, rows=2).value
    assert text == "| name | value |\n| --- | --- |\n| a\\|b | 0.123 |\n| - | 1.000 |\n\n1 more rows"


def test_an_empty_table_says_so():
    assert table(pl.DataFrame(schema={"name": pl.String})).value == "none"


def test_pictures_travel_inside_the_metadata(tmp_path):
    path = tmp_path / "page.webp"
    Image.new("RGB", (600, 800), "white").save(path, lossless=True)
    head, rule, drawn = pictures([("page | one", path)], height_px=100).value.splitlines()
    assert (head, rule) == ("| **page \\| one** |", "| --- |")
    assert drawn.startswith("| ![page \\| one](data:image/jpeg;base64,")
    data = base64.b64decode(drawn.split("base64,")[1].removesuffix(") |"))
    with Image.open(BytesIO(data)) as image:
        assert image.size == (75, 100)


def test_pictures_stand_four_in_a_row_and_a_missing_one_says_what_to_do(tmp_path):
    lines = pictures([(str(n), tmp_path / "gone.webp") for n in range(6)]).value.splitlines()
    assert lines[0] == "| **0** | **1** | **2** | **3** |"
    assert lines[1] == "| --- | --- | --- | --- |"
    assert lines[3] == "| **4** | **5** |"
    assert lines[4].count("picture missing, see 'eval-pipeline doctor'") == 2
    assert len(lines) == 5


def test_no_pictures_is_said():
    assert pictures([]).value == "no pages"
