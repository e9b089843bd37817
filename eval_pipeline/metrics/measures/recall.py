"""recall@k: share of all relevant units that is in the first k."""

import numpy as np
import polars as pl

from eval_pipeline.metrics.measures.measure import MeasureKind, over_relevant, within

KIND = MeasureKind(
    name="recall",
    definition="relevant units in the first k / all relevant units among the candidates (trec_eval)",
    part=lambda k: (pl.col("is_sufficient") & within(k)).sum().cast(pl.Float64),
    expected=lambda k: pl.col("share_sufficient").filter(within(k)).sum(),
    finish=lambda _, part: over_relevant(part),
    chance=lambda k, counts: np.minimum(k, counts.candidates) / np.maximum(counts.candidates, 1),
)
