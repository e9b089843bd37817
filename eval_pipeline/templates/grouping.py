"""Groups of look-alikes: split finely, then merge by average link until groups are further apart than the cut."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import squareform

from eval_pipeline.embeddings.kmeans import number_groups, split_spherical
from eval_pipeline.embeddings.vectors import normalise_rows
from eval_pipeline.foundation.protocols import Vectors

CODE_VERSION = "1"
MAX_LEAVES = 2000
DECIMALS = 6
"""Distances are rounded, so that the last digits of a matrix product do not decide which pair is merged first."""

Labels = npt.NDArray[np.int64]


@dataclass(frozen=True, kw_only=True)
class MergeTree:
    """An average-link tree over leaves: single units, or fine groups where there are many units.

    Attributes:
        leaf_of: (n,) leaf of each unit.
        distances: (n_leaves, n_leaves) cosine distances.
        n_units_of: (n_leaves,) units in each leaf.
        merges: scipy's linkage matrix; empty with one leaf.
    """

    leaf_of: Labels
    distances: npt.NDArray[np.float64]
    n_units_of: npt.NDArray[np.int64]
    merges: npt.NDArray[np.float64]

    def cut_leaves(self, cut: float) -> Labels:
        """(n_leaves,) group of each leaf when merging stops at a distance, numbered by first appearance."""
        if len(self.merges) == 0:
            return np.zeros(len(self.distances), dtype=np.int64)
        return number_groups(fcluster(self.merges, t=cut, criterion="distance").astype(np.int64))

    def cut_units(self, cut: float) -> Labels:
        """(n,) group of each unit."""
        return number_groups(self.cut_leaves(cut)[self.leaf_of])


def grow_tree(matrix: Vectors, *, seed: int) -> MergeTree:
    """Build the tree.

    Args:
        matrix: (n, dim) float32 of unit length, n >= 1, in a fixed order (by unit id).
        seed: of the fine split.
    """
    leaf_of = _split(matrix, seed)
    n_units_of = np.bincount(leaf_of)
    sums = np.zeros((len(n_units_of), matrix.shape[1]))
    np.add.at(sums, leaf_of, matrix)
    leaves = normalise_rows(sums).astype(np.float64)
    rounded = np.asarray(np.round(np.clip(1.0 - leaves @ leaves.T, 0.0, 2.0), DECIMALS), dtype=np.float64)
    distances = np.minimum(rounded, rounded.T)
    np.fill_diagonal(distances, 0.0)
    merges = linkage(squareform(distances, checks=False), method="average") if len(leaves) > 1 else np.empty((0, 4))
    return MergeTree(leaf_of=leaf_of, distances=distances, n_units_of=n_units_of, merges=merges)


def _split(matrix: Vectors, seed: int) -> Labels:
    if len(matrix) <= MAX_LEAVES:
        return np.arange(len(matrix), dtype=np.int64)
    return split_spherical(matrix, n_groups=MAX_LEAVES, seed=seed)
