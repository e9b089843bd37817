import json
import os
import shutil
import unicodedata
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from eval_pipeline.corpus.arrivals import arrivals_id_of
from eval_pipeline.corpus.standing import standing_refusals
from eval_pipeline.foundation.errors import ConfigError, TableError
from eval_pipeline.foundation.ids import bucket_of
from eval_pipeline.foundation.outputs import StageOutput

CASE_COLUMNS = {"path": "source", "page": "page", "page_id": "page_id"}
CASE_FACETS = {name: {"column": name} for name in ("entity", "metric", "revision")} | {
    "period": {"column": "period", "parse": "period"}
}


def follow(project: Any, in_force: pl.DataFrame, output: Any) -> pl.DataFrame:
    """What is in force after a batch: the highest sequence per document, without removed ones."""
    frame = pl.concat([in_force, output.tables["corpus.document"]])
    newest = frame.sort("sequence").unique("document_id", keep="last", maintain_order=True)
    return newest.filter(pl.col("change") != "removed")


def changes(output: Any) -> dict[str, str]:
    return dict(output.tables["corpus.document"].select("document_id", "change").rows())


def test_new_changed_and_removed_documents_are_told_apart(project: Any) -> None:
    project.put_pdf("corpus/a.pdf", "a")
    project.put_pdf("corpus/b.pdf", "b")
    first = project.arrive()
    assert changes(first) == {"corpus/a.pdf": "new", "corpus/b.pdf": "new"}
    batch = first.tables["corpus.batch"].row(0, named=True)
    assert (batch["sequence"], batch["parent_batch_id"], batch["n_new"]) == (1, None, 2)

    in_force = first.tables["corpus.document"]
    again = project.arrive(in_force, (batch["batch_id"], 1))
    assert again.n_rows == 0

    project.put_pdf("corpus/a.pdf", "another")
    (project.home / "corpus/b.pdf").unlink()
    project.put_pdf("corpus/c.pdf", "c")
    second = project.arrive(in_force, (batch["batch_id"], 1))
    assert changes(second) == {"corpus/a.pdf": "changed", "corpus/b.pdf": "removed", "corpus/c.pdf": "new"}
    row = second.tables["corpus.batch"].row(0, named=True)
    assert (row["sequence"], row["parent_batch_id"]) == (2, batch["batch_id"])
    assert (row["n_new"], row["n_changed"], row["n_removed"]) == (1, 1, 1)

    after = follow(project, in_force, second)
    assert project.arrive(after, (row["batch_id"], 2)).n_rows == 0


def test_metadata_alone_changes_the_version_and_not_the_rendition(project: Any) -> None:
    project.put_pdf("corpus/a.pdf")
    project.declare(metadata="m.csv", id="id", facets={"entity": {"column": "entity"}})
    project.put("m.csv", "id,entity\na,Acme\n")
    before = project.arrive().tables["corpus.document"]
    project.put("m.csv", "id,entity\na,Beta\n")
    after = project.arrive(before, ("batch_x", 1)).tables["corpus.document"]
    assert after["change"].to_list() == ["changed"]
    assert after["rendition_id"].to_list() == before["rendition_id"].to_list()
    assert after["document_version_id"].to_list() != before["document_version_id"].to_list()


def test_moving_rows_about_changes_nothing(project: Any) -> None:
    for name in "abc":
        project.put_pdf(f"corpus/{name}.pdf", name)
    project.declare(metadata="m.csv", id="id")
    project.put("m.csv", "id,entity\na,A\nb,B\nc,C\n")
    before = project.arrive().tables["corpus.document"]
    project.put("m.csv", "id,entity\n\nc,C\na,A\nb,B\n")
    assert project.arrive(before, ("batch_x", 1)).n_rows == 0


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"resolution_dpi": 50}, "rendition_id"),
        ({"limits": {"page_seconds": 1}}, "rendition_id"),
        ({"access": {"default": "public"}}, "document_version_id"),
        ({"facets": {"entity": {"pattern": {"path": "a"}}}}, "document_version_id"),
    ],
)
def test_settings_change_what_they_decide_and_nothing_else(project: Any, change: dict[str, Any], expected: str) -> None:
    project.put_pdf("corpus/a.pdf")
    before = project.documents()["corpus/a.pdf"]
    project.declare(**change)
    after = project.documents()["corpus/a.pdf"]
    differ = {key for key in ("rendition_id", "document_version_id") if before[key] != after[key]}
    assert differ == {expected}


def test_editing_a_table_of_synonyms_changes_the_version(project: Any) -> None:
    project.put_pdf("corpus/a.pdf")
    project.put("names.csv", "name,synonym\nA,B\n")
    project.declare(facets={"entity": {"pattern": {"path": "a"}, "synonyms": "names.csv"}})
    before = project.documents()["corpus/a.pdf"]["document_version_id"]
    project.put("names.csv", "name,synonym\nA,C\n")
    assert project.documents()["corpus/a.pdf"]["document_version_id"] != before


def test_a_moved_project_has_the_same_ids(project: Any, tmp_path: Path) -> None:
    project.put_pdf("corpus/a.pdf")
    before = project.arrive()
    shutil.copytree(project.home, tmp_path / "elsewhere")
    project.home = tmp_path / "elsewhere"
    assert project.arrive().tables["corpus.document"].equals(before.tables["corpus.document"])


def test_a_document_row_says_what_the_table_and_the_file_say(project: Any) -> None:
    project.put_pdf("corpus/a.pdf")
    project.declare(
        metadata="corpus/m.csv", id="id", path="file", access={"column": "access", "group_column": "groups"}
    )
    project.put("corpus/m.csv", "id,file,access,groups,note\n007,a.pdf,public,legal;finance,\n")
    row = project.documents()["007"]
    assert (row["source_path"], row["media_type"], row["access"]) == ("corpus/a.pdf", "pdf", "public")
    assert json.loads(row["access_groups"]) == ["finance", "legal"]
    assert json.loads(row["metadata"]) == [
        {
            "id": "007",
            "file": "a.pdf",
            "access": "public",
            "groups": "legal;finance",
            "__table__": "corpus/m.csv",
            "__line__": "2",
        }
    ]
    assert row["bucket"] == bucket_of("007")


def test_man_06_rows_that_leave_the_folder_are_refused_by_row_number_before_any_open(
    project: Any, case_files: Path
) -> None:
    project.declare(metadata="m.csv", facets=CASE_FACETS, documents="*.pdf", **CASE_COLUMNS)
    project.put_copy(case_files / "MAN-06_traversal.csv", "m.csv")
    project.put_pdf("IMG.pdf")
    done = project.ingest()
    assert {row["place"]: row["reason"] for row in done.refusals} == {
        f"row {line}": "path leaves the folder" for line in (2, 3, 4, 5)
    }
    assert [unit["facets"]["entity"] for unit in done.units] == ["../../escape"]
    written = {path.parts[len(project.home.parts)] for path in project.home.rglob("*") if path.is_file()}
    assert written == {"IMG.pdf", "m.csv", "derived"}
    assert {path.name for path in project.home.parent.iterdir()} == {"project"}


def test_man_02_ids_and_facets_stay_text(project: Any, case_files: Path) -> None:
    verbatim = {name: {"column": name, "parse": "verbatim"} for name in ("entity", "revision")}
    project.declare(metadata="m.csv", facets=verbatim, documents="*.pdf", **CASE_COLUMNS)
    project.put_copy(case_files / "MAN-02_leading_zeros_and_NA.csv", "m.csv")
    project.put_pdf("a.pdf", *"123456")
    units = project.ingest().units
    assert [unit["declared_id"] for unit in units] == ["007", "7", "1e5", "100000", "true", "2024-01-02"]
    assert [unit["facets"]["entity"] for unit in units] == ["0070", "70", "NA", "null", "NaN", "INF"]
    assert [unit["facets"].get("revision") for unit in units] == ["01", "1", "01", "01", None, None]


def test_man_03_no_wrongly_decoded_entity_is_stored(project: Any, case_files: Path) -> None:
    project.declare(metadata="m.csv", facets={"entity": {"column": "entity"}}, documents="*.pdf", **CASE_COLUMNS)
    project.put_copy(case_files / "MAN-03_cp1252.csv", "m.csv")
    project.put_pdf("a.pdf")
    with pytest.raises(TableError, match=r"m\.csv, line 2"):
        project.arrive()
    project.declare(
        metadata="m.csv", facets={"entity": {"column": "entity"}}, documents="*.pdf", encoding="cp1252", **CASE_COLUMNS
    )
    assert project.ingest().units[0]["facets"]["entity"] == "société générale"


def test_man_05_composed_and_decomposed_names_are_one_file_and_one_entity(project: Any, case_files: Path) -> None:
    source = next(path for path in case_files.iterdir() if path.name.startswith("MAN-05_So"))
    project.put(unicodedata.normalize("NFD", "MAN-05_Société.pdf"), source.read_bytes())
    project.put_copy(case_files / "MAN-05_manifest.csv", "m.csv")
    project.declare(metadata="m.csv", facets=CASE_FACETS, documents="*.pdf", **CASE_COLUMNS)
    done = project.ingest()
    assert done.refusals == []
    assert [unit["facets"]["entity"] for unit in done.units] == ["société", "société"]
    assert [unit["facets"]["period"] for unit in done.units] == ["2024Q1", "2024Q2"]
    assert done.arrived.tables["corpus.document"]["document_id"].to_list() == ["MAN-05_Société.pdf"]


def test_man_07_repeated_ids_are_refused_and_equal_axes_reported(project: Any, case_files: Path) -> None:
    project.declare(
        metadata="m.csv",
        facets=CASE_FACETS,
        axes=["period", "metric", "entity", "revision"],
        documents="*.pdf",
        **CASE_COLUMNS,
    )
    project.put_copy(case_files / "MAN-07_duplicate_ids.csv", "m.csv")
    project.put_pdf("a.pdf", *"123")
    project.put_pdf("b.pdf", *"123456789")
    done = project.ingest()
    assert {row["place"] for row in done.refusals} == {"row 2", "row 3"}
    assert all("rows 2 and 3" in row["detail"] for row in done.refusals)
    assert [row["place"] for row in done.warnings] == ["rows 4 and 5"]
    assert "entity 'beta'" in done.warnings[0]["detail"]
    assert {unit["declared_id"] for unit in done.units} == {None, "p2", "p3"}


def test_man_08_nothing_at_all_gives_typed_empty_tables(project: Any, case_files: Path) -> None:
    project.declare(metadata="m.csv", facets=CASE_FACETS, documents="*.pdf", **CASE_COLUMNS)
    project.put_copy(case_files / "MAN-08_header_only.csv", "m.csv")
    done = project.ingest()
    assert done.read.n_rows == done.described.n_rows == 0
    assert done.arrived.n_rows == done.arrived.tables["corpus.batch"].height == 1  # an empty snapshot is one, too
    assert done.units == []
    project.put("bad.pdf", b"%PDF-1.4 cut off")
    partly = project.ingest()
    assert [row["reason"] for row in partly.refusals] == ["damaged file"]
    assert partly.units == []
    project.put("m.csv", "")
    with pytest.raises(TableError, match=r"m\.csv has zero bytes"):
        project.arrive()


@pytest.mark.parametrize(
    ("body", "level"),
    [
        ("a,public\n", "public"),
        ("a,\n", "internal"),
        ("", "internal"),
        ("a,secret\n", "restricted"),
        ("a,public\na,internal\n", "restricted"),
        ("a,public\nb,public\n", "public"),
        ("a\n", "restricted"),
        ("b,public\n", "restricted"),
    ],
)
def test_refusing_a_row_never_opens_a_document(project: Any, body: str, level: str) -> None:
    project.put_pdf("corpus/a.pdf")
    project.put("m.csv", "id,access\n" + body)
    project.declare(metadata="m.csv", id="id", access={"column": "access"})
    assert {row["access"] for row in project.documents().values()} == {level}


def test_an_unknown_level_says_so_in_its_row(project: Any) -> None:
    project.put_pdf("corpus/a.pdf")
    project.put("m.csv", "id,access\na,secret\n")
    project.declare(metadata="m.csv", id="id", access={"column": "access"})
    row = project.arrive().tables["corpus.quarantine"].row(0, named=True)
    assert (row["place"], row["reason"]) == ("row 2", "unknown access level")
    assert "takes the most restricted level" in row["detail"]


def test_a_facet_of_an_unknown_column_is_an_error_that_lists_the_known(project: Any) -> None:
    project.put("m.csv", "id,company\na,A\n")
    project.declare(metadata="m.csv", id="id", facets={"entity": {"column": "entity"}})
    with pytest.raises(ConfigError, match="no metadata table has a column 'entity'; columns: company, id"):
        project.arrive()


def test_an_id_that_is_another_files_path_is_not_given_twice(project: Any) -> None:
    project.put_pdf("corpus/a.pdf", "a")
    project.put_pdf("corpus/b.pdf", "b")
    project.put("m.csv", "id,file\ncorpus/b.pdf,corpus/a.pdf\n")
    project.declare(metadata="m.csv", id="id", path="file")
    output = project.arrive()
    assert output.tables["corpus.document"]["source_path"].to_list() == ["corpus/a.pdf"]
    assert output.tables["corpus.quarantine"]["reason"].to_list() == ["id is taken"]


def places_that_stand(project: Any, outputs: list[StageOutput], documents: pl.DataFrame, batch_id: str) -> list[str]:
    """Places of the refusals of several nights that hold in the last of them."""
    quarantine = pl.concat(output.tables["corpus.quarantine"] for output in outputs).unique()
    found = standing_refusals(
        quarantine=quarantine,
        documents=documents,
        in_force=[arrivals_id_of(batch_id, project.config)],
        home=project.home,
    )
    return found.filter(~pl.col("is_warning"))["place"].to_list()


def test_a_row_is_no_longer_refused_once_its_document_arrived_and_the_others_still_are(project: Any) -> None:
    project.put_pdf("corpus/a.pdf")
    project.put("m.csv", "id\na\nb\nc\n")
    project.declare(metadata="m.csv", id="id")
    nights = [project.arrive()]
    (first,) = nights[0].tables["corpus.batch"]["batch_id"]
    documents = nights[0].tables["corpus.document"]
    assert places_that_stand(project, nights, documents, first) == ["row 3", "row 4"]
    nights.append(project.arrive(documents, (first, 1)))
    assert nights[1].tables["corpus.quarantine"].equals(nights[0].tables["corpus.quarantine"])  # no night, no rows
    project.put_pdf("corpus/b.pdf", "b")
    nights.append(project.arrive(documents, (first, 1)))
    (second,) = nights[2].tables["corpus.batch"]["batch_id"]
    documents = pl.concat([documents, nights[2].tables["corpus.document"].filter(document_id="b")])
    assert places_that_stand(project, nights, documents, second) == ["row 4"]


def test_a_file_beyond_a_limit_is_no_longer_refused_once_the_limit_is_raised(project: Any) -> None:
    project.put_pdf("corpus/a.pdf")
    project.declare(limits={"file_bytes": 10})
    nights = [project.arrive()]
    assert nights[0].tables["corpus.quarantine"]["reason"].to_list() == ["file too large"]
    project.declare(limits={"file_bytes": 1_000_000})
    nights.append(project.arrive())
    (batch_id,) = nights[1].tables["corpus.batch"]["batch_id"]
    assert places_that_stand(project, nights, nights[1].tables["corpus.document"], batch_id) == []


def test_a_file_of_unknown_format_is_refused_for_its_bytes_whatever_arrives(project: Any) -> None:
    project.put("corpus/a.pdf", "no pdf")
    first = project.arrive().tables["corpus.quarantine"]
    project.put_pdf("corpus/b.pdf")
    assert project.arrive(parent=("batch_x", 1)).tables["corpus.quarantine"].equals(first)
    assert first["found_under"].to_list() == [None]


def test_the_manifest_of_the_sample_names_every_document(project: Any, sample_dir: Path) -> None:
    project.put_copy(sample_dir / "manifest.parquet", "manifest.parquet")
    for name in ("MCDONALDS_2022Q4_EARNINGS", "FOOTLOCKER_2022_8K_dated-2022-05-20", "INTEL_2023_8K_dated-2023-08-16"):
        project.put_copy(sample_dir / "pdfs" / f"{name}.pdf", f"pdfs/{name}.pdf")
    project.declare(
        documents="pdfs/*.pdf",
        metadata="manifest.parquet",
        id="doc_id",
        path="file",
        facets={
            "entity": {"column": "entity", "parse": "entity"},
            "period": {"columns": ["fiscal_year", "fiscal_quarter"], "parse": "period"},
        },
    )
    done = project.ingest()
    assert len(done.arrived.tables["corpus.document"]) == 3
    by_document = {unit["document_id"]: (unit["facets"], unit["text_quality"]) for unit in done.units}
    assert by_document == {
        "MCDONALDS_2022Q4_EARNINGS": ({"entity": "mcdonalds", "period": "FY2022Q4"}, "garbled"),
        "FOOTLOCKER_2022_8K_dated-2022-05-20": ({"entity": "footlocker", "period": "FY2022"}, "good"),
    }
    assert len(done.units) == 13
    broken = [row for row in done.refusals if row["rendition_id"]]
    assert [(row["source_path"], row["reason"]) for row in broken] == [
        ("pdfs/INTEL_2023_8K_dated-2023-08-16.pdf", "damaged file")
    ]
    assert sum(row["reason"] == "no such document" for row in done.refusals) == 11


def test_a_glob_that_matches_nothing_any_more_does_not_empty_the_corpus(project: Any) -> None:
    project.declare(documents="*.pdf")
    project.put_pdf("a.pdf", "one")
    arrived = project.ingest().arrived
    assert arrived.tables["corpus.document"].height == 1
    project.declare(documents="nowhere/*.pdf")
    with pytest.raises(ConfigError, match=r"corpus\.documents: 'nowhere/\*\.pdf' matches no file, and 1 documents"):
        project.arrive(arrived.tables["corpus.document"], (arrived.tables["corpus.batch"].item(0, "batch_id"), 1))


def test_a_file_name_that_is_not_utf_8_is_refused_alone(project: Any) -> None:
    project.declare(documents="*.pdf")
    good = project.put_pdf("good.pdf", "one")
    Path(os.fsdecode(os.fsencode(good.parent) + b"/bad\xff.pdf")).write_bytes(good.read_bytes())
    done = project.ingest()
    assert [row["reason"] for row in done.refusals] == ["file name is not UTF-8"]
    assert done.refusals[0]["source_path"] == "bad\\xff.pdf"
    assert len(done.units) == 1
