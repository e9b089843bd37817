"""supporting@k: a unit labelled supporting is in the first k."""

from eval_pipeline.metrics.measures.measure import MeasureKind, any_within, chance_none, expect_any

KIND = MeasureKind(
    name="supporting",
    definition="1 if a unit labelled supporting is in the first k",
    part=lambda k: any_within("is_supporting", k),
    expected=lambda k: expect_any("p_no_supporting", k),
    chance=lambda k, counts: 1 - chance_none(k, counts.candidates, counts.supporting),
)
