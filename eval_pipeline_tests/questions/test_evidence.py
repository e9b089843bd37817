"""Names of documents and pages as people write them."""

from typing import Any

import polars as pl
import pytest

from eval_pipeline.questions.evidence import UnitFinder, parse_pages

UNITS = pl.DataFrame(
    [
        ("u1", "doc-1", "corpus/a/report.pdf", 1, "p-1"),
        ("u2", "doc-1", "corpus/a/report.pdf", 2, None),
        ("u3", "corpus/b/report.pdf", "corpus/b/report.pdf", 1, "p-3"),
        ("u4", "notes", "corpus/notes.pdf", 1, "p-3"),
    ],
    schema={
        "unit_id": pl.String,
        "document_id": pl.String,
        "source_path": pl.String,
        "page_number": pl.Int64,
        "declared_id": pl.String,
    },
    orient="row",
)


def test_documents_by_id_path_or_unique_name() -> None:
    finder = UnitFinder(UNITS)
    assert finder.document_id("doc-1") == "doc-1"
    assert finder.document_id("corpus/a/report.pdf") == "doc-1"
    assert finder.document_id("notes.pdf") == finder.document_id("notes") == "notes"
    assert finder.document_id("report.pdf") is None
    assert finder.document_id("nowhere") is None


def test_pages_by_number_and_by_the_users_id() -> None:
    finder = UnitFinder(UNITS)
    assert finder.unit_of_page("doc-1", 2) == "u2"
    assert finder.unit_of_page("doc-1", 3) is None
    assert finder.n_pages("doc-1") == 2
    assert finder.units_of_declared_id("p-1") == ["u1"]
    assert finder.units_of_declared_id("p-3") == ["u3", "u4"]
    assert finder.units_of_declared_id("p-9") == []


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (None, []),
        ("", []),
        ([37, 39], [37, 39]),
        ("37;39", [37, 39]),
        ("37, 39", [37, 39]),
        ("[37, 39]", [37, 39]),
        (37, [37]),
        (37.0, [37]),
        ("37.5", None),
        ("front", None),
        ("[1", None),
        ([None], None),
    ],
)
def test_parse_pages(given: Any, expected: list[int] | None) -> None:
    assert parse_pages(given) == expected
