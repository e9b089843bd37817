import os
import signal
import threading
import time
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from eval_pipeline.corpus.completeness import lost_pages, unread_documents
from eval_pipeline.foundation.errors import EvalPipelineError
from eval_pipeline.foundation.ids import content_id
from eval_pipeline_tests.corpus.conftest import refusals_of


def test_a_document_becomes_units_with_pictures_and_texts(project: Any) -> None:
    project.put_pdf("corpus/a.pdf", "one", "two")
    output = project.read()
    units = output.tables["corpus.unit"].sort("page_number").to_dicts()
    assert [unit["locator"] for unit in units] == ["page=1", "page=2"]
    texts = dict(output.tables["corpus.layer_text"].rows())
    assert [texts[unit["text_hash"]] for unit in units] == ["one", "two"]
    assert all((project.home / unit["picture_path"]).is_file() for unit in units)
    first = units[0]
    identity = ["corpus/a.pdf", "page=1", first["picture_hash"], first["text_hash"]]
    assert first["unit_id"] == content_id("unit", identity)
    assert output.tables["corpus.rendition"].select("n_pages", "n_units", "n_quarantined").row(0) == (2, 2, 0)
    assert output.tables["corpus.rendition_unit"].height == 2


def test_reading_again_gives_the_same_rows_and_writes_no_file(project: Any) -> None:
    project.put_pdf("corpus/a.pdf", "one")
    first = project.read()
    stamps = {path: path.stat().st_mtime_ns for path in project.home.rglob("*.webp")}
    second = project.read()
    assert {path: path.stat().st_mtime_ns for path in project.home.rglob("*.webp")} == stamps
    assert all(first.tables[name].equals(second.tables[name]) for name in first.tables)


def test_copies_stay_units_of_their_own(project: Any) -> None:
    project.put_pdf("corpus/a.pdf", "one")
    project.put_pdf("corpus/b.pdf", "one")
    units = project.read().tables["corpus.unit"]
    assert units["unit_id"].n_unique() == 2
    assert units["picture_hash"].n_unique() == units["text_hash"].n_unique() == 1


def test_an_edited_document_keeps_the_units_of_its_unchanged_pages(project: Any) -> None:
    project.put_pdf("corpus/a.pdf", "one", "two")
    before = project.read().tables["corpus.unit"]
    project.put_pdf("corpus/a.pdf", "one", "other", "three")
    after = project.read().tables["corpus.unit"]
    assert before.join(after, on="unit_id")["page_number"].to_list() == [1]


def test_no_documents_give_typed_empty_tables(project: Any) -> None:
    output = project.read()
    assert output.n_rows == 0
    assert set(output.tables) == {
        *("corpus.rendition", "corpus.rendition_unit", "corpus.unit", "corpus.layer_text", "corpus.quarantine")
    }


def test_ing_03_a_locked_file_is_one_row_and_stops_nobody(project: Any, case_files: Path) -> None:
    for name in ("ING-03_owner_only.pdf", "ING-03_user_password.pdf", "ING-07_three_pages.pdf"):
        project.put_copy(case_files / name)
    documents = project.arrive().tables["corpus.document"]
    output = project.read(documents)
    assert [(row["source_path"], row["reason"]) for row in refusals_of(output)] == [
        ("corpus/ING-03_user_password.pdf", "password required")
    ]
    assert output.summary == {"documents": 3, "pages": 5, "units": 5, "quarantined": 1}
    renditions = output.tables["corpus.rendition"]
    assert unread_documents(documents, renditions).height == lost_pages(renditions).height == 0


def test_ing_06_many_processes_read_what_one_reads_twenty_times(project: Any, case_files: Path) -> None:
    for number in range(1, 7):
        project.put_copy(case_files / f"ING-06_doc{number}.pdf")
    documents = project.arrive().tables["corpus.document"]
    serial = project.read(documents, workers=1)
    texts = serial.tables["corpus.layer_text"]["text"].to_list()
    assert len(set(texts)) == len(texts) == 18
    rounds = [documents.with_columns(rendition_id=pl.col("rendition_id") + f"#{n:02d}") for n in range(20)]
    parallel = project.read(pl.concat(rounds), workers=6)
    for name in ("corpus.unit", "corpus.layer_text"):
        assert parallel.tables[name].sort(pl.all()).equals(serial.tables[name].sort(pl.all()))
    of_round = parallel.tables["corpus.rendition_unit"].with_columns(pl.col("rendition_id").str.split("#").list.first())
    assert of_round.group_by(pl.all()).len()["len"].unique().to_list() == [20]
    assert of_round.unique().sort(pl.all()).equals(serial.tables["corpus.rendition_unit"].sort(pl.all()))


def test_ing_07_page_numbers_are_the_pages_that_people_see(project: Any, case_files: Path) -> None:
    project.put_copy(case_files / "ING-07_three_pages.pdf", "ING-07_three_pages.pdf")
    project.put_copy(case_files / "ING-07_manifest.csv", "m.csv")
    columns = {"path": "source", "page": "page", "page_id": "page_id"}
    project.declare(metadata="m.csv", documents="*.pdf", facets={"period": {"column": "period"}}, **columns)
    done = project.ingest()
    assert [(unit["page_number"], unit["text"], unit["declared_id"]) for unit in done.units] == [
        (1, "PAGE-ONE", "p-a"),
        (2, "PAGE-TWO", None),
        (3, "PAGE-THREE", "p-b"),
    ]
    assert [(row["place"], row["reason"]) for row in done.refusals] == [
        ("row 4", "no such page"),
        ("row 5", "no such page"),
    ]
    assert "pages 1 to 3, counted from 1" in done.refusals[0]["detail"]


def test_ing_07_a_table_that_counts_from_zero(project: Any, case_files: Path) -> None:
    project.put_copy(case_files / "ING-07_three_pages.pdf", "ING-07_three_pages.pdf")
    project.put_copy(case_files / "ING-07_manifest.csv", "m.csv")
    project.declare(metadata="m.csv", documents="*.pdf", path="source", page="page", page_id="page_id", page_base=0)
    done = project.ingest()
    assert [(unit["text"], unit["declared_id"]) for unit in done.units] == [
        ("PAGE-ONE", "p-c"),
        ("PAGE-TWO", "p-a"),
        ("PAGE-THREE", None),
    ]
    assert [row["place"] for row in done.refusals] == ["row 3", "row 5"]


def test_ing_09_a_slow_page_is_ended_and_its_neighbours_are_read(project: Any, case_files: Path) -> None:
    project.put_copy(case_files / "ING-09_slow_page.pdf")
    project.declare(limits={"page_seconds": 1.5}, resolution_dpi=100)
    output = project.read()
    assert [(row["place"], row["reason"]) for row in refusals_of(output)] == [("page 2", "too slow")]
    assert output.tables["corpus.unit"]["page_number"].sort().to_list() == [1, 3]
    assert output.tables["corpus.rendition"].select("n_pages", "n_units", "n_quarantined").row(0) == (3, 2, 1)
    assert not _children()


def test_img_05_an_oversize_picture_stops_nobody(project: Any, case_files: Path) -> None:
    project.put_copy(case_files / "IMG-05_20000x20000_1bit.png")
    project.put_copy(case_files / "IMG-02_gray8_twin.png")
    output = project.read()
    assert [row["reason"] for row in refusals_of(output)] == ["too many pixels"]
    assert output.tables["corpus.unit"]["document_id"].to_list() == ["corpus/IMG-02_gray8_twin.png"]


def test_img_07_a_row_for_page_three_of_a_tiff_finds_it(project: Any, case_files: Path) -> None:
    project.put_copy(case_files / "IMG-07_three_pages.tif", "three.tif")
    project.put_copy(case_files / "IMG-07_two_frames.gif", "two.gif")
    project.put("m.csv", "file,page,name\nthree.tif,3,last\ntwo.gif,,only\n")
    project.declare(
        metadata="m.csv", documents="*.{tif,gif}", path="file", page="page", facets={"name": {"column": "name"}}
    )
    done = project.ingest()
    assert [(unit["document_id"], unit["page_number"], unit["facets"].get("name")) for unit in done.units] == [
        ("three.tif", 1, None),
        ("three.tif", 2, None),
        ("three.tif", 3, "last"),
        ("two.gif", 1, "only"),
    ]
    assert [(row["source_path"], row["detail"]) for row in done.warnings] == [("two.gif", "first of 2 frames")]
    assert {unit["text_quality"] for unit in done.units} == {"missing"}


def test_a_process_that_is_killed_costs_one_page(project: Any, case_files: Path) -> None:
    project.put_copy(case_files / "ING-09_slow_page.pdf")
    project.declare(limits={"page_seconds": 60}, resolution_dpi=100)
    killer = threading.Thread(target=_kill_after_first_picture, args=(project.home,), daemon=True)
    killer.start()
    output = project.read()
    killer.join()
    assert [(row["place"], row["reason"]) for row in refusals_of(output)] == [("page 2", "reader crashed")]
    assert "exit status -9" in refusals_of(output)[0]["detail"]
    assert output.tables["corpus.unit"].height == 2


def test_a_document_that_went_is_not_recorded_as_read(project: Any) -> None:
    path = project.put_pdf("corpus/a.pdf")
    documents = project.arrive().tables["corpus.document"]
    path.unlink()
    output = project.read(documents)
    assert [row["reason"] for row in refusals_of(output)] == ["file is gone"]
    assert output.tables["corpus.rendition"].height == 0


def test_removed_documents_are_passed_over(project: Any) -> None:
    project.put_pdf("corpus/a.pdf")
    documents = project.arrive().tables["corpus.document"].with_columns(change=pl.lit("removed"))
    assert project.read(documents).n_rows == 0


def test_a_full_disk_stops_the_run_instead_of_refusing_pages(project: Any) -> None:
    for name in "abc":
        project.put_pdf(f"corpus/{name}.pdf", name)
    documents = project.arrive().tables["corpus.document"]
    project.put("derived", "a file where a folder should be")
    with pytest.raises(EvalPipelineError, match="cannot write pictures"):
        project.read(documents, workers=2)
    assert not _children()


def _kill_after_first_picture(home: Path) -> None:
    while not any(home.rglob("*.webp")):
        time.sleep(0.01)
    time.sleep(0.1)
    for child in _children():
        os.kill(child, signal.SIGKILL)


def _children() -> list[int]:
    """Processes whose parent this one is and that have not ended."""
    listed = Path(f"/proc/{os.getpid()}/task").glob("*/children")
    pids = [int(pid) for path in listed for pid in path.read_text().split()]
    return [pid for pid in pids if "corpus.worker" in Path(f"/proc/{pid}/cmdline").read_text()]
