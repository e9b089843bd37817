"""Whether every place of every pool is filled or accounted for."""

from collections.abc import Sequence

import polars as pl


def unrecorded_shortfalls(
    *, unit_pools: pl.DataFrame, negatives: pl.DataFrame, shortfalls: pl.DataFrame, axes: Sequence[str], k: int
) -> pl.DataFrame:
    """Places that are empty without a shortfall row that says why.

    Args:
        unit_pools: columns unit_id, pool_id.
        negatives: rows of negatives.negative of these pools.
        shortfalls: rows of negatives.shortfall of these pools.
        axes: declared axes, in order.
        k: places of a pool.

    Returns:
        Columns pool_id, unit_id, n_missing; empty when every place is accounted for.
    """
    filled = negatives.group_by("pool_id").agg(n_filled=pl.len().cast(pl.Int64))
    short = shortfalls.group_by("pool_id").agg(n_short=(pl.col("n_wanted") - pl.col("n_found")).sum())
    places = k if axes else 0
    return (
        unit_pools.select("pool_id", "unit_id")
        .join(filled, on="pool_id", how="left")
        .join(short, on="pool_id", how="left")
        .with_columns(n_missing=places - pl.col("n_filled").fill_null(0) - pl.col("n_short").fill_null(0))
        .filter(pl.col("n_missing") > 0)
        .select("pool_id", "unit_id", "n_missing")
        .sort("pool_id", "unit_id")
    )
