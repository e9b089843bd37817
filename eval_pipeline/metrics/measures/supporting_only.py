"""supporting_only@k: the first k support, but do not suffice."""

import polars as pl

from eval_pipeline.metrics.measures.measure import MeasureKind, any_within, chance_none, within

KIND = MeasureKind(
    name="supporting_only",
    definition="1 if supporting@k = 1 and sufficient@k = 0",
    part=lambda k: any_within("is_supporting", k) * (1.0 - any_within("is_sufficient", k)),
    # No sufficient unit, less the orders that hold no supporting one either.
    expected=lambda k: (
        pl.col("p_no_sufficient").filter(within(k)).min() - pl.col("p_no_evidence").filter(within(k)).min()
    ),
    chance=lambda k, counts: (
        chance_none(k, counts.candidates, counts.relevant)
        - chance_none(k, counts.candidates, counts.relevant + counts.supporting)
    ),
)
