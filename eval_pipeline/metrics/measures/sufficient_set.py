"""sufficient_set@k: one sufficient unit, or a whole jointly sufficient set, is in the first k."""

import polars as pl

from eval_pipeline.metrics.measures.measure import MeasureKind, any_within

KIND = MeasureKind(
    name="sufficient_set",
    definition="1 if sufficient@k, or all units of a jointly sufficient set are in the first k",
    part=lambda k: pl.max_horizontal(
        any_within("is_sufficient", k), (pl.col("joint_rank").first() <= k).fill_null(value=False).cast(pl.Float64)
    ),
    counts_joint=True,
)
