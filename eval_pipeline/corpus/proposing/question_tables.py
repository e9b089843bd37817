"""People's questions: which columns hold the question, its evidence and its answer."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from eval_pipeline.corpus.proposing.page_base import NamedPage, PageBase, find_page_base, pages_to_read
from eval_pipeline.corpus.proposing.page_reading import read_texts
from eval_pipeline.corpus.proposing.table_roles import AskingTable, PassageTable
from eval_pipeline.foundation.config import QuestionImportConfig

READABLE = (".csv", ".parquet", ".jsonl")
MAX_CHECKED = 60
"""Named pages that are read to tell how pages are counted."""
_ID = r"(question|query)[ _-]?(id|no|number|key)|qid|id"
_ANSWER = r"((expected|gold|reference)[ _-]?)?answer([ _-]?text)?"
_PAGES = r"((gold|evidence|source|relevant)[ _-]?)?pages?([ _-]?(no|nr|num|number|numbers|index))?"
_AVAILABLE = r"((doc|document|is|evidence)[ _-]?)?available"


@dataclass(frozen=True, kw_only=True)
class ProposedQuestions:
    """A file of questions and how it would be imported.

    Attributes:
        path: of the table.
        config: the entry of `questions.import`; None where it cannot be imported.
        n_rows: rows of the table.
        n_with_evidence: rows that name a document of the folder and a page.
        told: how pages are counted and why, or why it cannot be imported.
        is_sure: whether nothing had to be assumed.
    """

    path: str
    config: QuestionImportConfig | None
    n_rows: int
    n_with_evidence: int
    told: str
    is_sure: bool


def propose_questions(
    *, asking: AskingTable, passages: Sequence[PassageTable], home: Path, n_pages: Mapping[str, int]
) -> ProposedQuestions:
    """Recognise the columns of a question file.

    Args:
        asking: the table.
        passages: quoted evidence, which tells how pages are counted better than questions do.
        home: the folder.
        n_pages: pages by document.
    """
    table = asking.table
    ids = _named(table.columns, _ID)
    suffix = PurePosixPath(table.path).suffix.lower()
    if suffix not in READABLE:
        return _refuse(asking, f"question files end in {', '.join(READABLE)}; write it as one of these")
    if ids is None:
        return _refuse(asking, "no column holds an id of the question; add a column question_id")
    pages = _named(table.columns, _PAGES) if asking.columns is not None else None
    document = _document_column(asking) if pages else None
    named = _named_pages(asking, pages) if pages and document else []
    base = _base_of([one for _, one in named], _quoted_pages(passages), home, n_pages) if named else None
    config = QuestionImportConfig(
        path=table.path,
        id=ids,
        text=asking.text,
        answer=_named(table.columns, _ANSWER),
        document=document,
        pages=pages if document else None,
        page_base=base.base if base else 1,
        available=_named(table.columns, _AVAILABLE),
    )
    told = f"pages counted from {base.base}: {base.reason}" if base else "no row names evidence pages"
    return ProposedQuestions(
        path=table.path,
        config=config,
        n_rows=len(table.rows),
        n_with_evidence=len({one[0] for one in named}),
        told=told,
        is_sure=base is None or base.is_sure,
    )


def _refuse(asking: AskingTable, reason: str) -> ProposedQuestions:
    path, n_rows = asking.table.path, len(asking.table.rows)
    return ProposedQuestions(path=path, config=None, n_rows=n_rows, n_with_evidence=0, told=reason, is_sure=False)


def _named(columns: Sequence[str], names: str) -> str | None:
    return next((column for column in columns if re.fullmatch(names, column.strip(), re.IGNORECASE)), None)


def _document_column(asking: AskingTable) -> str | None:
    assert asking.columns is not None
    return asking.columns.id or asking.columns.path


def _named_pages(asking: AskingTable, pages: str) -> list[tuple[int, NamedPage]]:
    """Pages that rows name, each with its row."""
    assert asking.columns is not None
    answer = _named(asking.table.columns, _ANSWER) or ""
    found = []
    for place, (row, document) in enumerate(zip(asking.table.rows, asking.columns.documents, strict=True)):
        words = f"{row.values.get(asking.text, '')} {row.values.get(answer, '')}"
        numbers = re.findall(r"\d+", row.values.get(pages, "")) if document else []
        found += [(place, NamedPage(document=document or "", page=int(one), words=words)) for one in numbers]
    return found


def _quoted_pages(passages: Sequence[PassageTable]) -> list[NamedPage]:
    found = []
    for one in passages:
        for row, document in zip(one.table.rows, one.columns.documents, strict=True):
            page = row.values.get(one.columns.page or "", "").strip()
            if document is not None and page.isascii() and page.isdigit():
                found.append(NamedPage(document=document, page=int(page), words=row.values.get(one.text, "")))
    return found


def _base_of(
    named: Sequence[NamedPage], quoted: Sequence[NamedPage], home: Path, n_pages: Mapping[str, int]
) -> PageBase:
    """By the numbers alone, else by the quoted passages, else by the words of the questions."""
    base: PageBase | None = None
    for pages in (quoted, named):
        there = [one for one in pages if one.document in n_pages]
        texts = read_texts(home=home, wanted=pages_to_read(there[:MAX_CHECKED]))
        base = find_page_base(named=there, n_pages=n_pages, texts=texts)
        if base.is_sure:
            return base
    assert base is not None
    return base
