"""Groups of look-alikes: fine leaves, a tree over them, and the group of each unit at a cut."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import squareform

from eval_pipeline.embeddings.kmeans import number_groups, split_spherical
from eval_pipeline.embeddings.vectors import normalise_rows
from eval_pipeline.foundation.protocols import Vectors

CODE_VERSION = "2"
MAX_LEAVES = 2000
SAMPLE_PER_LEAF = 64
"""Units per leaf from which the fine split is learnt; the others go to the nearest leaf."""
BLOCK_ROWS = 8192
DECIMALS = 6
"""Distances are rounded, so that the last digits of a matrix product do not decide which pair is merged first."""

Labels = npt.NDArray[np.int64]
Distances = npt.NDArray[np.float64]


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
    distances: Distances
    n_units_of: npt.NDArray[np.int64]
    merges: npt.NDArray[np.float64]

    def cut_leaves(self, cut: float) -> Labels:
        """(n_leaves,) group of each leaf when merging stops at a distance, numbered by first appearance."""
        return cut_merges(self.merges, cut, n_leaves=len(self.distances))

    def cut_units(self, cut: float) -> Labels:
        """(n,) group of each unit."""
        return self.spread(self.cut_leaves(cut))

    def spread(self, groups: Labels) -> Labels:
        """(n,) group of each unit from (n_leaves,) groups of leaves, numbered by first appearance."""
        return number_groups(groups[self.leaf_of])


def grow_tree(matrix: Vectors, *, seed: int) -> MergeTree:
    """Build the tree.

    Args:
        matrix: (n, dim) float32 of unit length, n >= 1, in a fixed order (by unit id).
        seed: of the fine split.
    """
    leaf_of = _split(matrix, seed)
    n_units_of = np.bincount(leaf_of).astype(np.int64)
    leaves = _centre(matrix, leaf_of, len(n_units_of)).astype(np.float64)
    rounded = np.asarray(np.round(np.clip(1.0 - leaves @ leaves.T, 0.0, 2.0), DECIMALS), dtype=np.float64)
    distances = np.minimum(rounded, rounded.T)
    np.fill_diagonal(distances, 0.0)
    return MergeTree(
        leaf_of=leaf_of, distances=distances, n_units_of=n_units_of, merges=link(distances, method="average")
    )


def link(distances: Distances, *, method: str) -> npt.NDArray[np.float64]:
    """Scipy's linkage matrix of a distance matrix; no row with fewer than two leaves."""
    if len(distances) < 2:
        return np.empty((0, 4))
    merges: npt.NDArray[np.float64] = linkage(squareform(distances, checks=False), method=method)
    return merges


def cut_merges(merges: npt.NDArray[np.float64], cut: float, *, n_leaves: int) -> Labels:
    """(n_leaves,) groups when merging stops at a distance, numbered by first appearance."""
    if len(merges) == 0:
        return np.zeros(n_leaves, dtype=np.int64)
    return number_groups(fcluster(merges, t=cut, criterion="distance").astype(np.int64))


def _split(matrix: Vectors, seed: int) -> Labels:
    n_units = len(matrix)
    if n_units <= MAX_LEAVES:
        return np.arange(n_units, dtype=np.int64)
    n_sampled = SAMPLE_PER_LEAF * MAX_LEAVES
    if n_units <= n_sampled:
        return split_spherical(matrix, n_groups=MAX_LEAVES, seed=seed)
    rows = np.sort(np.random.default_rng(seed).choice(n_units, n_sampled, replace=False))
    sample = np.ascontiguousarray(matrix[rows])
    groups = split_spherical(sample, n_groups=MAX_LEAVES, seed=seed)
    centres = _centre(sample, groups, int(groups.max()) + 1)
    del sample
    blocks = [
        (matrix[start : start + BLOCK_ROWS] @ centres.T).argmax(axis=1) for start in range(0, n_units, BLOCK_ROWS)
    ]
    return number_groups(np.concatenate(blocks).astype(np.int64))


def _centre(matrix: Vectors, groups: Labels, n_groups: int) -> Vectors:
    """(n_groups, dim) mean direction of each group, summed in double, block by block."""
    sums = np.zeros((n_groups, matrix.shape[1]))
    for start in range(0, len(matrix), BLOCK_ROWS):
        np.add.at(sums, groups[start : start + BLOCK_ROWS], matrix[start : start + BLOCK_ROWS])
    return normalise_rows(sums)
