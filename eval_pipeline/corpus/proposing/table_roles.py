"""What each table of a folder is about: documents, people's questions, synonyms, or something else."""

import re
from collections import Counter
from dataclasses import dataclass

from eval_pipeline.corpus.proposing.document_columns import DocumentColumns, find_document_columns
from eval_pipeline.corpus.proposing.folder import Folder
from eval_pipeline.corpus.tables import TextTable

MAX_REPEATED_SHARE = 0.1
"""Share of rows that may name a document (and page) that another row names; above it the table lists something else."""
MIN_PASSAGE = 100
"""Mean length of a text, in characters, from which on it is a passage."""
_QUESTION = re.compile(r"^(question|query)([ _-]?text)?$", re.IGNORECASE)
_ABOUT_QUESTIONS = re.compile(r"^(question|query)", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True)
class DescribingTable:
    """A table whose rows say something of documents or pages.

    Attributes:
        table: as read.
        columns: how its rows name documents.
    """

    table: TextTable
    columns: DocumentColumns


@dataclass(frozen=True, kw_only=True)
class AskingTable:
    """A table of people's questions.

    Attributes:
        table: as read.
        text: column with the question.
        columns: how its rows name documents; None where they name none.
    """

    table: TextTable
    text: str
    columns: DocumentColumns | None


@dataclass(frozen=True, kw_only=True)
class PassageTable:
    """A table of passages that stand on named pages, as evidence of questions.

    Attributes:
        table: as read.
        text: column with the passage.
        columns: how its rows name documents and pages.
    """

    table: TextTable
    text: str
    columns: DocumentColumns


@dataclass(frozen=True, kw_only=True)
class TableRoles:
    """Tables by what they are about.

    Attributes:
        metadata: tables that can be declared together: they share the column that names documents. Best first.
        questions: tables with a column `question` or `query`.
        passages: tables about questions that quote the evidence; read to tell how pages are counted, not declared.
        synonyms: tables with the columns `name` and `synonym`.
        unused: the others, with the reason in words.
    """

    metadata: tuple[DescribingTable, ...]
    questions: tuple[AskingTable, ...]
    passages: tuple[PassageTable, ...]
    synonyms: tuple[TextTable, ...]
    unused: tuple[tuple[str, str], ...]


def sort_tables(folder: Folder) -> TableRoles:
    """Tell the tables of a folder apart."""
    describing: list[DescribingTable] = []
    questions, passages, synonyms, unused = [], [], [], []
    for table in folder.tables:
        columns = find_document_columns(table=table, folder=folder)
        text = next((column for column in table.columns if _QUESTION.match(column)), None)
        if text is not None:
            questions.append(AskingTable(table=table, text=text, columns=columns))
        elif {"name", "synonym"} <= set(table.columns):
            synonyms.append(table)
        elif (reason := _why_unused(table, columns)) is not None:
            unused.append((table.path, reason))
            passages += _passages(table, columns)
        elif columns is not None:
            describing.append(DescribingTable(table=table, columns=columns))
    metadata, left = _agree(describing)
    return TableRoles(
        metadata=metadata,
        questions=tuple(questions),
        passages=tuple(passages),
        synonyms=tuple(synonyms),
        unused=(*unused, *left),
    )


def _why_unused(table: TextTable, columns: DocumentColumns | None) -> str | None:
    if columns is None:
        return "no column names documents of this folder"
    about = next((column for column in table.columns if _ABOUT_QUESTIONS.match(column)), None)
    if about is not None:
        return f"its rows are about questions (column {about})"
    if columns.page is None and _repeated_share(table, columns) > MAX_REPEATED_SHARE:
        return "several rows name the same document, and no column names a page"
    if columns.page is not None and _repeated_share(table, columns) > MAX_REPEATED_SHARE:
        return "several rows name the same page"
    return None


def _passages(table: TextTable, columns: DocumentColumns | None) -> list[PassageTable]:
    """The table with its column of long texts, where it names pages and has one."""
    if columns is None or columns.page is None:
        return []
    length = {
        name: sum(len(row.values.get(name, "")) for row in table.rows) / len(table.rows) for name in table.columns
    }
    longest = max(table.columns, key=lambda name: length[name])
    return [PassageTable(table=table, text=longest, columns=columns)] if length[longest] >= MIN_PASSAGE else []


def _repeated_share(table: TextTable, columns: DocumentColumns) -> float:
    """Share of rows whose document (and page) another row names as well."""
    named = [
        (document, row.values.get(columns.page, "") if columns.page else "")
        for document, row in zip(columns.documents, table.rows, strict=True)
        if document is not None
    ]
    times = Counter(named)
    return sum(times[one] > 1 for one in named) / max(1, len(named))


def _agree(describing: list[DescribingTable]) -> tuple[tuple[DescribingTable, ...], list[tuple[str, str]]]:
    """The table that names most documents, and those that share its columns."""
    ranked = sorted(describing, key=lambda one: (-len(set(one.columns.documents)), one.table.path))
    if not ranked:
        return (), []
    first = ranked[0]
    key = first.columns.id or first.columns.path
    agreeing = [one for one in ranked if key in one.table.columns]
    left = [
        (one.table.path, f"it has no column {key!r}, by which {first.table.path} names documents")
        for one in ranked
        if key not in one.table.columns
    ]
    return tuple(agreeing), left
