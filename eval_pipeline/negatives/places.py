"""Negatives and shortfalls of all members of a group, as columns: what every relation's rule returns."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True, kw_only=True)
class Shortfall:
    """Places of an axis that no sibling fills, or the facet for whose lack the axes were set aside.

    Attributes:
        axis: axis, or `appearance`.
        n_wanted: places.
        n_found: negatives found.
        reason: why.
    """

    axis: str
    n_wanted: int
    n_found: int
    reason: str


@dataclass(frozen=True, kw_only=True)
class Pools:
    """Pools of the members of a group.

    Attributes:
        axes: names of the axes, in declared order; rows refer to them by place.
        rows: (n_negatives,) member whose negative it is; ascending, then by axis, then by rank.
        axis: (n_negatives,) place in `axes`.
        ranks: (n_negatives,) 1-based within member and axis.
        columns: (n_negatives,) the negative, as row of the group.
        similarities: (n_negatives,) float32, cosine.
        short_rows: (n_shortfalls,) member that is short; ascending.
        shortfalls: (n_shortfalls) what it lacks, in declared order of axes within a member.
    """

    axes: tuple[str, ...]
    rows: Numbers
    axis: Numbers
    ranks: Numbers
    columns: Numbers
    similarities: npt.NDArray[np.float32]
    short_rows: Numbers
    shortfalls: tuple[Shortfall, ...]


def sort_pools(
    *,
    axes: tuple[str, ...],
    rows: Numbers,
    axis: Numbers,
    ranks: Numbers,
    columns: Numbers,
    similarities: npt.NDArray[np.float32],
    shortfalls: Sequence[tuple[int, Shortfall]],
) -> Pools:
    """Pools from negatives and shortfalls in any order.

    Args:
        axes: see `Pools`, as are the columns that follow.
        rows: see there.
        axis: see there.
        ranks: see there.
        columns: see there.
        similarities: see there.
        shortfalls: (member, what it lacks).
    """
    order = np.lexsort((ranks, axis, rows))
    told = sorted(shortfalls, key=lambda named: (named[0], axes.index(named[1].axis)))
    return Pools(
        axes=axes,
        rows=rows[order],
        axis=axis[order],
        ranks=ranks[order],
        columns=columns[order],
        similarities=similarities[order],
        short_rows=np.array([row for row, _ in told], dtype=np.int64),
        shortfalls=tuple(shortfall for _, shortfall in told),
    )
