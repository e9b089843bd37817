"""Groups of pages of one layout: chains of near pages, none of them wide, strays gathered among themselves.

Pages of one layout lie on a path: the bars of a chart move a little from page to page, and the first and the last of
them may be further apart than two different tables. Average link sees only how far apart groups are, so it splits such
a layout or joins the tables; a chain of near neighbours holds it together. Where there is no layout, as in running
text, chains do not end; a group that is wide on average is therefore split again. And a report that appears once a year
has no near neighbour to make a chain of; single pages are therefore merged with each other, never with a chain, as far
as a group may be wide.
"""

from dataclasses import dataclass

import numpy as np

from eval_pipeline.embeddings.kmeans import number_groups
from eval_pipeline.templates.grouping import Distances, Labels, MergeTree, cut_merges, link

CODE_VERSION = "2"
SETTLED = 2
"""Units from which on a group is no stray. (While pairs were strays, three statements of a company with two reports,
each a pair, became one template of six pages.)"""


@dataclass(frozen=True, kw_only=True)
class Reach:
    """How near pages of one template are.

    Attributes:
        step: largest cosine distance from one page of a chain to the next; where `widest` is None, the distance at
            which average link stops.
        widest: largest mean distance between the members of a group; None where the cut was declared.
    """

    step: float
    widest: float | None = None


def group_units(tree: MergeTree, *, reach: Reach) -> Labels:
    """(n,) group of each unit: by chains, or by average link at a declared cut; numbered by first appearance."""
    if reach.widest is None:
        return tree.cut_units(reach.step)
    return _group_chains(tree, step=reach.step, widest=reach.widest)


def _group_chains(tree: MergeTree, *, step: float, widest: float) -> Labels:
    distances = tree.distances
    chains = cut_merges(link(distances, method="single"), step, n_leaves=len(distances))
    return tree.spread(_gather_strays(tree, _split_wide(distances, chains, widest), widest))


def _split_wide(distances: Distances, groups: Labels, widest: float) -> Labels:
    made = groups.copy()
    for group in range(int(groups.max()) + 1):
        rows = np.flatnonzero(groups == group)
        if len(rows) > 1 and mean_inside(distances, rows) > widest:
            inside = distances[np.ix_(rows, rows)]
            parts = cut_merges(link(inside, method="average"), widest, n_leaves=len(rows))
            made[rows] = int(made.max()) + 1 + parts
    return number_groups(made)


def _gather_strays(tree: MergeTree, groups: Labels, widest: float) -> Labels:
    sizes = np.bincount(groups, weights=tree.n_units_of)
    rows = np.flatnonzero(sizes[groups] < SETTLED)
    if len(rows) < 2:
        return groups
    made = groups.copy()
    inside = tree.distances[np.ix_(rows, rows)]
    made[rows] = int(groups.max()) + 1 + cut_merges(link(inside, method="average"), widest, n_leaves=len(rows))
    return number_groups(made)


def mean_inside(distances: Distances, rows: np.ndarray[tuple[int], np.dtype[np.intp]]) -> float:
    """Mean distance between two different members; at least two are needed."""
    return float(distances[np.ix_(rows, rows)].sum() / (len(rows) * (len(rows) - 1)))
