"""Spherical k-means by faiss, for many vectors: splits them finely; what belongs together is merged elsewhere."""

import numpy as np
import numpy.typing as npt

from eval_pipeline.embeddings.index import build_index
from eval_pipeline.embeddings.threads import import_faiss
from eval_pipeline.embeddings.vectors import check_matrix
from eval_pipeline.foundation.protocols import Vectors

CODE_VERSION = "1"
N_ITERATIONS = 15


def split_spherical(matrix: Vectors, *, n_groups: int, seed: int) -> npt.NDArray[np.int64]:
    """Split unit vectors into groups by direction.

    Args:
        matrix: (n, dim) float32, rows of unit length.
        n_groups: groups wanted; capped at n, and fewer where rows are equal.
        seed: of the first centroids.

    Returns:
        (n,) group numbers from 0 without gaps, in order of first appearance; no group is empty.

    Raises:
        LineageError: rows are not finite or not of unit length.
    """
    check_matrix(matrix, what="vectors to cluster")
    n_rows, dim = matrix.shape
    capped = min(n_groups, n_rows)
    if capped <= 1:
        return np.zeros(n_rows, dtype=np.int64)
    distinct = np.unique(matrix, axis=0)
    if len(distinct) <= capped:
        centroids: Vectors = distinct
    else:
        kmeans = import_faiss().Kmeans(
            dim, capped, niter=N_ITERATIONS, seed=seed, spherical=True, min_points_per_centroid=1, verbose=False
        )
        kmeans.train(matrix)
        centroids = np.ascontiguousarray(kmeans.centroids, dtype=np.float32)
    _, nearest = build_index(centroids).search(matrix, 1)
    return number_groups(nearest[:, 0])


def number_groups(labels: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Renumber group labels from 0 in order of first appearance."""
    _, first, inverse = np.unique(labels, return_index=True, return_inverse=True)
    rank = np.empty(len(first), dtype=np.int64)
    rank[np.argsort(first, kind="stable")] = np.arange(len(first))
    return rank[inverse.ravel()]
