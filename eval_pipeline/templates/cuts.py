"""Where to stop merging when nobody has declared it, without any truth.

A template too coarse makes wrong negatives, one too fine only makes fewer. So there is a coarsest cut that is never
passed; below it, the cut with the best silhouette wins, and among cuts that are about as good the coarsest one.
"""

import numpy as np
import numpy.typing as npt

from eval_pipeline.templates.grouping import Labels, MergeTree

CODE_VERSION = "1"
LAYOUT_COARSEST = 0.25
"""Layout distances mean the same on every corpus: pages of one layout with other words lie below about 0.25, and
average link mixes layouts above it (measured on drawn reports of 60 to 1,500 pages and on 1,087 pages of filings)."""
ENCODER_SHARE = 0.4
"""Distances of an encoder have no fixed meaning; its coarsest cut is this share of their upper quartile."""
ABOUT_AS_GOOD = 0.1
N_CANDIDATES = 11
FINEST_SHARE = 1 / 3


def choose_cut(tree: MergeTree, *, features: tuple[str, ...]) -> float:
    """Choose the cosine distance at which merging stops.

    Args:
        tree: average-link tree over the units.
        features: feature families of the space, for the coarsest cut.

    Returns:
        A cut between a third of the coarsest one and the coarsest one, rounded to 6 decimals.
    """
    coarsest = coarsest_cut(tree.distances, features)
    if len(tree.distances) < 2 or coarsest <= 0:
        return round(coarsest, 6)
    cuts = np.linspace(coarsest * FINEST_SHARE, coarsest, N_CANDIDATES)
    scores = np.array([_score(tree, float(cut), coarsest) for cut in cuts])
    good = np.flatnonzero(scores >= scores.max() - ABOUT_AS_GOOD)
    return round(float(cuts[good[-1]]), 6)


def coarsest_cut(distances: npt.NDArray[np.float64], features: tuple[str, ...]) -> float:
    """Distance beyond which two groups are never one template.

    Args:
        distances: (n, n) cosine distances in the joined space.
        features: families of that space.
    """
    upper = distances[np.triu_indices(len(distances), 1)]
    spread = float(np.quantile(upper, 0.75)) if len(upper) else 0.0
    bounds = [LAYOUT_COARSEST if feature == "layout" else ENCODER_SHARE * spread for feature in features]
    return sum(bounds) / len(bounds)


def _score(tree: MergeTree, cut: float, coarsest: float) -> float:
    groups = tree.cut_leaves(cut)
    return round(measure_silhouette(tree.distances, groups, tree.n_units_of, alone_at=2 * coarsest), 6)


def measure_silhouette(
    distances: npt.NDArray[np.float64], groups: Labels, weights: npt.NDArray[np.int64], *, alone_at: float
) -> float:
    """Mean silhouette of leaves, weighted by their units; a group of one unit counts 0.

    Args:
        distances: (n, n) between leaves.
        groups: (n,) group of each leaf, from 0.
        weights: (n,) units in each leaf.
        alone_at: distance of the nearest other group where there is no other group.

    Source: Rousseeuw 1987, doi:10.1016/0377-0427(87)90125-7; differs: one group alone has a value.
    """
    n_groups = int(groups.max()) + 1
    member = np.zeros((len(groups), n_groups))
    member[np.arange(len(groups)), groups] = weights
    sizes = member.sum(axis=0)
    sums = distances @ member
    rows = np.arange(len(groups))
    own = sums[rows, groups] / np.maximum(sizes[groups] - 1, 1)
    means = sums / sizes
    means[rows, groups] = np.inf
    other = means.min(axis=1) if n_groups > 1 else np.full(len(groups), alone_at)
    longest = np.maximum(own, other)
    values = np.divide(other - own, longest, out=np.zeros_like(own), where=longest > 0)
    values[sizes[groups] < 2] = 0.0
    return float(np.average(values, weights=weights))
