"""The one total order of ranked units: score descending, then unit id ascending (MEASURES 4)."""

import numpy as np
import numpy.typing as npt
import polars as pl


def rank_by_score(frame: pl.DataFrame, *, by: tuple[str, ...] = ("question_id",)) -> pl.DataFrame:
    """Sort rows within each group and number them.

    Args:
        frame: columns `by`, `unit_id` (String) and `score` (Float64, finite).
        by: columns that name a group.

    Returns:
        The rows sorted by group, score descending, unit id ascending, with `rank` (Int64) from 1 without gaps.
    """
    ordered = frame.sort([*by, "score", "unit_id"], descending=[False] * len(by) + [True, False])
    return ordered.with_columns(rank=pl.int_range(1, pl.len() + 1, dtype=pl.Int64).over(list(by)))


def order_of(scores: npt.NDArray[np.floating], unit_ids: npt.NDArray[np.str_]) -> npt.NDArray[np.intp]:
    """Positions that sort one list of candidates: score descending, unit id ascending.

    Args:
        scores: (n,) finite.
        unit_ids: (n,) text.
    """
    return np.lexsort((unit_ids, -scores.astype(np.float64)))
