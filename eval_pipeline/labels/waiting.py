"""Pairs whose judge has not answered yet: they have no label, and what rests on them has no value."""

import polars as pl

from eval_pipeline.judging.asking import add_verdict_ids


def pairs_without_verdict(
    *, candidates: pl.DataFrame, questions: pl.DataFrame, units: pl.DataFrame, verdicts: pl.DataFrame, judge_id: str
) -> pl.DataFrame:
    """Candidate pairs that the judge was to label and has said nothing on; an abstention is an answer.

    Args:
        candidates: question_id, unit_id.
        questions: question_id, text.
        units: units in force: unit_id, picture_hash, text_hash; other units wait for nobody.
        verdicts: rows of judging.verdict.
        judge_id: judge version.

    Returns:
        question_id, unit_id; sorted.
    """
    pairs = (
        candidates.select("question_id", "unit_id")
        .unique()
        .join(questions.select("question_id", "text"), on="question_id")
        .join(units.select("unit_id", "picture_hash", "text_hash"), on="unit_id")
    )
    keyed = add_verdict_ids(pairs, verb="label", judge_id=judge_id)
    return (
        keyed.join(verdicts.select("verdict_id"), on="verdict_id", how="anti")
        .select("question_id", "unit_id")
        .sort("question_id", "unit_id")
    )
