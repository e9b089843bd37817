"""Hardness of negatives: where each stands among all pages by similarity to gold (MEASURES 5)."""

import numpy as np
import polars as pl

from eval_pipeline.embeddings.index import SLACK, score_pairs
from eval_pipeline.foundation.protocols import UnitVectors

CODE_VERSION = "1"
SCHEMA = {
    "pool_id": pl.String,
    "unit_id": pl.String,
    "axis": pl.String,
    "rank": pl.Int64,
    "negative_unit_id": pl.String,
    "corpus_rank": pl.Int64,
    "n_corpus": pl.Int64,
}


def measure_hardness(*, negatives: pl.DataFrame, vectors: UnitVectors) -> pl.DataFrame:
    """Rank every negative among all other pages by similarity to its gold page.

    Args:
        negatives: negatives.negative rows.
        vectors: the whole corpus, by the encoder of the pools.

    Returns:
        The rows with `corpus_rank` (1 for the page most like gold; ties to the smaller unit id) and `n_corpus` (pages
        ranked: all but gold). A corpus rank of 1 is as hard as it gets; near n_corpus the negative is no harder than a
        random page. Sorted by pool, axis, rank. Rows whose gold or negative has no vector here are left out.
    """
    places = {unit_id: row for row, unit_id in enumerate(vectors.unit_ids.tolist())}
    known = negatives.filter(pl.col("unit_id").is_in(list(places)) & pl.col("negative_unit_id").is_in(list(places)))
    if known.is_empty():
        return pl.DataFrame(schema=SCHEMA)
    parts = []
    for (unit_id,), part in known.sort("pool_id", "axis", "rank").group_by("unit_id", maintain_order=True):
        columns = [places[name] for name in part["negative_unit_id"].to_list()]
        ranks = _rank_columns(places[str(unit_id)], columns, vectors)
        parts.append(part.with_columns(corpus_rank=pl.Series(ranks, dtype=pl.Int64)))
    ranked = pl.concat(parts).with_columns(n_corpus=pl.lit(len(places) - 1, dtype=pl.Int64))
    return ranked.select(list(SCHEMA)).sort("pool_id", "axis", "rank")


def _rank_columns(gold: int, columns: list[int], vectors: UnitVectors) -> list[int]:
    rough = vectors.matrix @ vectors.matrix[gold]
    rough[gold] = -np.inf
    return [_rank_one(gold, column, rough, vectors) for column in columns]


def _rank_one(
    gold: int, column: int, rough: "np.ndarray[tuple[int], np.dtype[np.float32]]", vectors: UnitVectors
) -> int:
    """Count clear winners by the product; pages within its error are compared by canonical scores and unit ids."""
    near = np.flatnonzero(np.abs(rough - rough[column]) <= 2 * SLACK)
    n_above = int((rough > rough[column] + 2 * SLACK).sum())
    scores = score_pairs(
        vectors.matrix[near], np.broadcast_to(vectors.matrix[gold], (len(near), vectors.matrix.shape[1]))
    )
    own = scores[near == column][0]
    ids = vectors.unit_ids[near]
    ahead = (scores > own) | ((scores == own) & (ids < vectors.unit_ids[column]))
    return n_above + int(ahead.sum()) + 1
