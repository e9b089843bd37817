"""The stage: pictures in, vector files and their rows out; what has no usable vector is named."""

import io
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import polars as pl

from eval_pipeline.embeddings.pictures import open_rgb
from eval_pipeline.embeddings.vectors import find_faults, normalise_rows
from eval_pipeline.foundation.errors import LineageError
from eval_pipeline.foundation.files import FileStore
from eval_pipeline.foundation.ids import canonical_json, content_id
from eval_pipeline.foundation.outputs import StageOutput
from eval_pipeline.foundation.protocols import Encoder, Vectors
from eval_pipeline.foundation.tables.embeddings import ENCODER, REFUSED_VECTOR, UNIT_VECTOR, VECTOR_FILE

CODE_VERSION = "1"
UNREADABLE = "unreadable picture"
NO_DIRECTION = "no direction: not finite or zero length"


def embed_in_chunks(
    *, pictures: pl.DataFrame, encoder: Encoder, kind: str, home: Path, chunk_pictures: int
) -> Iterator[StageOutput]:
    """Draw vectors of pictures chunk by chunk; record each output before asking for the next one.

    Chunks are cut from the pictures in order of their hashes. So what is still missing after a run that ended between
    two of them is cut as it would have been, into the same files with the same rows.

    Args:
        pictures: as in `embed_pictures`: those that have no vector yet.
        encoder: who draws them.
        kind: `open_clip` or `layout`.
        home: the project folder.
        chunk_pictures: pictures of one chunk and its file, at least 1.

    Yields:
        What `embed_pictures` makes of a chunk; nothing without pictures.

    Raises:
        LineageError: as in `embed_pictures`.
    """
    wanted = _choose(pictures)
    for first in range(0, wanted.height, chunk_pictures):
        chunk = wanted.slice(first, chunk_pictures)
        yield embed_pictures(pictures=chunk, encoder=encoder, kind=kind, home=home)


def embed_pictures(*, pictures: pl.DataFrame, encoder: Encoder, kind: str, home: Path) -> StageOutput:
    """Draw vectors of pictures and store those that can be compared, in one file.

    Args:
        pictures: columns `picture_hash`, `picture_path` (relative to the project folder); copies are drawn once.
        encoder: who draws them.
        kind: `open_clip` or `layout`.
        home: the project folder.

    Returns:
        Rows of embeddings.encoder, vector_file, unit_vector and refused_vector; all empty without pictures. Rows of
        the file are in order of picture hash, so the order of the input does not matter.

    Raises:
        LineageError: the encoder returned another number of rows or columns than it promised.
    """
    wanted = _choose(pictures)
    if wanted.is_empty():
        return StageOutput(tables={t.name: t.empty() for t in (ENCODER, VECTOR_FILE, UNIT_VECTOR, REFUSED_VECTOR)})
    paths = [home / path for path in wanted["picture_path"].to_list()]
    matrix = encoder.encode_pictures(paths)
    if matrix.shape != (len(paths), encoder.dim):
        message = f"{encoder.name} returned shape {matrix.shape} for {len(paths)} pictures of dimension {encoder.dim}"
        raise LineageError(message)
    hashes = wanted["picture_hash"].to_list()
    faults = find_faults(matrix)
    reasons = {
        hashes[row]: _explain_fault(fault, matrix[row], paths[row])
        for row, fault in enumerate(faults)
        if fault is not None
    }
    usable = [row for row, fault in enumerate(faults) if fault is None]
    files, places = _store(encoder, home, [hashes[row] for row in usable], normalise_rows(matrix[usable]))
    return _to_output(encoder=encoder, kind=kind, files=files, places=places, refused=reasons)


def _choose(pictures: pl.DataFrame) -> pl.DataFrame:
    """One path of each picture, in order of picture hash."""
    ordered = pictures.select("picture_hash", "picture_path").sort("picture_hash", "picture_path")
    return ordered.unique("picture_hash", keep="first").sort("picture_hash")


def _explain_fault(fault: str, row: Vectors, path: Path) -> str:
    if not np.isnan(row).all():
        return fault
    return UNREADABLE if open_rgb(path) is None else NO_DIRECTION


def _to_output(
    *, encoder: Encoder, kind: str, files: pl.DataFrame, places: pl.DataFrame, refused: dict[str, str]
) -> StageOutput:
    described = {
        "encoder_id": encoder.encoder_id,
        "name": encoder.name,
        "kind": kind,
        "dim": encoder.dim,
        "is_trained": encoder.is_trained,
        "description": canonical_json(dict(encoder.describe())),
    }
    refusals = [
        {"picture_hash": picture_hash, "encoder_id": encoder.encoder_id, "reason": reason}
        for picture_hash, reason in refused.items()
    ]
    return StageOutput(
        tables={
            ENCODER.name: ENCODER.frame([described]),
            VECTOR_FILE.name: files,
            UNIT_VECTOR.name: places,
            REFUSED_VECTOR.name: REFUSED_VECTOR.frame(refusals),
        },
        inputs=(encoder.encoder_id, *sorted([*places["picture_hash"], *refused])),
        summary={"encoder": encoder.name, "pictures_embedded": places.height, "pictures_refused": len(refused)},
    )


def _store(encoder: Encoder, home: Path, hashes: list[str], matrix: Vectors) -> tuple[pl.DataFrame, pl.DataFrame]:
    if not hashes:
        return VECTOR_FILE.empty(), UNIT_VECTOR.empty()
    file_id = content_id("vec", [encoder.encoder_id, hashes])
    buffer = io.BytesIO()
    np.save(buffer, matrix, allow_pickle=False)
    path = FileStore(home=home).put("vectors", file_id, ".npy", buffer.getvalue())
    file_row = {
        "vector_file_id": file_id,
        "encoder_id": encoder.encoder_id,
        "path": path,
        "n_rows": len(hashes),
        "dim": encoder.dim,
    }
    places = [
        {"picture_hash": name, "encoder_id": encoder.encoder_id, "vector_file_id": file_id, "row": row}
        for row, name in enumerate(hashes)
    ]
    return VECTOR_FILE.frame([file_row]), UNIT_VECTOR.frame(places)
