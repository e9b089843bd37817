"""top@k: the gold unit is in the first k."""

from eval_pipeline.metrics.measures.measure import MeasureKind, any_within, chance_none, expect_any

KIND = MeasureKind(
    name="top",
    definition="1 if the gold unit is in the first k; ignores labels and their policies",
    part=lambda k: any_within("is_gold", k),
    expected=lambda k: expect_any("p_no_gold", k),
    chance=lambda k, counts: 1 - chance_none(k, counts.candidates, counts.gold),
    reads_labels=False,
    needs_relevant=False,
    needs_gold=True,
)
