"""Whether everything that arrived was accounted for."""

import polars as pl


def unread_documents(documents: pl.DataFrame, renditions: pl.DataFrame) -> pl.DataFrame:
    """Documents in force that were neither read nor refused.

    Args:
        documents: rows of corpus.document in force.
        renditions: rows of corpus.rendition.

    Returns:
        Columns document_id, source_path, bucket; empty when nothing was lost.
    """
    unread = documents.join(renditions, on="rendition_id", how="anti")
    return unread.select("document_id", "source_path", "bucket").sort("document_id")


def lost_pages(renditions: pl.DataFrame) -> pl.DataFrame:
    """Renditions in which pages are neither units nor quarantined.

    Args:
        renditions: rows of corpus.rendition.

    Returns:
        The rows whose counts do not add up.
    """
    return renditions.filter(pl.col("n_units") + pl.col("n_quarantined") < pl.col("n_pages")).sort("rendition_id")
