"""What is new in the corpus: documents that arrived, changed or went, each with its metadata rows."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from eval_pipeline.corpus import facets
from eval_pipeline.corpus.access import Access, AccessRules
from eval_pipeline.corpus.globs import FoundFile, find_files
from eval_pipeline.corpus.metadata import LINE_KEY, Described, Metadata, read_metadata
from eval_pipeline.corpus.refusals import Refusal, to_quarantine
from eval_pipeline.corpus.sniffing import HEAD_BYTES, MediaType, sniff_media_type
from eval_pipeline.foundation.config import ProjectConfig
from eval_pipeline.foundation.ids import bucket_of, content_id, hash_file
from eval_pipeline.foundation.outputs import StageOutput
from eval_pipeline.foundation.tables.corpus import BATCH, DOCUMENT

CODE_VERSION = "1"
"""Raised when the same files may give other documents."""

Row = dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class _File:
    """A file that can be a document."""

    relative: str
    content_hash: str
    media_type: MediaType
    size_bytes: int


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
        corpus.batch (one row, or none where nothing changed), corpus.document (new, changed and removed ones) and
        corpus.quarantine (everything that is refused now, whether or not it was refused before: equal rows are equal).

    Raises:
        TableError: a metadata table cannot be used as a whole. Taking the corpus without it would change every document.
        ConfigError: a facet names a column that no table has, or the glob is wrong.
    """
    files, refusals = _take_files(home, config)
    metadata = read_metadata(home=home, config=config.corpus, paths=files)
    facets.check_facets(config=config, columns=metadata.columns if metadata.tables else None, home=home)
    settings = {
        "render": _render_settings(config, code_version),
        "describe": facets.settings_of(config=config, home=home),
    }
    now, clashes = _to_documents(files, metadata, config, settings)
    before = {row["document_id"]: row for row in in_force.filter(pl.col("change") != "removed").to_dicts()}
    changes = _compare(before, now)
    batch, documents = _to_batch(changes, parent)
    warnings = facets.find_same_facets(config=config, metadata=metadata, home=home)
    quarantine = to_quarantine([*refusals, *metadata.refusals, *clashes, *warnings])
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


def _take_files(home: Path, config: ProjectConfig) -> tuple[dict[str, _File], list[Refusal]]:
    files: dict[str, _File] = {}
    refusals = []
    found = find_files(home=home, pattern=config.corpus.documents)
    names = [file.relative for file in found]
    for file in found:
        taken = _take_file(file, limit=config.corpus.limits.file_bytes, is_twin=names.count(file.relative) > 1)
        if isinstance(taken, Refusal):
            refusals.append(taken)
        else:
            files[file.relative] = taken
    return files, refusals


def _take_file(file: FoundFile, *, limit: int, is_twin: bool) -> _File | Refusal:
    if not file.is_inside:
        detail = "it is a link that leads out of the project folder"
        return _refuse(file, "path leaves the folder", detail, "copy the file into the folder")
    if is_twin:
        detail = "two file names differ only in how accents are composed"
        return _refuse(file, "same name twice", detail, "rename one of them")
    if not file.path.is_file():
        detail = "it is not a file that can be read (a folder, a pipe, or a link to nothing)"
        return _refuse(file, "not a file", detail, "put the file itself in its place")
    size = file.path.stat().st_size
    if size == 0:
        return _refuse(file, "empty file", "it has zero bytes", "bring it again")
    if size > limit:
        detail = f"it has {size:,} bytes, the limit is {limit:,}"
        return _refuse(file, "file too large", detail, "split it, or raise corpus.limits.file_bytes in eval.yaml")
    try:
        with file.path.open("rb") as opened:
            media_type = sniff_media_type(opened.read(HEAD_BYTES))
        content_hash = hash_file(file.path)
    except OSError as error:
        return _refuse(file, "cannot be read", str(error.strerror), "check the file's permissions")
    if media_type is None:
        detail = "its first bytes are neither those of a PDF nor of a known image format"
        return _refuse(file, "unknown format", detail, "bring it as PDF, PNG, JPEG, WebP, TIFF or GIF", content_hash)
    return _File(relative=file.relative, content_hash=content_hash, media_type=media_type, size_bytes=size)


def _refuse(file: FoundFile, reason: str, detail: str, step: str, content_hash: str | None = None) -> Refusal:
    return Refusal(source_path=file.relative, reason=reason, detail=detail, next_step=step, content_hash=content_hash)


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
    files: Mapping[str, _File], metadata: Metadata, config: ProjectConfig, settings: Mapping[str, Any]
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
    row never opens a document.
    """
    combined = rules.combine([row.access for row in about.rows if row.access] + about.refused_access)
    declared = config.corpus.access.column is not None or config.corpus.access.group_column is not None
    is_open_ended = not about.rows or any(row.page_column for row in about.rows)
    if about.is_refused or (has_strays and is_open_ended):
        return Access(level=rules.most_restricted if declared else combined.level, groups=combined.groups)
    return combined


def _to_row(document_id: str, file: _File, about: Described, access: Access, settings: Mapping[str, Any]) -> Row:
    objects = [row.to_object() for row in about.rows]
    plain = [facets.spell_json({key: value for key, value in row.items() if key != LINE_KEY}) for row in objects]
    version = [document_id, file.content_hash, sorted(plain), access.level, list(access.groups), settings["describe"]]
    return {
        "document_id": document_id,
        "document_version_id": content_id("docv", [file.relative, *version]),
        "rendition_id": content_id("rend", [document_id, file.content_hash, file.media_type, settings["render"]]),
        "content_hash": file.content_hash,
        "source_path": file.relative,
        "media_type": file.media_type,
        "size_bytes": file.size_bytes,
        "metadata": facets.spell_json(objects),
        "access": access.level,
        "access_groups": facets.spell_json(access.groups),
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


def _to_batch(changes: Sequence[Row], parent: tuple[str, int] | None) -> tuple[pl.DataFrame, pl.DataFrame]:
    if not changes:
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
