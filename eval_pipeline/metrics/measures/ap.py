"""ap@n: average precision over the first n, divided by all relevant units."""

import polars as pl

from eval_pipeline.metrics.measures.measure import MeasureKind, over_relevant, within


def _expected(k: int) -> pl.Expr:
    """A place is relevant with the share of its tie; given that, those above it in the tie share the rest evenly."""
    size, place = pl.col("tie_size"), pl.col("tie_place")
    n_tied = pl.col("share_sufficient") * size
    above_in_tie = pl.when(size > 1).then((place - 1) * (n_tied - 1) / (size - 1)).otherwise(0.0)
    precision = (pl.col("n_sufficient_before") + above_in_tie + 1) / pl.col("rank")
    return (pl.col("share_sufficient") * precision).filter(within(k)).sum()


KIND = MeasureKind(
    name="ap",
    definition="mean over all relevant units of the precision at their rank; 0 for those beyond n (trec_eval)",
    part=lambda k: (pl.col("n_sufficient_so_far") / pl.col("rank")).filter(pl.col("is_sufficient") & within(k)).sum(),
    expected=_expected,
    finish=lambda _, part: over_relevant(part),
)
