"""judged@k: share of the first k that carries a label for this question."""

import polars as pl

from eval_pipeline.metrics.measures.measure import MeasureKind, within

KIND = MeasureKind(
    name="judged",
    definition="units in the first k that carry a label for this very question / units in the first k",
    part=lambda k: (pl.col("is_judged") & within(k)).sum().cast(pl.Float64),
    expected=lambda k: pl.col("share_judged").filter(within(k)).sum(),
    # No value over an empty list: a share of nothing is not 0.
    finish=lambda k, part: pl.when(pl.col("n_ranked") > 0).then(part / pl.col("n_ranked").clip(upper_bound=k)),
    needs_relevant=False,
)
