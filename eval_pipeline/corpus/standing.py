"""Which refusals still hold: the ledger keeps every one that there ever was."""

from collections.abc import Collection
from pathlib import Path

import polars as pl

from eval_pipeline.corpus.globs import locate_document
from eval_pipeline.foundation.ids import hash_file


def standing_refusals(
    *, quarantine: pl.DataFrame, documents: pl.DataFrame, in_force: Collection[str], home: Path
) -> pl.DataFrame:
    """Refusals of pages of documents in force, and of files and table rows that are as they were when refused.

    A row of a table may be refused for what is or is not beside it (its document has not arrived, another row has its
    id): it holds only while what it was found under is in force. What finds refusals lists all of them each time, so
    those that still hold are there under the new id.

    Args:
        quarantine: rows of corpus.quarantine.
        documents: rows of corpus.document in force.
        in_force: ids of the arrivals and of the look-ups of question files in force; see `found_under`. Versions of
            the documents are added.
        home: project folder; files named in the quarantine are hashed, each once.

    Returns:
        The rows that still hold, sorted by path, place and reason.
    """
    of_pages = quarantine.filter(pl.col("rendition_id").is_not_null()).join(documents, on="rendition_id", how="semi")
    of_files = quarantine.filter(pl.col("rendition_id").is_null())
    paths = of_files["source_path"].unique().to_list()
    now = pl.DataFrame(
        {"source_path": paths, "hash_now": [_hash_now(home, path) for path in paths]},
        schema={"source_path": pl.String, "hash_now": pl.String},
    )
    same = (pl.col("content_hash") == pl.col("hash_now")) | (
        pl.col("content_hash").is_null() & pl.col("hash_now").is_not_null()
    )
    of_files = of_files.join(now, on="source_path", how="left").filter(same).drop("hash_now")
    under = [*in_force, *documents["document_version_id"].to_list()]
    of_files = of_files.filter(pl.col("found_under").is_null() | pl.col("found_under").is_in(under))
    return pl.concat([of_pages, of_files]).sort("source_path", "place", "reason", "quarantine_id")


def _hash_now(home: Path, source_path: str) -> str | None:
    place = locate_document(home=home, source_path=source_path)
    return hash_file(place) if place is not None and place.is_file() else None
