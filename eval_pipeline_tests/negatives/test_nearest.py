"""Nearest allowed pairs against a plain sort."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from eval_pipeline.embeddings.index import score_rows
from eval_pipeline.embeddings.vectors import normalise_rows
from eval_pipeline.negatives.nearest import NONE, blocks_of, multiply_block, no_lists, pick_nearest, rank_pairs


@settings(max_examples=100, deadline=None)
@given(n=st.integers(1, 90), places=st.integers(1, 8), seed=st.integers(0, 99), n_distinct=st.integers(1, 90))
def test_lists_equal_a_plain_sort_with_ties_to_the_smaller_column(
    n: int, places: int, seed: int, n_distinct: int
) -> None:
    rng = np.random.default_rng(seed)
    distinct = normalise_rows(rng.normal(size=(n_distinct, 5)))
    matrix = np.ascontiguousarray(distinct[rng.integers(0, n_distinct, n)])
    allowed = rng.random((n, n)) < rng.random()
    rows = np.sort(rng.choice(n, size=rng.integers(1, n + 1), replace=False))
    masked = np.where(allowed[rows], multiply_block(matrix, rows), np.float32(-np.inf))
    found = pick_nearest(matrix=matrix, masked=masked, rows=rows, places=places)
    for place, row in enumerate(rows.tolist()):
        columns = np.flatnonzero(allowed[row])
        scores = score_rows(matrix, np.full(len(columns), row), columns)
        expected = sorted(zip((-scores).tolist(), columns.tolist(), strict=True))[:places]
        open_places = [NONE] * (places - len(expected))
        assert found.columns[place].tolist() == [column for _, column in expected] + open_places
        assert found.similarities[place].tolist() == [-score for score, _ in expected] + [0.0] * len(open_places)
        assert found.counts[place] == len(expected)


def test_a_rough_product_never_decides_the_order() -> None:
    matrix = np.array([[1.0, 0.0], [0.6, 0.8], [0.6, 0.8]], dtype=np.float32)
    masked = np.array([[-np.inf, 0.6, 0.6000001]], dtype=np.float32)
    found = pick_nearest(matrix=matrix, masked=masked, rows=np.array([0]), places=1)
    assert found.columns.tolist() == [[1]]


def test_pairs_of_rows_without_any_leave_empty_lists() -> None:
    nobody = np.zeros(0, dtype=np.int64)
    lists = rank_pairs(rows=nobody, columns=nobody, similarities=np.zeros(0, dtype=np.float32), n_rows=2, places=3)
    assert lists.columns.tolist() == no_lists(2, 3).columns.tolist() == [[NONE] * 3] * 2


def test_blocks_cover_every_row_once() -> None:
    rows = [row for block in blocks_of(2500) for row in range(block.start, block.stop)]
    assert rows == list(range(2500))
    assert blocks_of(0) == []


def test_blocks_of_a_large_template_are_shorter_but_never_tiny() -> None:
    sizes = [blocks_of(n)[0].stop for n in (400, 8192, 40_000, 400_000)]
    assert sizes == [400, 1024, 209, 64]
    assert blocks_of(100, 400_000)[0] == slice(0, 64)


def test_similarities_of_either_sign_keep_their_bits_and_their_order() -> None:
    scores = np.array([-1.0, 0.0, -0.0, 1.0000001, -0.25, 1e-30, -1e-30, 0.5], dtype=np.float32)
    columns = np.array([7, 6, 5, 4, 3, 2, 1, 0])
    found = rank_pairs(rows=np.zeros(8, dtype=np.int64), columns=columns, similarities=scores, n_rows=1, places=8)
    assert found.columns.tolist() == [[4, 0, 2, 5, 6, 1, 3, 7]]
    assert found.similarities[0].tolist() == sorted((scores + np.float32(0)).tolist(), reverse=True)
