"""rr@k: reciprocal rank of the first relevant unit in the first k."""

import polars as pl

from eval_pipeline.metrics.measures.measure import MeasureKind, within


def _expected(k: int) -> pl.Expr:
    """Sum over places of 1 / rank times the chance that the first relevant unit stands there."""
    none_before = pl.col("p_no_sufficient").shift(1, fill_value=1.0)
    return ((none_before - pl.col("p_no_sufficient")) / pl.col("rank")).filter(within(k)).sum()


KIND = MeasureKind(
    name="rr",
    definition="1 / rank of the first relevant unit, 0 if none is in the first k (trec_eval)",
    part=lambda k: (1.0 / pl.col("rank")).filter(pl.col("is_sufficient") & within(k)).max(),
    expected=_expected,
)
