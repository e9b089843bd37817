"""Approximate search by inner product: faiss's HNSW and IVF-PQ, built the same way every time.

faiss proposes; scores are computed again pair by pair, as exact search does, so a unit has one score whichever index
found it. An index is built in order of unit ids and by one thread: links depend on who came first.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from eval_pipeline.embeddings.index import score_pairs
from eval_pipeline.embeddings.threads import import_faiss, prepare_threads
from eval_pipeline.embeddings.vectors import check_matrix
from eval_pipeline.foundation.errors import InputError
from eval_pipeline.foundation.ordering import order_of
from eval_pipeline.foundation.protocols import RankedUnit, UnitVectors, Vectors

CODE_VERSION = "1"


@dataclass(frozen=True, kw_only=True)
class Hnsw:
    """A graph of near pages.

    Attributes:
        m: links of a page per level.
        ef_construction: candidates while linking.
        ef_search: candidates while searching; faiss takes the depth where that is more.
    """

    m: int = 32
    ef_construction: int = 40
    ef_search: int = 64


@dataclass(frozen=True, kw_only=True)
class IvfPq:
    """Cells of near pages, vectors in codes.

    Attributes:
        n_lists: cells.
        n_probes: cells that are searched.
        n_parts: parts of a vector that are coded one by one; they divide its dimension.
        n_bits: bits of a code.
    """

    n_lists: int = 64
    n_probes: int = 8
    n_parts: int = 16
    n_bits: int = 8


class ApproximateIndex:
    """An approximate index over one corpus.

    Attributes:
        unit_ids: ids of its rows, sorted.
    """

    def __init__(self, corpus: UnitVectors, parameters: Hnsw | IvfPq) -> None:
        """Build it.

        Raises:
            InputError: there are too few vectors for the cells or codes, or the parts do not divide the dimension.
            LineageError: vectors are not float32, not finite or not of unit length.
        """
        check_matrix(corpus.matrix, what="corpus vectors")
        order = np.argsort(corpus.unit_ids, kind="stable")
        self.unit_ids = corpus.unit_ids[order]
        self._matrix = np.ascontiguousarray(corpus.matrix[order])
        self._index = _build(self._matrix, parameters) if len(order) else None

    def search(self, queries: Vectors, depth: int) -> list[Sequence[RankedUnit]]:
        """What the index finds, at most `depth` units a query: score descending, then unit id ascending.

        Args:
            queries: (n_queries, dim) float32 of unit length.
            depth: units wanted; an approximate index may find fewer.
        """
        if self._index is None or depth <= 0 or not len(queries):
            return [[] for _ in range(len(queries))]
        check_matrix(queries, what="query vectors")
        _, rows = self._index.search(queries, min(depth, len(self.unit_ids)))
        return [self._finish(query, found[found >= 0]) for query, found in zip(queries, rows, strict=True)]

    def _finish(self, query: Vectors, rows: Any) -> list[RankedUnit]:
        vectors = self._matrix[rows]
        scores = score_pairs(vectors, np.broadcast_to(query, vectors.shape))
        order = order_of(scores, self.unit_ids[rows])
        return [RankedUnit(unit_id=str(self.unit_ids[rows[place]]), score=float(scores[place])) for place in order]


def _build(matrix: Vectors, parameters: Hnsw | IvfPq) -> Any:
    faiss = import_faiss()
    faiss.omp_set_num_threads(1)
    try:
        return (
            _build_hnsw(faiss, matrix, parameters)
            if isinstance(parameters, Hnsw)
            else _build_ivf(faiss, matrix, parameters)
        )
    finally:
        faiss.omp_set_num_threads(prepare_threads())


def _build_hnsw(faiss: Any, matrix: Vectors, parameters: Hnsw) -> Any:
    index = faiss.IndexHNSWFlat(matrix.shape[1], parameters.m, faiss.METRIC_INNER_PRODUCT)
    index.hnsw.efConstruction = parameters.ef_construction
    index.hnsw.efSearch = parameters.ef_search
    index.add(matrix)
    return index


def _build_ivf(faiss: Any, matrix: Vectors, parameters: IvfPq) -> Any:
    n_vectors, dim = matrix.shape
    wanted = max(parameters.n_lists, 2**parameters.n_bits)
    if n_vectors < wanted:
        message = (
            f"ivf-pq with {parameters.n_lists} lists and codes of {parameters.n_bits} bits needs {wanted} vectors, "
            f"the corpus has {n_vectors}; declare fewer lists and bits, or kind: hnsw"
        )
        raise InputError(message)
    if dim % parameters.n_parts:
        message = f"n_parts {parameters.n_parts} does not divide the {dim} dimensions of a vector; declare a divisor"
        raise InputError(message)
    cells = faiss.IndexFlatIP(dim)
    index = faiss.IndexIVFPQ(
        cells, dim, parameters.n_lists, parameters.n_parts, parameters.n_bits, faiss.METRIC_INNER_PRODUCT
    )
    for clustering in (index.cp, index.pq.cp):
        clustering.min_points_per_centroid = 1  # small corpora are told of by the check above, not by faiss on stderr
    index.train(matrix)
    index.add(matrix)
    index.nprobe = parameters.n_probes
    return index
