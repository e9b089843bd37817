"""The nearest allowed members of a template, for many of its members at once.

A matrix product may differ in its last digits with the shape of the matrix. So it only proposes: every member within
reach of the last place is scored again pair by pair, and the order rests on those scores and on the column.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from eval_pipeline.embeddings.index import SLACK, score_rows
from eval_pipeline.foundation.protocols import Vectors

MAX_BLOCK_ROWS, MIN_BLOCK_ROWS = 1024, 64
BLOCK_CELLS = 1 << 23
"""Products of a block, 32 MiB: a large template needs little more memory than a small one."""
NONE = -1
_COLUMNS_PER_PLACE = 4
"""Maxima kept per place to bound the last place from below: fewer let more members through to be scored again."""

Numbers = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, kw_only=True)
class NearestLists:
    """The nearest members of each row: similarity descending, then column ascending.

    Attributes:
        columns: (n, places) int64, -1 where there is none.
        similarities: (n, places) float32, 0 where there is none.
    """

    columns: Numbers
    similarities: npt.NDArray[np.float32]

    @property
    def counts(self) -> Numbers:
        """(n,) members found."""
        found: Numbers = (self.columns != NONE).sum(axis=1)
        return found


def no_lists(n_rows: int, places: int) -> NearestLists:
    """Lists in which nothing stands yet."""
    return NearestLists(
        columns=np.full((n_rows, places), NONE, dtype=np.int64),
        similarities=np.zeros((n_rows, places), dtype=np.float32),
    )


def blocks_of(n_rows: int, n_columns: int | None = None) -> list[slice]:
    """Blocks of rows that bound the memory of a large template; as many columns as rows by default."""
    n_columns = n_rows if n_columns is None else n_columns
    size = min(max(BLOCK_CELLS // max(n_columns, 1), MIN_BLOCK_ROWS), MAX_BLOCK_ROWS)
    return [slice(start, min(start + size, n_rows)) for start in range(0, n_rows, size)]


def multiply_block(matrix: Vectors, block: "slice | Numbers", others: Vectors | None = None) -> Vectors:
    """Similarities of a block of members, a slice or ascending rows, to all members, or to the columns of `others`."""
    if not isinstance(block, slice) and len(block) and block[-1] - block[0] + 1 == len(block):
        block = slice(int(block[0]), int(block[-1]) + 1)  # ascending without a gap: no copy of the rows
    product: Vectors = matrix[block] @ (matrix.T if others is None else others)
    return product


def pick_nearest(*, matrix: Vectors, masked: Vectors, rows: Numbers, places: int) -> NearestLists:
    """The nearest members of each of the given rows.

    Args:
        matrix: (n, dim) float32 of unit length, in order of unit id.
        masked: (r, n) products of the rows with all members; -inf where a pair is not allowed.
        rows: (r,) which rows of the matrix they are.
        places: members wanted per row, at least 1.
    """
    bound = np.maximum(_last_place(masked, places) - 2 * SLACK, -2.0)  # no cosine is below -1: -inf stays out
    near, columns = np.divmod(np.flatnonzero(masked >= bound[:, None]), masked.shape[1])
    scores = score_rows(matrix, rows[near], columns)
    return rank_pairs(rows=near, columns=columns, similarities=scores, n_rows=len(rows), places=places)


def _last_place(masked: Vectors, places: int) -> Vectors:
    """(r,) a similarity that at least so many members reach; -inf where fewer are allowed.

    Halves of the columns are laid over each other while enough columns stay: where so many columns hold a maximum of at
    least x, so many members are at least as near as x.
    """
    best = masked
    while best.shape[1] >= 2 * _COLUMNS_PER_PLACE * places:
        half = best.shape[1] // 2
        best = np.maximum(best[:, :half], best[:, half : 2 * half])
    if best.shape[1] < places:
        return np.full(len(masked), -np.inf, dtype=np.float32)
    last: Vectors = np.partition(best, best.shape[1] - places, axis=1)[:, best.shape[1] - places]
    return last


def rank_pairs(
    *, rows: Numbers, columns: Numbers, similarities: npt.NDArray[np.float32], n_rows: int, places: int
) -> NearestLists:
    """Keep the best pairs of each row.

    Args:
        rows: (m,) from 0 to n_rows - 1, in ascending order.
        columns: (m,) no pair twice.
        similarities: (m,) canonical scores.
        n_rows: rows of the lists.
        places: of each list.
    """
    counts = np.bincount(rows, minlength=n_rows)
    width = max(places, int(counts.max(initial=0)))
    spots = np.arange(len(rows)) - (np.cumsum(counts) - counts)[rows]
    keys = np.full((n_rows, width), _NO_KEY, dtype=np.int64)
    keys[rows, spots] = (_order_of(similarities) << _COLUMN_BITS) | columns
    keys.sort(axis=1)
    best = keys[:, :places]
    is_found = best != _NO_KEY
    return NearestLists(
        columns=np.where(is_found, best & _COLUMN_MASK, NONE),
        similarities=np.where(is_found, _similarity_of(best >> _COLUMN_BITS), np.float32(0)),
    )


_COLUMN_BITS = 32
_COLUMN_MASK = np.int64((1 << _COLUMN_BITS) - 1)
_NO_KEY = np.iinfo(np.int64).max
_SIGNLESS = np.int64(0x7FFFFFFF)


def _order_of(similarities: npt.NDArray[np.float32]) -> Numbers:
    """32-bit numbers that ascend where similarities descend: bits of a float, those of negative ones turned round."""
    bits = (similarities + np.float32(0)).view(np.int32).astype(np.int64)  # + 0: no negative zero
    order: Numbers = ~np.where(bits < 0, bits ^ _SIGNLESS, bits)
    return order


def _similarity_of(order: Numbers) -> npt.NDArray[np.float32]:
    bits = ~order
    similarities: npt.NDArray[np.float32] = np.where(bits < 0, bits ^ _SIGNLESS, bits).astype(np.int32).view(np.float32)
    return similarities
