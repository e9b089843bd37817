"""ndcg@k: discounted gain over the best that the candidates allow; gains 2 / 1 / 0."""

import numpy as np
import polars as pl

from eval_pipeline.metrics.measures.measure import MeasureKind, within

GAIN_SUFFICIENT, GAIN_SUPPORTING = 2.0, 1.0


def _discounted(gain: pl.Expr, k: int) -> pl.Expr:
    return (gain / (pl.col("rank") + 1).log(2)).filter(within(k)).sum()


def _ideal(k: int) -> pl.Expr:
    """Gain of the best order of the first k: sufficient units first, then supporting ones."""
    discounts = np.concatenate([[0.0], np.cumsum(1 / np.log2(np.arange(2, k + 2)))])

    def sum_of_first(count: pl.Expr) -> pl.Expr:
        return count.clip(0, k).map_batches(
            lambda places: pl.Series(discounts[places.to_numpy()]), return_dtype=pl.Float64
        )

    n_best, n_some = pl.col("n_relevant"), pl.col("n_relevant") + pl.col("n_supporting")
    some = GAIN_SUPPORTING * sum_of_first(n_some)
    return some + (GAIN_SUFFICIENT - GAIN_SUPPORTING) * sum_of_first(n_best)


def _finish(k: int, part: pl.Expr) -> pl.Expr:
    ideal = _ideal(k)
    return pl.when(ideal > 0).then(part / ideal).otherwise(0.0)


KIND = MeasureKind(
    name="ndcg",
    definition="sum of gain / log2(rank + 1) over the first k, divided by that of the best order (trec_eval)",
    part=lambda k: _discounted(
        GAIN_SUFFICIENT * pl.col("is_sufficient").cast(pl.Float64)
        + GAIN_SUPPORTING * pl.col("is_supporting").cast(pl.Float64),
        k,
    ),
    expected=lambda k: _discounted(
        GAIN_SUFFICIENT * pl.col("share_sufficient") + GAIN_SUPPORTING * pl.col("share_supporting"), k
    ),
    finish=_finish,
    counts_supporting=True,
)
