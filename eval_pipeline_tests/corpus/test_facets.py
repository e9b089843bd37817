import json
from typing import Any

import pytest

COLUMNS = {"metadata": "m.csv", "path": "file", "page": "page", "page_id": "pid", "documents": "*.pdf"}


def test_raw_values_are_kept_and_what_cannot_be_parsed_is_listed(project: Any) -> None:
    project.put_pdf("a.pdf", "one", "two")
    project.put("m.csv", "file,page,pid,period\na.pdf,1,x,FY24 Q3\na.pdf,2,y,lately\n")
    project.declare(**COLUMNS, facets={"period": {"column": "period", "parse": "period"}})
    done = project.ingest()
    first, second = done.units
    assert (first["facets"], json.loads(first["facets_raw"])) == ({"period": "FY2024Q3"}, {"period": "FY24 Q3"})
    assert (second["facets"], json.loads(second["unparsed"])) == ({}, {"period": "lately"})
    assert json.loads(second["facets_raw"]) == {"period": "lately"}
    warning = next(row for row in done.warnings if row["reason"] == "facet not parsed")
    assert (warning["place"], warning["source_path"]) == ("period of page 2", "a.pdf")
    assert "'lately' (m.csv, row 3) is not understood as a period" in warning["detail"]
    assert done.described.summary["units with an unparsed facet"] == 1


def test_an_unparsed_value_is_listed_with_every_row_that_holds_it_and_from_patterns_too(project: Any) -> None:
    project.put_pdf("a.pdf", "Visit two", "Visit 2", "Visit three")
    project.put("m.csv", "file,page,dose\na.pdf,1,1\na.pdf,2,a lot\na.pdf,3,a lot\n")
    project.declare(
        metadata="m.csv",
        path="file",
        page="page",
        documents="*.pdf",
        facets={
            "dose": {"column": "dose", "parse": "number"},
            "visit": {"pattern": {"text": r"Visit (\w+)"}, "parse": "number"},
        },
    )
    done = project.ingest()
    assert [unit["facets"] for unit in done.units] == [{"dose": "1"}, {"visit": "2"}, {}]
    listed = {row["place"]: row["detail"] for row in done.warnings if row["reason"] == "facet not parsed"}
    assert listed.keys() == {"dose of 2 pages", "visit of page 1", "visit of page 3"}
    assert listed["dose of 2 pages"].startswith("'a lot' (m.csv, rows 3, 4) is not understood as a number")
    assert listed["visit of page 1"].startswith("'two' is not understood as a number")


def test_patterns_read_legible_text_only(project: Any) -> None:
    project.put_pdf("q3_2024.pdf", "Revenue 12", "nothing here")
    project.declare(
        documents="*.pdf",
        facets={
            "metric": {"pattern": {"text": "^(?P<metric>Revenue|Capex)"}},
            "period": {"pattern": {"path": r"(q\d_\d{4})"}, "parse": "period"},
        },
    )
    assert [unit["facets"] for unit in project.ingest().units] == [
        {"metric": "revenue", "period": "2024Q3"},
        {"period": "2024Q3"},
    ]


def test_a_page_row_wins_over_a_document_row_and_fills_in_from_it(project: Any) -> None:
    project.put_pdf("a.pdf", "one", "two")
    project.put("docs.csv", "doc,file,entity,metric\nd,a.pdf,Acme,Revenue\n")
    project.put("pages.csv", "doc,page,metric\nd,2,Capex\n")
    project.declare(
        documents="*.pdf",
        metadata=["docs.csv", "pages.csv"],
        id="doc",
        path="file",
        page="page",
        facets={"entity": {"column": "entity"}, "metric": {"column": "metric"}},
    )
    assert [unit["facets"] for unit in project.ingest().units] == [
        {"entity": "acme", "metric": "revenue"},
        {"entity": "acme", "metric": "capex"},
    ]


@pytest.mark.parametrize(
    ("rows", "levels"),
    [
        ("a.pdf,1,x,public\na.pdf,2,y,restricted\n", ["public", "restricted"]),
        ("a.pdf,1,x,public\n", ["public", "internal"]),
        ("a.pdf,1,x,public\na.pdf,2,y,\n", ["public", "internal"]),
        ("a.pdf,1,x,public\na.pdf,2,y,secret\n", ["public", "restricted"]),
        ("a.pdf,1,x,internal\nbroken\n", ["internal", "restricted"]),
    ],
)
def test_access_comes_from_the_page_else_from_the_document(project: Any, rows: str, levels: list[str]) -> None:
    project.put_pdf("a.pdf", "one", "two")
    project.put("m.csv", "file,page,pid,access\n" + rows)
    project.declare(**COLUMNS, access={"column": "access"})
    assert [unit["access"] for unit in project.ingest().units] == levels


def test_groups_are_carried(project: Any) -> None:
    project.put_pdf("a.pdf", "one", "two")
    project.put("m.csv", "file,page,pid,groups\na.pdf,1,x,legal;finance\n")
    project.declare(**COLUMNS, access={"group_column": "groups", "groups": ["finance", "legal"]})
    assert [json.loads(unit["access_groups"]) for unit in project.ingest().units] == [["finance", "legal"]] * 2


@pytest.mark.parametrize("page", ["0", "3", "-1", "1.0", "one", ""])
def test_a_page_that_is_not_there_is_refused_by_row(project: Any, page: str) -> None:
    project.put_pdf("a.pdf", "one", "two")
    project.put("m.csv", f"file,page,pid\na.pdf,{page},x\n")
    project.declare(**COLUMNS)
    done = project.ingest()
    assert [(row["source_path"], row["place"], row["reason"]) for row in done.refusals] == [
        ("m.csv", "row 2", "no such page")
    ]
    assert [unit["declared_id"] for unit in done.units] == [None, None]
    versions = done.arrived.tables["corpus.document"]["document_version_id"].to_list()
    assert [row["found_under"] for row in done.refusals] == versions  # a mended table makes another version


def test_describing_again_gives_equal_rows(project: Any) -> None:
    project.put_pdf("a.pdf", "one", "two")
    project.put("m.csv", "file,page,pid\na.pdf,1,x\na.pdf,7,y\n")
    project.declare(**COLUMNS)
    first, second = project.ingest(), project.ingest()
    for name, frame in first.described.tables.items():
        assert frame.equals(second.described.tables[name])
