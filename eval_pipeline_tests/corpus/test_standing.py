"""A refusal holds as long as the thing that was refused is as it was."""

from pathlib import Path
from typing import Any

import polars as pl

from eval_pipeline.corpus.standing import standing_refusals
from eval_pipeline.foundation.ids import hash_file
from eval_pipeline.foundation.tables.corpus import DOCUMENT, QUARANTINE


def a_refusal(source_path: str, **columns: Any) -> dict[str, Any]:
    return {
        "quarantine_id": f"qn_{source_path}_{columns.get('place', '')}",
        "source_path": source_path,
        "place": "",
        "reason": "damaged file",
        "detail": "it cannot be opened",
        "next_step": "export it anew",
        "content_hash": None,
        "rendition_id": None,
        "found_under": None,
        "is_warning": False,
    } | columns


def standing(
    home: Path, *refusals: dict[str, Any], renditions: tuple[str, ...] = (), in_force: tuple[str, ...] = ()
) -> list[str]:
    schema = {"rendition_id": pl.String, "document_version_id": pl.String}
    documents = pl.DataFrame([(name, f"v-{name}") for name in renditions], schema=schema, orient="row")
    found = standing_refusals(quarantine=QUARANTINE.frame(refusals), documents=documents, in_force=in_force, home=home)
    assert found.columns == QUARANTINE.empty().columns
    return found["quarantine_id"].to_list()


def test_a_page_is_refused_while_its_rendition_is_in_force(tmp_path: Path) -> None:
    page = a_refusal("corpus/a.pdf", place="page 2", content_hash="h", rendition_id="r1")
    assert standing(tmp_path, page, renditions=("r1", "r2")) == ["qn_corpus/a.pdf_page 2"]
    assert standing(tmp_path, page, renditions=("r2",)) == []


def test_a_file_is_refused_while_its_bytes_are_the_same(tmp_path: Path) -> None:
    place = tmp_path / "table.csv"
    place.write_text("a,b\n1\n")
    refused = a_refusal("table.csv", place="row 1", content_hash=hash_file(place))
    assert standing(tmp_path, refused) == ["qn_table.csv_row 1"]
    place.write_text("a,b\n1,2\n")
    assert standing(tmp_path, refused) == []
    place.unlink()
    assert standing(tmp_path, refused) == []


def test_a_file_that_could_not_be_hashed_is_refused_while_it_is_there(tmp_path: Path) -> None:
    refused = a_refusal("locked.pdf", reason="not readable")
    assert standing(tmp_path, refused) == []
    (tmp_path / "locked.pdf").write_bytes(b"x")
    assert standing(tmp_path, refused) == ["qn_locked.pdf_"]


def test_a_row_is_refused_while_what_it_was_found_under_is_in_force(tmp_path: Path) -> None:
    (tmp_path / "table.csv").write_text("a,b\n1\n")
    row = a_refusal("table.csv", place="row 1", content_hash=hash_file(tmp_path / "table.csv"), found_under="arrv_1")
    described = a_refusal("table.csv", place="row 2", found_under="v-r1")
    names = ["qn_table.csv_row 1", "qn_table.csv_row 2"]
    assert standing(tmp_path, row, described, renditions=("r1",), in_force=("arrv_1",)) == names
    assert standing(tmp_path, row, described, renditions=("r2",), in_force=("arrv_2",)) == []
    (tmp_path / "table.csv").write_text("a,b\n1,2\n")
    assert standing(tmp_path, row, in_force=("arrv_1",)) == []


def test_they_come_in_order_of_path_and_place(tmp_path: Path) -> None:
    for name in ("b.csv", "a.csv"):
        (tmp_path / name).write_text("x")
    refusals = [a_refusal("b.csv"), a_refusal("a.csv", place="row 2"), a_refusal("a.csv", place="row 1")]
    assert standing(tmp_path, *refusals) == ["qn_a.csv_row 1", "qn_a.csv_row 2", "qn_b.csv_"]


def test_nothing_refused(tmp_path: Path) -> None:
    found = standing_refusals(quarantine=QUARANTINE.empty(), documents=DOCUMENT.empty(), in_force=(), home=tmp_path)
    assert found.schema == QUARANTINE.empty().schema
    assert found.height == 0
