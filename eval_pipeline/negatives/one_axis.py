"""Pools of the relations that have one axis: all k places go to the nearest members that a rule allows."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from eval_pipeline.foundation.protocols import Vectors
from eval_pipeline.negatives.nearest import blocks_of, multiply_block, pick_nearest
from eval_pipeline.negatives.siblings import NO_VECTOR, Place, Pool, Shortfall

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
    ranked: list[list[tuple[int, float]]] = [[] for _ in range(len(matrix))]
    for block in blocks_of(len(matrix)):
        product = multiply_block(matrix, block)
        found = pick_nearest(matrix=matrix, product=product, block=block, allowed=allow(block), places=places)
        for row, column, similarity in zip(
            found.rows.tolist(), found.columns.tolist(), found.similarities.tolist(), strict=True
        ):
            ranked[row].append((column, similarity))
    return ranked


def fill_pool(
    nearest: Sequence[tuple[int, float]], *, axis: str, k: int, n_others: int, reasons: Reasons | str
) -> Pool:
    """A pool with the first k of the given members, and its shortfall where they are fewer.

    Args:
        nearest: (column, similarity), nearest first.
        axis: on which the negatives differ.
        k: places.
        n_others: other members of the group.
        reasons: why places may stay open, or the one reason that holds.
    """
    kept = nearest[:k]
    places = [
        Place(axis=axis, rank=rank, negative=column, similarity=similarity)
        for rank, (column, similarity) in enumerate(kept, start=1)
    ]
    if len(kept) == k:
        return Pool(places=places)
    reason = reasons if isinstance(reasons, str) else reasons.tell(n_others=n_others, n_found=len(kept))
    return Pool(places=places, shortfalls=[Shortfall(axis=axis, n_wanted=k, n_found=len(kept), reason=reason)])


def without_vector(axis: str, k: int) -> list[Shortfall]:
    """Shortfall of a unit without a vector to measure nearness with."""
    return [Shortfall(axis=axis, n_wanted=k, n_found=0, reason=NO_VECTOR)]
