"""Pools as columns are sorted, whatever the order in which they were made."""

import numpy as np

from eval_pipeline.negatives.places import Shortfall, sort_pools


def test_rows_then_declared_axes_then_ranks() -> None:
    short = [Shortfall(axis=axis, n_wanted=1, n_found=0, reason="r") for axis in ("b", "a")]
    pools = sort_pools(
        axes=("b", "a"),
        rows=np.array([1, 0, 0, 0]),
        axis=np.array([0, 1, 0, 0]),
        ranks=np.array([1, 1, 2, 1]),
        columns=np.array([9, 8, 7, 6]),
        similarities=np.array([0.1, 0.2, 0.3, 0.4], dtype=np.float32),
        shortfalls=[(1, short[1]), (1, short[0]), (0, short[1])],
    )
    assert pools.columns.tolist() == [6, 7, 8, 9]
    assert pools.ranks.tolist() == [1, 2, 1, 1]
    assert pools.short_rows.tolist() == [0, 1, 1]
    assert [shortfall.axis for shortfall in pools.shortfalls] == ["a", "b", "a"]
