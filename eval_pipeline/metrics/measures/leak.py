"""leak@k: a unit that the asker may not see is in the first k."""

from eval_pipeline.metrics.measures.measure import MeasureKind, any_within, expect_any

KIND = MeasureKind(
    name="leak",
    definition="1 if a unit that the asker may not see is in the first k; anything but 0 fails the run",
    part=lambda k: any_within("is_hidden", k),
    expected=lambda k: expect_any("p_no_hidden", k),
    reads_labels=False,
    needs_relevant=False,
)
