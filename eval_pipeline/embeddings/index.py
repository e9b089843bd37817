"""Exact search by inner product, with the order and the scores that MEASURES 4 asks for.

faiss finds candidates; their scores are then computed again, pair by pair, in one fixed way (sums in double, rounded
to float32). So a score depends on its two vectors only, copies tie exactly, and ties fall to the smaller unit id.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from eval_pipeline.embeddings.threads import import_faiss
from eval_pipeline.embeddings.vectors import check_matrix
from eval_pipeline.foundation.errors import LineageError
from eval_pipeline.foundation.ordering import order_of
from eval_pipeline.foundation.protocols import RankedUnit, UnitVectors, Vectors

CODE_VERSION = "1"
SLACK = 1e-5  # more than two computations of one float32 inner product of unit vectors can differ
_MARGIN = 8


def score_pairs(left: Vectors, right: Vectors) -> npt.NDArray[np.float32]:
    """Inner product of each row with its partner: the canonical score of two vectors.

    Args:
        left: (n, dim) float32.
        right: (n, dim) float32.

    Returns:
        (n,) float32; summed in double, so the same pair has the same score wherever it stands.
    """
    summed = np.einsum("ij,ij->i", left.astype(np.float64), right.astype(np.float64))
    rounded: npt.NDArray[np.float32] = summed.astype(np.float32)
    return rounded


def score_rows(matrix: Vectors, left: npt.NDArray[np.int64], right: npt.NDArray[np.int64]) -> npt.NDArray[np.float32]:
    """Inner products of pairs of rows of one matrix, without copying the rows.

    Faster than `score_pairs` by a hundred times and summed in float32: for similarities of pages, of which there are
    millions. The order of summing is fixed by the dimension, so a score depends on its two vectors only, whichever
    of them stands first and whatever else is scored.

    Args:
        matrix: (n, dim) float32, contiguous.
        left: (m,) rows.
        right: (m,) rows.

    Returns:
        (m,) float32.
    """
    faiss = _faiss()
    rows, first, second = (np.ascontiguousarray(matrix, dtype=np.float32), *map(np.ascontiguousarray, (left, right)))
    scores = np.empty(len(first), dtype=np.float32)
    if len(first):
        point = faiss.swig_ptr
        faiss.pairwise_indexed_inner_product(
            rows.shape[1], len(first), point(rows), point(first), point(rows), point(second), point(scores)
        )
    return scores


@cache
def _faiss() -> Any:
    """faiss, its threads bounded once: pairs are scored template by template."""
    return import_faiss()


def score_units(*, corpus: UnitVectors, query: Vectors, unit_ids: Sequence[str]) -> dict[str, float]:
    """Scores of given units against one query.

    Args:
        corpus: vectors of units.
        query: (dim,) float32 of unit length.
        unit_ids: units to score; each must have a vector.

    Raises:
        KeyError: a unit has no vector; names it.
    """
    if not unit_ids:
        return {}
    rows = corpus.rows_of(unit_ids)
    scores = score_pairs(rows, np.broadcast_to(query, rows.shape))
    return dict(zip(unit_ids, scores.tolist(), strict=True))


def search_exact(*, corpus: UnitVectors, queries: Vectors, depth: int) -> list[list[RankedUnit]]:
    """The best units for each query, by score descending, then unit id ascending.

    Args:
        corpus: vectors of units.
        queries: (n_queries, dim) float32 of unit length.
        depth: units wanted; all units come back where there are fewer.

    Returns:
        One list per query, without gaps and without faiss's -1 places.

    Raises:
        LineageError: vectors are not float32, not finite, not of unit length, or of different dimensions.
    """
    n_units = len(corpus.unit_ids)
    if n_units == 0 or len(queries) == 0 or depth <= 0:
        return [[] for _ in range(len(queries))]
    check_matrix(corpus.matrix, what="corpus vectors")
    check_matrix(queries, what="query vectors")
    _check_dims(corpus.matrix, queries)
    index = build_index(corpus.matrix)
    wanted = min(n_units, depth)
    rough, rows = index.search(queries, min(n_units, wanted + _MARGIN))
    return [
        _finish(index, corpus, query, _Candidates(scores=rough[place], rows=rows[place]), wanted)
        for place, query in enumerate(queries)
    ]


def build_index(matrix: Vectors) -> "FlatIndex":
    """An exact inner-product index over checked vectors."""
    return FlatIndex(matrix)


class FlatIndex:
    """faiss IndexFlatIP behind types.

    Attributes:
        n_rows: vectors in it.
    """

    def __init__(self, matrix: Vectors) -> None:
        self.n_rows = len(matrix)
        self._index = import_faiss().IndexFlatIP(matrix.shape[1])
        self._index.add(matrix)

    def search(self, queries: Vectors, depth: int) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.int64]]:
        """Scores and row numbers of the best `depth` rows, at most all of them, so that no place is -1."""
        scores, rows = self._index.search(queries, min(depth, self.n_rows))
        return scores, rows


@dataclass(frozen=True, kw_only=True)
class _Candidates:
    """What faiss found for one query: its own scores, best first, and the rows they belong to."""

    scores: npt.NDArray[np.float32]
    rows: npt.NDArray[np.int64]


def _finish(index: FlatIndex, corpus: UnitVectors, query: Vectors, found: _Candidates, wanted: int) -> list[RankedUnit]:
    n_units = len(corpus.unit_ids)
    while True:
        rows = corpus.matrix[found.rows]
        scores = score_pairs(rows, np.broadcast_to(query, rows.shape))
        order = order_of(scores, corpus.unit_ids[found.rows])[:wanted]
        if len(found.rows) == n_units or float(found.scores[-1]) < float(scores[order[-1]]) - SLACK:
            break
        deeper, deeper_rows = index.search(query[None, :], min(n_units, 4 * len(found.rows)))
        found = _Candidates(scores=deeper[0], rows=deeper_rows[0])
    return [RankedUnit(unit_id=str(corpus.unit_ids[found.rows[place]]), score=float(scores[place])) for place in order]


def _check_dims(matrix: Vectors, queries: Vectors) -> None:
    if matrix.shape[1] != queries.shape[1]:
        message = f"corpus vectors have {matrix.shape[1]} dimensions, queries {queries.shape[1]}; same encoder needed"
        raise LineageError(message)
