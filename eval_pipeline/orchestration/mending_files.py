"""Make files again that the ledger names and the disk has lost: pictures from documents, vectors from pictures."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl
from PIL import Image, UnidentifiedImageError

from eval_pipeline.corpus.pages import read_documents
from eval_pipeline.corpus.pictures import hash_picture
from eval_pipeline.embeddings.stage import embed_pictures
from eval_pipeline.foundation.errors import EvalPipelineError
from eval_pipeline.foundation.protocols import Encoder
from eval_pipeline.foundation.settings import ProjectPaths, Settings
from eval_pipeline.orchestration.resources import Project


@dataclass(frozen=True, kw_only=True)
class MadeFile:
    """One file that was lost.

    Attributes:
        path: relative to the project folder.
        reason: why it could not be made again; empty where it is there now, with the content that its name promises.
    """

    path: str
    reason: str = ""


def redraw_pictures(paths: ProjectPaths, missing: Sequence[str]) -> list[MadeFile]:
    """Draw lost pictures again from their documents.

    Drawing is deterministic and a picture is named by the hash of its pixels, so one that comes out otherwise does not
    pass for the lost one: it is removed again and the reason is named.

    Args:
        paths: the project.
        missing: relative paths of pictures, as the ledger names them.
    """
    if not missing:
        return []
    project = Project(home=str(paths.home))
    with project.session() as ledger:
        units = ledger.table("corpus.unit")
        documents = ledger.table("corpus.document")
        links = ledger.table("corpus.rendition_unit")
    lost = units.filter(pl.col("picture_path").is_in(list(missing))).join(links, on="unit_id")
    origins = documents.filter(pl.col("change") != "removed").sort("sequence", descending=True)
    wanted = origins.join(lost, on="rendition_id", how="semi").unique("rendition_id", keep="first", maintain_order=True)
    known = frozenset(units["picture_path"])
    made = read_documents(
        documents=wanted.select([name for name in documents.columns if name != "commit_id"]),
        home=paths.home,
        config=project.declared,
        workers=Settings().workers,
    )
    for stray in sorted(set(made.tables["corpus.unit"]["picture_path"]) - known):
        (paths.home / stray).unlink(missing_ok=True)
    refused = made.tables["corpus.quarantine"].filter(~pl.col("is_warning"))
    return [_check_picture(paths.home, path, lost, wanted, refused) for path in missing]


def _check_picture(home: Path, path: str, lost: pl.DataFrame, wanted: pl.DataFrame, refused: pl.DataFrame) -> MadeFile:
    rows = lost.filter(pl.col("picture_path") == path)
    if (home / path).is_file():
        return MadeFile(path=path, reason=_find_fault(home / path, rows.item(0, "picture_hash") if rows.height else ""))
    sources = wanted.join(rows, on="rendition_id", how="semi")["source_path"].unique().sort().to_list()
    if not sources:
        return MadeFile(path=path, reason="no document in the ledger says which file it was drawn from")
    said = refused.filter(pl.col("source_path").is_in(sources)).select("source_path", "reason").unique().sort("reason")
    if said.height:
        told = ", ".join(f"{source}: {reason}" for source, reason in said.iter_rows())
        return MadeFile(path=path, reason=f"it cannot be drawn: {told}")
    return MadeFile(
        path=path,
        reason=f"{', '.join(sources)} gives another picture now: resolution_dpi, corpus.limits or the code that draws "
        "have changed since; the next run reads the document anew",
    )


def _find_fault(path: Path, picture_hash: str) -> str:
    try:
        with Image.open(path) as picture:
            found = hash_picture(picture.convert("RGB"))
    except (OSError, UnidentifiedImageError) as error:
        return f"it was written, but cannot be read back ({type(error).__name__})"
    return "" if found == picture_hash else f"its pixels hash to {found[:12]}, not to {picture_hash[:12]}"


def embed_again(paths: ProjectPaths, missing: Sequence[str]) -> list[MadeFile]:
    """Draw lost vector files again with the encoder that made them; pictures must be there.

    Args:
        paths: the project.
        missing: relative paths of vector files, as the ledger names them.
    """
    if not missing:
        return []
    project = Project(home=str(paths.home))
    with project.session() as ledger:
        files = ledger.table("embeddings.vector_file").filter(pl.col("path").is_in(list(missing)))
        rows = ledger.table("embeddings.unit_vector")
        pictures = ledger.table("corpus.unit").select("picture_hash", "picture_path").unique()
        kinds = dict(ledger.table("embeddings.encoder").select("encoder_id", "kind").iter_rows())
    encoders = {encoder.encoder_id: encoder for encoder in project.encoders().values()}
    made = []
    for file in files.sort("path").iter_rows(named=True):
        inside = rows.filter(pl.col("vector_file_id") == file["vector_file_id"])
        wanted = inside.join(pictures, on="picture_hash").select("picture_hash", "picture_path")
        encoder = encoders.get(file["encoder_id"])
        made.append(_embed(paths.home, file, wanted, encoder, kinds.get(file["encoder_id"], "")))
    return made


def _embed(home: Path, file: Mapping[str, Any], pictures: pl.DataFrame, encoder: Encoder | None, kind: str) -> MadeFile:
    if encoder is None:
        reason = f"its encoder {file['encoder_id']} is not the declared one; declare it, or leave the file be"
        return MadeFile(path=file["path"], reason=reason)
    lacking = [path for path in pictures["picture_path"] if not (home / path).is_file()]
    if lacking:
        return MadeFile(path=file["path"], reason=f"{len(lacking)} of its pictures are missing, such as {lacking[0]}")
    try:
        embed_pictures(pictures=pictures, encoder=encoder, kind=kind, home=home)
    except EvalPipelineError as error:
        return MadeFile(path=file["path"], reason=str(error))
    is_there = (home / file["path"]).is_file()
    return MadeFile(path=file["path"], reason="" if is_there else "the same pictures gave other rows")
