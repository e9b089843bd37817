"""Nearest allowed pairs against a plain sort."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from eval_pipeline.embeddings.index import score_pairs
from eval_pipeline.embeddings.vectors import normalise_rows
from eval_pipeline.negatives.nearest import blocks_of, multiply_block, pick_nearest


@settings(max_examples=60, deadline=None)
@given(n=st.integers(1, 30), places=st.integers(1, 8), seed=st.integers(0, 99), n_distinct=st.integers(1, 30))
def test_pairs_equal_a_plain_sort_with_ties_to_the_smaller_column(
    n: int, places: int, seed: int, n_distinct: int
) -> None:
    rng = np.random.default_rng(seed)
    distinct = normalise_rows(rng.normal(size=(n_distinct, 5)))
    matrix = np.ascontiguousarray(distinct[rng.integers(0, n_distinct, n)])
    allowed = rng.random((n, n)) < 0.6
    block = slice(0, n)
    found = pick_nearest(
        matrix=matrix, product=multiply_block(matrix, block), block=block, allowed=allowed, places=places
    )
    expected = []
    for row in range(n):
        columns = np.flatnonzero(allowed[row])
        scores = score_pairs(np.repeat(matrix[row : row + 1], len(columns), axis=0), matrix[columns])
        ordered = sorted(zip((-scores).tolist(), columns.tolist(), strict=True))[:places]
        expected += [(row, column, rank) for rank, (_, column) in enumerate(ordered, start=1)]
    assert list(zip(found.rows.tolist(), found.columns.tolist(), found.ranks.tolist(), strict=True)) == expected


def test_blocks_cover_every_row_once() -> None:
    rows = [row for block in blocks_of(2500) for row in range(block.start, block.stop)]
    assert rows == list(range(2500))
    assert blocks_of(0) == []
