"""precision@k: share of the first k places that holds a relevant unit."""

import numpy as np
import polars as pl

from eval_pipeline.metrics.measures.measure import MeasureKind, within

KIND = MeasureKind(
    name="precision",
    definition="relevant units in the first k / k, also where fewer than k came back (trec_eval)",
    part=lambda k: (pl.col("is_sufficient") & within(k)).sum().cast(pl.Float64),
    expected=lambda k: pl.col("share_sufficient").filter(within(k)).sum(),
    finish=lambda k, part: part / k,
    chance=lambda k, counts: np.minimum(k, counts.candidates) / k * counts.relevant / np.maximum(counts.candidates, 1),
)
