"""People's questions from CSV, Parquet or JSONL, with the evidence pages they name.

A row that cannot be used is listed in the quarantine by its line and kept out; the rest is taken.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import polars as pl

from eval_pipeline.foundation.config import ProjectConfig, QuestionImportConfig
from eval_pipeline.foundation.files import resolve_inside
from eval_pipeline.foundation.ids import canonical_json, content_id, hash_file
from eval_pipeline.foundation.outputs import StageOutput, merge_outputs
from eval_pipeline.foundation.tables.corpus import QUARANTINE
from eval_pipeline.foundation.tables.questions import IMPORTED_QUESTION, QUESTION, QUESTION_GOLD
from eval_pipeline.questions.evidence import UnitFinder, parse_pages
from eval_pipeline.questions.identity import question_id_of
from eval_pipeline.questions.question_files import read_question_file

CODE_VERSION = "2"


@dataclass(frozen=True, kw_only=True)
class _Refused:
    """One row that was kept out."""

    line: int
    reason: str
    detail: str
    next_step: str


@dataclass(kw_only=True)
class _Taken:
    """What one file gave."""

    questions: list[dict[str, Any]] = field(default_factory=list)
    gold: list[dict[str, Any]] = field(default_factory=list)
    refused: list[_Refused] = field(default_factory=list)
    n_unavailable: int = 0


def import_questions(*, home: Path, config: ProjectConfig, units: pl.DataFrame, batch_id: str) -> StageOutput:
    """Read every declared question file and look up its evidence among the units in force.

    Args:
        home: project folder.
        config: `questions.import` names files and columns.
        units: UNIT_IN_FORCE.
        batch_id: corpus snapshot of the units.

    Returns:
        `questions.question`, `questions.question_gold`, `questions.imported_question` and `corpus.quarantine`. A
        question that names no evidence has no gold rows; one whose evidence is not in the corpus is quarantined.

    Raises:
        TableError: a file is missing or unreadable, or lacks a declared column; names file and column.
    """
    finder = UnitFinder(units)
    outputs = [_import_file(home, declared, finder=finder, batch_id=batch_id) for declared in config.questions.imports]
    empty = StageOutput(
        tables={table.name: table.empty() for table in (QUESTION, QUESTION_GOLD, IMPORTED_QUESTION, QUARANTINE)}
    )
    return merge_outputs(empty, *outputs)


def source_ids(*, home: Path, config: ProjectConfig) -> list[str]:
    """Ids of the declared question files as they are now: what `questions.imported_question` is keyed by."""
    declared = config.questions.imports
    return [_source_id(hash_file(resolve_inside(home, item.path)), item) for item in declared]


def lookup_ids(*, home: Path, config: ProjectConfig, batch_id: str | None) -> list[str]:
    """Ids under which rows of the declared question files are refused now: see `corpus.quarantine.found_under`.

    A file that is gone has none: what was refused in it no longer holds.
    """
    declared = [(item, resolve_inside(home, item.path)) for item in config.questions.imports]
    return [_lookup_id(_source_id(hash_file(path), item), batch_id) for item, path in declared if path.is_file()]


def _lookup_id(source_id: str, batch_id: str | None) -> str:
    return content_id("look", [source_id, batch_id, CODE_VERSION])


def _source_id(content_hash: str, declared: QuestionImportConfig) -> str:
    return content_id("src", [content_hash, declared.model_dump(mode="json")])


def _import_file(home: Path, declared: QuestionImportConfig, *, finder: UnitFinder, batch_id: str) -> StageOutput:
    path = resolve_inside(home, declared.path)
    rows = read_question_file(path, declared)
    content_hash = hash_file(path)
    source_id = _source_id(content_hash, declared)
    taken = _take_rows(rows, declared, finder)
    imported = [
        {"source_id": source_id, "batch_id": batch_id, "question_id": row["question_id"], "kind": "import"}
        for row in taken.questions
    ]
    found_under = _lookup_id(source_id, batch_id)
    quarantined = [_to_quarantine(item, declared.path, content_hash, found_under) for item in taken.refused]
    return StageOutput(
        tables={
            QUESTION.name: QUESTION.frame(taken.questions),
            QUESTION_GOLD.name: QUESTION_GOLD.frame(taken.gold),
            IMPORTED_QUESTION.name: IMPORTED_QUESTION.frame(imported),
            QUARANTINE.name: QUARANTINE.frame(quarantined),
        },
        inputs=(source_id, batch_id),
        summary={
            "n_rows": len(rows),
            "n_imported": len(taken.questions),
            "n_unavailable": taken.n_unavailable,
            "n_refused": len(taken.refused),
        },
    )


def _take_rows(
    rows: Sequence[tuple[int, Mapping[str, Any]]], declared: QuestionImportConfig, finder: UnitFinder
) -> _Taken:
    taken = _Taken()
    lines_of: dict[str, list[int]] = defaultdict(list)
    for line, row in rows:
        lines_of[_text_of(row, declared.id)].append(line)
    for line, row in rows:
        if declared.available is not None and _is_false(row[declared.available]):
            taken.n_unavailable += 1
            continue
        outcome = _take_row(line, row, declared=declared, finder=finder, lines_of=lines_of)
        if isinstance(outcome, _Refused):
            taken.refused.append(outcome)
            continue
        question, gold = outcome
        taken.questions.append(question)
        taken.gold.extend(
            {"question_id": question["question_id"], "position": position, "unit_id": unit_id}
            for position, unit_id in enumerate(gold, start=1)
        )
    return taken


def _take_row(
    line: int,
    row: Mapping[str, Any],
    *,
    declared: QuestionImportConfig,
    finder: UnitFinder,
    lines_of: Mapping[str, Sequence[int]],
) -> tuple[dict[str, Any], tuple[str, ...]] | _Refused:
    declared_id, text = _text_of(row, declared.id), _text_of(row, declared.text)
    if not declared_id:
        return _Refused(
            line=line, reason="no id", detail=f"column {declared.id} is empty", next_step="give the question an id"
        )
    if len(lines_of[declared_id]) > 1:
        where = " and ".join(str(number) for number in lines_of[declared_id])
        return _Refused(
            line=line,
            reason="duplicate id",
            detail=f"{declared.id} {declared_id!r} stands on lines {where}; none of them is taken",
            next_step="give each question an id of its own, or remove the copies",
        )
    if not text:
        return _Refused(
            line=line,
            reason="empty question",
            detail=f"{declared.id} {declared_id!r}: column {declared.text} is empty",
            next_step="write the question or remove the row",
        )
    found = _find_gold(row, declared, finder)
    if found.fault is not None:
        return _Refused(
            line=line,
            reason=found.fault,
            detail=f"{declared.id} {declared_id!r}: {found.detail}",
            next_step="correct the evidence, or add the document to the corpus; the question is kept out until then",
        )
    return _to_question(declared_id, text, _text_of(row, declared.answer), found.unit_ids, declared), found.unit_ids


@dataclass(frozen=True, kw_only=True)
class _Gold:
    """Evidence of one row: units, or a fault in words."""

    unit_ids: tuple[str, ...] = ()
    fault: str | None = None
    detail: str = ""


def _find_gold(row: Mapping[str, Any], declared: QuestionImportConfig, finder: UnitFinder) -> _Gold:
    if declared.page_id is not None:
        return _find_by_page_id(row[declared.page_id], finder)
    if declared.document is None or declared.pages is None:
        return _Gold()
    pages = parse_pages(row[declared.pages])
    if pages is None:
        detail = f"{declared.pages} is {row[declared.pages]!r}; whole numbers are expected"
        return _Gold(fault="unreadable pages", detail=detail)
    if not pages:
        return _Gold()
    return _find_by_pages(_text_of(row, declared.document), pages, declared=declared, finder=finder)


def _find_by_pages(document: str, pages: Sequence[int], *, declared: QuestionImportConfig, finder: UnitFinder) -> _Gold:
    document_id = finder.document_id(document) if document else None
    if document_id is None:
        detail = f"{declared.document} {document!r} is not in the corpus, or two documents share the name"
        return _Gold(fault="unknown document", detail=detail)
    found = [(page, finder.unit_of_page(document_id, page - declared.page_base + 1)) for page in pages]
    missing = [str(page) for page, unit_id in found if unit_id is None]
    if missing:
        counted = f"counted from {declared.page_base}"
        detail = (
            f"{document} has no page {', '.join(missing)} ({counted}) among its {finder.n_pages(document_id)} units"
        )
        return _Gold(fault="unknown page", detail=detail)
    return _Gold(unit_ids=tuple(dict.fromkeys(unit_id for _, unit_id in found if unit_id is not None)))


def _find_by_page_id(given: Any, finder: UnitFinder) -> _Gold:
    names = [str(name).strip() for name in (given if isinstance(given, list) else str(given or "").split(";"))]
    names = [name for name in names if name]
    found = [(name, finder.units_of_declared_id(name)) for name in names]
    if missing := [name for name, unit_ids in found if not unit_ids]:
        return _Gold(fault="unknown page", detail=f"no page of the corpus has the id {', '.join(missing)}")
    if doubled := [name for name, unit_ids in found if len(unit_ids) > 1]:
        return _Gold(fault="ambiguous page", detail=f"several pages of the corpus have the id {', '.join(doubled)}")
    return _Gold(unit_ids=tuple(dict.fromkeys(unit_ids[0] for _, unit_ids in found)))


def _to_question(
    declared_id: str, text: str, answer: str, gold: tuple[str, ...], declared: QuestionImportConfig
) -> dict[str, Any]:
    return {
        "question_id": question_id_of(
            text=text, gold=gold, writer=declared.path, declared_id=declared_id, answer=answer or None
        ),
        "text": text,
        "origin": "import",
        "writer": declared.path,
        "declared_id": declared_id,
        "expected_answer": answer or None,
        "named_axes": canonical_json([]),
        "query_form": "question text",
        "relation": "evidence",
    }


def _text_of(row: Mapping[str, Any], column: str | None) -> str:
    value = row[column] if column is not None else None
    return "" if value is None else str(value).strip()


def _is_false(value: Any) -> bool:
    """Only an explicit false is left out; a missing value is taken as available."""
    return value is not None and str(value).strip().lower() in ("false", "0", "no")


def _to_quarantine(item: _Refused, path: str, content_hash: str, found_under: str) -> dict[str, Any]:
    place = f"line {item.line}"
    return {
        "quarantine_id": content_id("qr", [path, place, item.reason, item.detail, content_hash, found_under]),
        "source_path": path,
        "place": place,
        "reason": item.reason,
        "detail": item.detail,
        "next_step": item.next_step,
        "content_hash": content_hash,
        "found_under": found_under,
        "is_warning": False,
    }
