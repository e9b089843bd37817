"""What a random order of the candidates would score: the line to read every figure of an arena against."""

from collections.abc import Sequence

import polars as pl

from eval_pipeline.metrics.measures.measure import Counts, Measure


def chance_of(measures: Sequence[Measure], questions: pl.DataFrame) -> pl.DataFrame:
    """Chance of every measure on every question.

    Args:
        measures: measures.
        questions: columns question_id, n_candidates, n_relevant, n_supporting, n_gold.

    Returns:
        question_id, measure, chance; null where the measure has none or the size of the arena is not known.
    """
    known = questions.filter(pl.col("n_candidates") > 0).sort("question_id")
    counts = Counts(
        candidates=known["n_candidates"].cast(pl.Float64).to_numpy(),
        relevant=known["n_relevant"].cast(pl.Float64).to_numpy(),
        supporting=known["n_supporting"].cast(pl.Float64).to_numpy(),
        gold=known["n_gold"].cast(pl.Float64).to_numpy(),
    )
    frames = [
        known.select(
            "question_id",
            measure=pl.lit(str(measure)),
            chance=pl.lit(None, dtype=pl.Float64)
            if measure.kind.chance is None
            else pl.Series(measure.kind.chance(measure.cut, counts), dtype=pl.Float64),
        )
        for measure in measures
    ]
    return pl.concat(frames)
