"""How near pages of one template are, when nobody has declared it, without any truth.

A template too coarse makes wrong negatives, one too fine only makes fewer. So there are bounds that are never passed;
between them, groups are made of four fifths of the corpus again and again, and the coarsest step is taken whose groups
come out about as much alike as those of the most repeatable step. (The finest such step tore trend pages apart: of lone
pages that wait for a neighbour there are as many in each part. Halves of small corpora break chains that the whole
has: of 60 pages a chart layout was split.)
"""

import numpy as np
import numpy.typing as npt

from eval_pipeline.templates.chaining import Reach
from eval_pipeline.templates.grouping import Distances, Labels, MergeTree, cut_merges, link

CODE_VERSION = "3"
LAYOUT_STEPS = (0.15, 0.2)
"""Distances of the layout signature mean the same on every corpus: a drawn layout is one chain at 0.193 (most are at
0.15), and pages of two layouts do not touch below 0.2 (corpora of 120 to 1,500 pages)."""
SPARSE_BELOW = 120
SPARSE_EXPONENT = 1 / 2
LONGEST_FACTOR = 1.35
"""The fewer pages, the further the next one: below 120 pages the longest step grows, by a third at most. (Of 60 pages,
the bar charts of one company and metric are a chain of three, and up to 0.27 from the next such chain.)"""
FEWEST_TO_PART = 40
"""Fewer pages are not parted: what a part of them does says nothing; the longest step is taken."""
LAYOUT_WIDEST = 0.325
"""Pages of one layout are 0.25 apart on average at most; chains of running text in filings 0.4 and more."""
SHARES = {"layout": 0.95, "encoder": 0.05}
"""Share of a family where both are declared: an encoder that reads moves with what a page says, and from a share of 0.1
on it tears layouts apart."""
ENCODER_WIDEST = 0.4
"""Distances of an encoder have no fixed meaning; this is a share of their upper quartile."""
ALONE_STEPS = (0.001, 0.003)
ALONE_WIDEST = 0.03
"""The same for an encoder alone: fine, because its templates touch, and one too coarse makes wrong negatives. (At 0.004
and more, purity at 1,500 pages fell below 0.95; ADR 0007 says why no cut of an encoder that reads is good.)"""
ABOUT_AS_REPEATABLE = 0.05
"""Where the last pages of a layout have just joined, a part of the corpus may miss the page that joins them: 0.03
lower at steps that were right, of 300 pages."""
N_STEPS = 9
PART = 0.8
N_PARTS = 8


def choose_reach(tree: MergeTree, *, features: tuple[str, ...], seed: int) -> Reach:
    """Choose how near pages of one template are.

    Args:
        tree: over the units; its leaves in a fixed order.
        features: feature families of the space, for the bounds.
        seed: of the parts.

    Returns:
        A reach whose step lies between the bounds; both numbers rounded to 6 decimals.
    """
    lowest, highest, widest = _bounds(
        features, spread=measure_spread(tree.distances), n_units=int(tree.n_units_of.sum())
    )
    steps = np.geomspace(lowest, highest, N_STEPS) if lowest > 0 else np.zeros(1)
    if len(tree.distances) < FEWEST_TO_PART:
        return Reach(step=highest, widest=widest)
    scores = measure_repeatability(tree.distances, steps=steps, seed=seed)
    good = np.flatnonzero(scores >= scores.max() - ABOUT_AS_REPEATABLE)
    return Reach(step=round(float(steps[good[-1]]), 6), widest=widest)


def share_of(feature: str, features: tuple[str, ...]) -> float:
    """Share of a family in the squared length of a joined vector; the shares of all declared families sum to 1."""
    return SHARES[feature] / sum(SHARES[name] for name in features)


def measure_spread(distances: Distances) -> float:
    """Upper quartile of the distances between leaves; 0 with one leaf."""
    upper = distances[np.triu_indices(len(distances), 1)]
    return float(np.quantile(upper, 0.75)) if len(upper) else 0.0


def measure_repeatability(
    distances: Distances, *, steps: npt.NDArray[np.float64], seed: int
) -> npt.NDArray[np.float64]:
    """How much alike chains of a part of the leaves and chains of all leaves are, for each step.

    Args:
        distances: (n, n), n >= 4.
        steps: (n_steps,) largest distances from one member of a chain to the next.
        seed: of the parts.

    Returns:
        (n_steps,) mean adjusted Rand index over the parts, rounded to 6 decimals.
    """
    n_leaves = len(distances)
    whole = link(distances, method="single")
    of_all = [cut_merges(whole, float(step), n_leaves=n_leaves) for step in steps]
    rng = np.random.default_rng(seed)
    scores = np.zeros((N_PARTS, len(steps)))
    for part in range(N_PARTS):
        rows = np.sort(rng.choice(n_leaves, round(PART * n_leaves), replace=False))
        merges = link(distances[np.ix_(rows, rows)], method="single")
        for place, step in enumerate(steps):
            again = cut_merges(merges, float(step), n_leaves=len(rows))
            scores[part, place] = adjusted_rand(again, of_all[place][rows])
    return np.asarray(np.round(scores.mean(axis=0), 6), dtype=np.float64)


def adjusted_rand(one: Labels, other: Labels) -> float:
    """Agreement of two groupings of the same things: 1 where they are equal, about 0 where they agree by chance.

    Source: Hubert and Arabie 1985, doi:10.1007/BF01908075.
    """
    table = np.zeros((int(one.max()) + 1, int(other.max()) + 1))
    np.add.at(table, (one, other), 1)
    together, first, second = (_pairs(counts) for counts in (table, table.sum(axis=1), table.sum(axis=0)))
    by_chance = first * second / max(_pairs(np.array([len(one)])), 1.0)
    most = (first + second) / 2
    return 1.0 if most == by_chance else (together - by_chance) / (most - by_chance)


def _pairs(counts: npt.NDArray[np.floating] | npt.NDArray[np.integer]) -> float:
    return float((counts * (counts - 1) / 2).sum())


def _bounds(features: tuple[str, ...], *, spread: float, n_units: int) -> tuple[float, float, float]:
    """Shortest and longest step, and the widest group, rounded to 6 decimals."""
    longer = min(max((SPARSE_BELOW / n_units) ** SPARSE_EXPONENT, 1.0), LONGEST_FACTOR)
    if "layout" not in features:
        shortest, longest = ALONE_STEPS
        bounds = (shortest * spread, longer * longest * spread, ALONE_WIDEST * spread)
    else:
        layout = share_of("layout", features)
        shortest, longest = LAYOUT_STEPS
        widest = layout * LAYOUT_WIDEST + (1 - layout) * ENCODER_WIDEST * spread
        bounds = (layout * shortest, layout * longer * longest, widest)
    return round(bounds[0], 6), round(bounds[1], 6), round(bounds[2], 6)
