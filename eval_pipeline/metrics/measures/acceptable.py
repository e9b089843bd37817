"""acceptable@k: any acceptable unit of an under-specified question is in the first k."""

from eval_pipeline.metrics.measures.measure import MeasureKind, any_within, chance_none, expect_any

KIND = MeasureKind(
    name="acceptable",
    definition="under-specified slice: 1 if any acceptable unit, that is one labelled sufficient, is in the first k",
    part=lambda k: any_within("is_sufficient", k),
    expected=lambda k: expect_any("p_no_sufficient", k),
    chance=lambda k, counts: 1 - chance_none(k, counts.candidates, counts.relevant),
)
