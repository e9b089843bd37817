"""Pools of the relations that have one axis: all k places go to the nearest members that a rule allows."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from eval_pipeline.foundation.protocols import Vectors
from eval_pipeline.negatives.nearest import NONE, blocks_of, multiply_block, pick_nearest
from eval_pipeline.negatives.places import Pools, Shortfall, sort_pools
from eval_pipeline.negatives.shortfalls import NO_VECTOR

AllowPairs = Callable[[slice], npt.NDArray[np.bool_]]
"""(rows, n) of a block of members: True where the column may be a negative of the row."""


@dataclass(frozen=True, kw_only=True)
class Reasons:
    """Why a place stays open, in the words of one relation.

    Attributes:
        alone: the group has no other member.
        none: there are others, and none is allowed.
        no_further: some were found, fewer than places.
    """

    alone: str
    none: str
    no_further: str

    def tell(self, *, n_others: int, n_found: int) -> str:
        """The reason that fits the counts."""
        if n_found:
            return self.no_further
        return self.none if n_others else self.alone


def rank_allowed(*, matrix: Vectors, allow: AllowPairs, places: int) -> list[list[tuple[int, float]]]:
    """The nearest allowed members of each member.

    Args:
        matrix: (n, dim) float32 of unit length, in order of unit id.
        allow: which pairs are allowed.
        places: members wanted, at least 1.

    Returns:
        One list per member of (column, similarity): similarity descending, then unit id ascending.
    """
    ranked: list[list[tuple[int, float]]] = []
    for block in blocks_of(len(matrix)):
        masked = np.where(allow(block), multiply_block(matrix, block), np.float32(-np.inf))
        found = pick_nearest(matrix=matrix, masked=masked, rows=np.arange(len(matrix))[block], places=places)
        for columns, similarities in zip(found.columns.tolist(), found.similarities.tolist(), strict=True):
            pairs = zip(columns, similarities, strict=True)
            ranked.append([(column, similarity) for column, similarity in pairs if column != NONE])
    return ranked


def fill_pools(
    nearest: Sequence[Sequence[tuple[int, float]]], *, axis: str, k: int, reasons: Sequence[Reasons | str]
) -> Pools:
    """Pools with the first k of the given members, and shortfalls where they are fewer.

    Args:
        nearest: per member (column, similarity), nearest first.
        axis: on which the negatives differ.
        k: places.
        reasons: per member, why places may stay open, or the one reason that holds.
    """
    places = [
        (row, rank, column, similarity)
        for row, found in enumerate(nearest)
        for rank, (column, similarity) in enumerate(found[:k], start=1)
    ]
    n_others = len(nearest) - 1
    short = [
        (row, _tell_open(axis, k, min(k, len(found)), n_others, reason))
        for row, (found, reason) in enumerate(zip(nearest, reasons, strict=True))
        if len(found) < k
    ]
    return sort_pools(
        axes=(axis,),
        rows=np.array([row for row, *_ in places], dtype=np.int64),
        axis=np.zeros(len(places), dtype=np.int64),
        ranks=np.array([rank for _, rank, *_ in places], dtype=np.int64),
        columns=np.array([column for *_, column, _ in places], dtype=np.int64),
        similarities=np.array([similarity for *_, similarity in places], dtype=np.float32),
        shortfalls=short,
    )


def _tell_open(axis: str, k: int, n_found: int, n_others: int, reasons: Reasons | str) -> Shortfall:
    reason = reasons if isinstance(reasons, str) else reasons.tell(n_others=n_others, n_found=n_found)
    return Shortfall(axis=axis, n_wanted=k, n_found=n_found, reason=reason)


def without_vector(axis: str, k: int) -> list[Shortfall]:
    """Shortfall of a unit without a vector to measure nearness with."""
    return [Shortfall(axis=axis, n_wanted=k, n_found=0, reason=NO_VECTOR)]
