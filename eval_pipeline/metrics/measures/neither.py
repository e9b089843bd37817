"""neither@k: the first k hold no evidence at all."""

import polars as pl

from eval_pipeline.metrics.measures.measure import MeasureKind, chance_none, expect_any, within

KIND = MeasureKind(
    name="neither",
    definition="1 if the first k hold neither a sufficient nor a supporting unit",
    part=lambda k: ((pl.col("is_sufficient") | pl.col("is_supporting")) & within(k)).any().cast(pl.Float64),
    expected=lambda k: expect_any("p_no_evidence", k),
    finish=lambda _, part: 1.0 - part,
    chance=lambda k, counts: chance_none(k, counts.candidates, counts.relevant + counts.supporting),
)
