"""Which column of a table names the document a row is about, and which its page."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from eval_pipeline.corpus.matching import Fault, FileNames
from eval_pipeline.corpus.proposing.folder import Folder
from eval_pipeline.corpus.tables import TextTable

N_LOOKED_AT = 2000
"""Distinct values of a column among which one has to name a document before the whole column is looked up."""
MIN_SHARE = 0.5
"""A column names documents where this share of its rows do, or where this share of the documents is named: a list of
everything that was ever filed describes the few documents that are here."""
_ID = re.compile(r"(^|[_\W])(id|key)$|^(doc|document|file)[ _-]?(id|no|number)$", re.IGNORECASE)
_PAGE = re.compile(r"^page([ _-]?(no|nr|num|number|index))?$", re.IGNORECASE)
_PAGE_ID = re.compile(r"^(page|unit)[ _-]?(id|uid|key)$", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True)
class DocumentColumns:
    """How the rows of a table name documents.

    Attributes:
        id: column of an id: it is a path, a file name or a file name without ending, or one value per file beside
            `path`; None without one.
        path: column of a path relative to the table or to the folder; None without one.
        page: column of page numbers, where the table has several rows a document.
        page_base: number of the first page in it: 0 where a row says 0.
        page_id: column of the user's own ids of pages.
        documents: the document of each row, None where none is found; as many as the table has rows.
    """

    id: str | None
    path: str | None
    page: str | None
    page_base: int
    page_id: str | None
    documents: tuple[str | None, ...]

    @property
    def n_named(self) -> int:
        """Rows that name a document of the folder."""
        return sum(document is not None for document in self.documents)


def find_document_columns(*, table: TextTable, folder: Folder) -> DocumentColumns | None:
    """Recognise the columns by looking their values up among the file names; None where no column names documents.

    Args:
        table: as read.
        folder: the documents there are.
    """
    files = FileNames(home=folder.home, paths=folder.documents)
    known = _Names(files=files, beside=table.path, n_documents=len(folder.documents))
    found = {column: known.look_up(_values(table, column)) for column in table.columns}
    hits = {column: documents for column, documents in found.items() if documents is not None}
    if not hits:
        return None
    paths = {column: documents for column, documents in hits.items() if _holds_paths(table, column, folder)}
    path = _best(paths)
    named = _best({column: documents for column, documents in hits.items() if column not in paths})
    documents = hits[path or named or ""]
    declared = named or (_id_beside(table, documents) if path else None)
    page = _page_column(table, documents)
    return DocumentColumns(
        id=declared,
        path=path,
        page=page,
        page_base=0 if page and "0" in {value.strip() for value in _values(table, page)} else 1,
        page_id=_page_id_column(table) if page else None,
        documents=documents,
    )


def _values(table: TextTable, column: str) -> list[str]:
    return [row.values.get(column, "") for row in table.rows]


@dataclass(frozen=True, kw_only=True)
class _Names:
    files: FileNames
    beside: str
    n_documents: int

    def look_up(self, values: Sequence[str]) -> tuple[str | None, ...] | None:
        """The document of each value; None where too few values name one."""
        distinct = list(dict.fromkeys(value for value in values if value))
        if all(self._find(value) is None for value in distinct[:N_LOOKED_AT]):
            return None
        document_of = {value: self._find(value) for value in distinct}
        found = tuple(document_of.get(value) for value in values)
        named = [one for one in found if one is not None]
        is_enough = len(named) >= MIN_SHARE * len(found) or len(set(named)) >= MIN_SHARE * self.n_documents
        return found if is_enough else None

    def _find(self, value: str) -> str | None:
        if "\0" in value or len(value) > 1000:
            return None
        found = self.files.find_id(value, beside=self.beside)
        return None if isinstance(found, Fault) else found


def _holds_paths(table: TextTable, column: str, folder: Folder) -> bool:
    """Whether the values have endings, as paths do; an id without one is looked up by the file's name."""
    endings = tuple(f".{ending}" for ending in folder.endings)
    values = [value for value in _values(table, column) if value]
    with_ending = sum(value.lower().endswith(endings) for value in values)
    files = FileNames(home=folder.home, paths=folder.documents)
    is_found = any(not isinstance(files.find_path(value, beside=table.path), Fault) for value in values[:N_LOOKED_AT])
    return is_found and with_ending > MIN_SHARE * len(values)


def _best(found: dict[str, tuple[str | None, ...]]) -> str | None:
    """The column that names most documents; of equals the first."""
    ranked = sorted(found, key=lambda column: -sum(one is not None for one in found[column]))
    return ranked[0] if ranked else None


def _id_beside(table: TextTable, documents: Sequence[str | None]) -> str | None:
    """A column named like an id that is never empty and has one value per file and one file per value."""
    for column in table.columns:
        values = _values(table, column)
        if not _ID.search(column) or _PAGE_ID.match(column) or not all(values):
            continue
        pairs = {(value, one) for value, one in zip(values, documents, strict=True) if one is not None}
        if pairs and len(pairs) == len({value for value, _ in pairs}) == len({one for _, one in pairs}):
            return column
    return None


def _page_column(table: TextTable, documents: Sequence[str | None]) -> str | None:
    """A column named like a page that holds whole numbers."""
    for column in table.columns:
        values = [value.strip() for value in _values(table, column)]
        given = [value for value in values if value]
        is_whole = sum(value.isascii() and value.isdigit() for value in given) >= MIN_SHARE * len(values)
        if _PAGE.match(column) and given and is_whole:
            return column
    return None


def _page_id_column(table: TextTable) -> str | None:
    for column in table.columns:
        values = [value for value in _values(table, column) if value]
        if _PAGE_ID.match(column) and len(values) == len(set(values)) > 0:
            return column
    return None
