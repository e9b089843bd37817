"""The nearest allowed members of a template, for all of its members at once."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from eval_pipeline.embeddings.index import SLACK, score_pairs
from eval_pipeline.foundation.protocols import Vectors

BLOCK_ROWS = 1024


@dataclass(frozen=True, kw_only=True)
class NearestPairs:
    """Pairs of members, sorted by row, then by similarity descending, then by column.

    Attributes:
        rows: whose neighbour it is.
        columns: the neighbour.
        ranks: 1-based within the row.
        similarities: canonical cosine similarity, float32.
    """

    rows: npt.NDArray[np.int64]
    columns: npt.NDArray[np.int64]
    ranks: npt.NDArray[np.int64]
    similarities: npt.NDArray[np.float32]


def multiply_block(matrix: Vectors, block: slice) -> Vectors:
    """Similarities of a block of members to all members."""
    product: Vectors = matrix[block] @ matrix.T
    return product


def pick_nearest(
    *, matrix: Vectors, product: Vectors, block: slice, allowed: npt.NDArray[np.bool_], places: int
) -> NearestPairs:
    """Keep the nearest allowed members of each row of a block.

    A matrix product may differ in its last digits with the shape of the matrix. So it only proposes: every member
    within reach of the last place is scored again pair by pair, and the order rests on those scores and on the column.

    Args:
        matrix: (n, dim) float32 of unit length, in order of unit id.
        product: (rows, n) similarities of the block to all members.
        block: which rows of the matrix the block is.
        allowed: (rows, n) True where a pair is allowed.
        places: neighbours wanted per row; at least 1.
    """
    masked = np.where(allowed, product, -np.inf)
    n_members = masked.shape[1]
    place = min(places, n_members) - 1
    bound = -np.partition(-masked, place, axis=1)[:, place]
    rows, columns = np.nonzero(allowed & (masked >= bound[:, None] - 2 * SLACK))
    scores = score_pairs(matrix[rows + block.start], matrix[columns])
    order = np.lexsort((columns, -scores, rows))
    rows, columns, scores = rows[order], columns[order], scores[order]
    starts = np.searchsorted(rows, rows, side="left")
    ranks = np.arange(len(rows)) - starts + 1
    kept = ranks <= places
    return NearestPairs(
        rows=rows[kept] + block.start, columns=columns[kept], ranks=ranks[kept], similarities=scores[kept]
    )


def blocks_of(n_members: int) -> list[slice]:
    """Blocks of rows that bound the memory of a large template."""
    return [slice(start, min(start + BLOCK_ROWS, n_members)) for start in range(0, n_members, BLOCK_ROWS)]
