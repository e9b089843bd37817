"""What is new in the corpus: documents that arrived, changed or went, each with its metadata rows."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl

from eval_pipeline.corpus.access import Access, AccessRules
from eval_pipeline.corpus.declared_facets import check_facets, settings_of
from eval_pipeline.corpus.described import LINE_KEY, Described
from eval_pipeline.corpus.intake import DocumentFile, take_files
from eval_pipeline.corpus.metadata import Metadata, read_metadata
from eval_pipeline.corpus.raw_json import spell_json
from eval_pipeline.corpus.refusals import Refusal, to_quarantine
from eval_pipeline.corpus.same_facets import find_same_facets
from eval_pipeline.foundation.config import ProjectConfig
from eval_pipeline.foundation.errors import ConfigError
from eval_pipeline.foundation.ids import bucket_of, content_id
from eval_pipeline.foundation.outputs import StageOutput
from eval_pipeline.foundation.tables.corpus import BATCH, DOCUMENT

CODE_VERSION = "1"
"""Raised when the same files may give other documents."""

Row = dict[str, Any]


def take_arrivals(
    *, home: Path, config: ProjectConfig, in_force: pl.DataFrame, parent: tuple[str, int] | None, code_version: str
) -> StageOutput:
    """Compare the files and tables in the project folder with the documents in force.

    Args:
        home: the project folder.
        config: where files and tables are, and how facets are found.
        in_force: rows of `corpus.document` in force; removed ones may be among them.
        parent: batch id and sequence of the last batch; None before the first.
        code_version: version of the code that draws pages (`corpus.pages.CODE_VERSION`); part of each rendition id.

    Returns:
        corpus.batch (one row, or none where nothing changed; the first one is there even without a document, so that
        what follows rests on an empty corpus and not on none), corpus.document (new, changed and removed ones) and
        corpus.quarantine (everything that is refused now, whether or not it was refused before: equal rows are equal).
        What is refused for more than its bytes names the arrivals it was `found_under`, see `arrivals_id_of`.

    Raises:
        TableError: a metadata table cannot be used as a whole; taking the corpus without it would change every
            document.
        ConfigError: a facet names a column that no table has, the glob is wrong, or it matches nothing any more.
    """
    files, refusals = take_files(home=home, config=config.corpus)
    metadata = read_metadata(home=home, config=config.corpus, paths=files)
    check_facets(config=config, columns=metadata.columns if metadata.tables else None, home=home)
    settings = {
        "render": _render_settings(config, code_version),
        "describe": settings_of(config=config, home=home),
    }
    now, clashes = _to_documents(files, metadata, config, settings)
    kept = in_force.select(list(DOCUMENT.schema)).filter(pl.col("change") != "removed")
    before = {row["document_id"]: row for row in kept.to_dicts()}
    if before and not files and not refusals:
        raise _nothing_matches(config, len(before))
    changes = _compare(before, now)
    batch, documents = _to_batch(changes, parent)
    warnings = find_same_facets(config=config, metadata=metadata, home=home)
    head = batch.item(0, "batch_id") if batch.height else parent and parent[0]
    found_under = arrivals_id_of(head, config)
    found = [*refusals, *metadata.refusals, *clashes, *warnings]
    quarantine = to_quarantine(
        item if _is_decided_by_bytes(item) else replace(item, found_under=found_under) for item in found
    )
    return StageOutput(
        tables={BATCH.name: batch, DOCUMENT.name: documents, "corpus.quarantine": quarantine},
        inputs=tuple(
            sorted({file.content_hash for file in files.values()} | {t.content_hash for t in metadata.tables})
        ),
        summary={
            "documents": len(now),
            **{change: sum(row["change"] == change for row in changes) for change in ("new", "changed", "removed")},
            "quarantined": quarantine.filter(~pl.col("is_warning")).height,
        },
    )


def arrivals_id_of(batch_id: str | None, config: ProjectConfig) -> str:
    """Id of a corpus snapshot (None before the first) and of how documents and tables are declared."""
    return content_id("arrv", [batch_id, config.corpus.model_dump(mode="json"), CODE_VERSION])


def _is_decided_by_bytes(refusal: Refusal) -> bool:
    """Whether a file as a whole was opened and refused: nothing but other bytes would change that."""
    return refusal.content_hash is not None and not refusal.place


def _render_settings(config: ProjectConfig, code_version: str) -> dict[str, str | int | float]:
    limits = config.corpus.limits
    return {
        "code_version": code_version,
        "dpi": config.corpus.resolution_dpi,
        "page_pixels": limits.page_pixels,
        "image_pixels": limits.image_pixels,
        "page_seconds": limits.page_seconds,
    }


def _to_documents(
    files: Mapping[str, DocumentFile], metadata: Metadata, config: ProjectConfig, settings: Mapping[str, Any]
) -> tuple[dict[str, Row], list[Refusal]]:
    """Document rows by id, without batch and change; and refusals of ids that clash with another file's path."""
    documents: dict[str, Row] = {}
    refusals = []
    rules = AccessRules(config.corpus.access)
    declared = {path: about for path, about in metadata.by_path.items() if about.document_id is not None}
    ids = {about.document_id: path for path, about in declared.items()}
    for relative, file in sorted(files.items()):
        about = metadata.by_path.get(relative, Described())
        document_id = about.document_id or relative
        if about.document_id is None and document_id in ids:
            detail = f"its path is the declared id of {ids[document_id]}"
            step = "give this file an id of its own in the metadata table"
            refusals.append(Refusal(source_path=relative, reason="id is taken", detail=detail, next_step=step))
            continue
        access = _access_of(about, rules, has_strays=metadata.has_stray_refusals, config=config)
        documents[document_id] = _to_row(document_id, file, about, access, settings)
    return documents, refusals


def _access_of(about: Described, rules: AccessRules, *, has_strays: bool, config: ProjectConfig) -> Access:
    """Access of a document as a whole.

    Where a row of it was refused, or a refused row could be one of it, it takes the most restricted level: refusing a
    row never opens a document. Where rows are about pages, the default takes part, for the pages that no row names.
    """
    given = [row.access for row in about.rows if row.access] + about.refused_access
    if any(row.page_column for row in about.rows):
        given.append(rules.read({}))
    combined = rules.combine(given)
    declared = config.corpus.access.column is not None or config.corpus.access.group_column is not None
    is_open_ended = not about.rows or any(row.page_column for row in about.rows)
    if about.is_refused or (has_strays and is_open_ended):
        return Access(level=rules.most_restricted if declared else combined.level, groups=combined.groups)
    return combined


def _to_row(document_id: str, file: DocumentFile, about: Described, access: Access, settings: Mapping[str, Any]) -> Row:
    objects = [row.to_object() for row in about.rows]
    plain = [spell_json({key: value for key, value in row.items() if key != LINE_KEY}) for row in objects]
    version = [document_id, file.content_hash, sorted(plain), access.level, list(access.groups), settings["describe"]]
    return {
        "document_id": document_id,
        "document_version_id": content_id("docv", [file.relative, *version]),
        "rendition_id": content_id("rend", [document_id, file.content_hash, file.media_type, settings["render"]]),
        "content_hash": file.content_hash,
        "source_path": file.relative,
        "media_type": file.media_type,
        "size_bytes": file.size_bytes,
        "metadata": spell_json(objects),
        "access": access.level,
        "access_groups": spell_json(access.groups),
        "bucket": bucket_of(document_id),
    }


def _compare(before: Mapping[str, Row], now: Mapping[str, Row]) -> list[Row]:
    keys = ("document_version_id", "rendition_id", "source_path", "access", "access_groups")
    changes = []
    for document_id in sorted({*before, *now}):
        old, new = before.get(document_id), now.get(document_id)
        if new is None:
            changes.append({**before[document_id], "change": "removed"})
        elif old is None or any(old[key] != new[key] for key in keys):
            changes.append({**new, "change": "changed" if old else "new"})
    return changes


def _nothing_matches(config: ProjectConfig, n_documents: int) -> ConfigError:
    message = (
        f"eval.yaml: corpus.documents: {config.corpus.documents!r} matches no file, and {n_documents} documents are in "
        "force; correct the glob (a corpus is emptied by starting a new project folder)"
    )
    return ConfigError(message, path="eval.yaml", key="corpus.documents")


def _to_batch(changes: Sequence[Row], parent: tuple[str, int] | None) -> tuple[pl.DataFrame, pl.DataFrame]:
    if not changes and parent is not None:
        return BATCH.empty(), DOCUMENT.empty()
    parent_id, sequence = (None, 0) if parent is None else parent
    states = [[row["document_id"], row["change"], row["document_version_id"], row["rendition_id"]] for row in changes]
    batch_id = content_id("batch", [parent_id, states])
    stamped = [{**row, "batch_id": batch_id, "sequence": sequence + 1} for row in changes]
    batch = {
        "batch_id": batch_id,
        "parent_batch_id": parent_id,
        "sequence": sequence + 1,
        "n_new": _count(changes, "new"),
        "n_changed": _count(changes, "changed"),
        "n_removed": _count(changes, "removed"),
    }
    return BATCH.frame([batch]), DOCUMENT.frame(stamped)


def _count(changes: Iterable[Row], change: str) -> int:
    return sum(row["change"] == change for row in changes)
