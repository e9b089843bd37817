"""Find the units that a row of a question file names as evidence."""

import json
from collections import defaultdict
from pathlib import PurePosixPath
from typing import Any

import polars as pl


class UnitFinder:
    """Looks up documents and pages of the corpus by the names that people use.

    A document is named by its id, its path in the project folder, its file name or its file name without the ending;
    a name that two documents share finds neither.
    """

    def __init__(self, units: pl.DataFrame) -> None:
        self._documents: dict[str, set[str]] = defaultdict(set)
        self._pages: dict[tuple[str, int], str] = {}
        self._declared: dict[str, list[str]] = defaultdict(list)
        self._n_pages: dict[str, int] = defaultdict(int)
        columns = ("document_id", "source_path", "page_number", "unit_id", "declared_id")
        for document_id, source_path, page, unit_id, declared_id in units.sort("unit_id").select(columns).iter_rows():
            path = PurePosixPath(source_path)
            for name in (source_path, path.name, path.stem):
                self._documents[name].add(document_id)
            self._pages[document_id, page] = unit_id
            self._n_pages[document_id] += 1
            if declared_id is not None:
                self._declared[declared_id].append(unit_id)

    def document_id(self, name: str) -> str | None:
        """Id of the one document of this name; an id wins over a path."""
        if name in self._n_pages:
            return name
        found = self._documents.get(name, set())
        return next(iter(found)) if len(found) == 1 else None

    def unit_of_page(self, document_id: str, page_number: int) -> str | None:
        """Unit of a 1-based page, or None."""
        return self._pages.get((document_id, page_number))

    def units_of_declared_id(self, declared_id: str) -> list[str]:
        """Units to which the user gave this id, sorted."""
        return self._declared.get(declared_id, [])

    def n_pages(self, document_id: str) -> int:
        """Units in force of a document."""
        return self._n_pages.get(document_id, 0)


def parse_pages(given: Any) -> list[int] | None:
    """Page numbers from a list, a number, or text such as `37;39`, `37, 39` or `[37, 39]`; None if unreadable."""
    match given:
        case None:
            return []
        case list():
            parts = given
        case str() if given.strip().startswith("["):
            try:
                parts = json.loads(given)
            except json.JSONDecodeError:
                return None
        case str():
            parts = [part for part in given.replace(",", ";").split(";") if part.strip()]
        case _:
            parts = [given]
    try:
        numbers = [float(part) for part in parts]
    except (TypeError, ValueError):
        return None
    return [int(number) for number in numbers] if all(number.is_integer() for number in numbers) else None
