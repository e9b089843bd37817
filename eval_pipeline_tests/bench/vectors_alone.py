"""What vectors alone know of templates, at the best cut that the truth can find. Run by hand, never a test.

    python eval_pipeline_tests/bench/vectors_alone.py SEED [SEED ...]

A diagnosis, no choice: it says how good a clustering of one kind of vectors could be if the cut were known, so that
it can be asked again of every new encoder. The first table has one row per seed, size, vectors and way of linking; the
second tells why: whether the nearest page is of the same template, and how much of all spread lies inside templates,
of charts (`bars`, `trend`) and of the others.
"""

import sys
import tempfile
from pathlib import Path

import numpy as np
import numpy.typing as npt
from clusterings import Drawn, Labels, count_purity, draw, tell

from eval_pipeline.embeddings.kmeans import split_spherical
from eval_pipeline.foundation.protocols import Vectors
from eval_pipeline.templates.cuts import adjusted_rand
from eval_pipeline.templates.grouping import Distances, cut_merges, grow_tree, link

SIZES = (300, 1500)
CHARTS = ("bars", "trend")
N_CUTS = 150
PURE = 0.98
NEAR = 5
"""The distance to this neighbour is the local scale of a page."""


def measure(matrix: Vectors) -> Distances:
    """(n, n) cosine distances."""
    return grow_tree(matrix, seed=0).distances


def scale_locally(distances: Distances) -> Distances:
    """Distances in units of how far the fifth neighbours of both pages are."""
    scale = np.maximum(np.sort(distances, axis=1)[:, NEAR], 1e-6)
    return np.asarray(distances / np.sqrt(np.outer(scale, scale)), dtype=np.float64)


def at_the_best_cut(distances: Distances, *, method: str, leaf_of: Labels, truth: Labels) -> tuple[float, float, float]:
    """Best ARI over cuts, its purity, and the best ARI of cuts that are pure enough (0 where none is)."""
    merges = link(distances, method=method)
    cuts = np.unique(np.quantile(merges[:, 2], np.linspace(0, 1, N_CUTS)))
    groups = [cut_merges(merges, float(cut), n_leaves=len(distances))[leaf_of] for cut in cuts]
    scores = [(adjusted_rand(each, truth), count_purity(each, truth)) for each in groups]
    best, purity = max(scores)
    return best, purity, max((score for score, pure in scores if pure >= PURE), default=0.0)


def split_and_merge(matrix: Vectors, truth: Labels, *, times: int) -> tuple[float, float, float]:
    """Spherical k-means into some times as many groups as there are, their centroids merged by average link."""
    leaf_of = split_spherical(matrix, n_groups=times * len(np.unique(truth)), seed=0)
    sums = np.stack([matrix[leaf_of == leaf].sum(axis=0) for leaf in range(int(leaf_of.max()) + 1)])
    centres = (sums / np.linalg.norm(sums, axis=1, keepdims=True)).astype(np.float32)
    return at_the_best_cut(measure(centres), method="average", leaf_of=leaf_of, truth=truth)


def spread_inside(matrix: Vectors, truth: Labels, chosen: npt.NDArray[np.bool_]) -> float:
    """Squared distance of chosen pages to the centre of their template, as a share of that to the centre of all."""
    centres = np.stack([matrix[truth == each].mean(axis=0) for each in truth[chosen]])
    inside = ((matrix[chosen] - centres) ** 2).sum(axis=1).mean()
    return float(inside / ((matrix - matrix.mean(axis=0)) ** 2).sum(axis=1).mean())


def diagnose(seed: int, drawn: Drawn, n: int) -> list[str]:
    """Prints the rows of the first table; returns those of the second."""
    _, truth = np.unique(drawn.truth[:n], return_inverse=True)
    is_chart = np.isin([name.split("/")[0] for name in drawn.names[:n]], CHARTS)
    told = []
    for name, vectors in drawn.vectors.items():
        matrix, pages = vectors[:n], np.arange(n)
        distances = measure(matrix)
        ways = {
            method: at_the_best_cut(distances, method=method, leaf_of=pages, truth=truth)
            for method in ("single", "average", "complete")
        }
        scaled = scale_locally(distances)
        ways["single, scaled locally"] = at_the_best_cut(scaled, method="single", leaf_of=pages, truth=truth)
        ways["average, scaled locally"] = at_the_best_cut(scaled, method="average", leaf_of=pages, truth=truth)
        for times in (2, 4, 8):
            ways[f"k-means, {times} times as many, then average"] = split_and_merge(matrix, truth, times=times)
        for way, figures in ways.items():
            tell(f"| {seed} | {n} | {name} | {way} | " + " | ".join(f"{figure:.3f}" for figure in figures) + " |")
        np.fill_diagonal(distances, np.inf)
        figures = (
            float((truth[distances.argmin(axis=1)] == truth).mean()),
            spread_inside(matrix, truth, is_chart),
            spread_inside(matrix, truth, ~is_chart),
        )
        told.append(f"| {seed} | {n} | {name} | " + " | ".join(f"{figure:.3f}" for figure in figures) + " |")
    return told


def main() -> None:
    """Two tables for all seeds."""
    tell("| seed | pages | vectors | linked by | best ARI | its purity | best ARI at purity 0.98 |")
    tell("|---|---|---|---|---|---|---|")
    told = []
    for seed in map(int, sys.argv[1:]):
        with tempfile.TemporaryDirectory() as folder:
            drawn = draw(seed, Path(folder))
        for n in SIZES:
            told += diagnose(seed, drawn, n)
    tell("\n| seed | pages | vectors | nearest page of the same template | spread in charts | spread in others |")
    tell("|---|---|---|---|---|---|")
    for line in told:
        tell(line)


if __name__ == "__main__":
    main()
