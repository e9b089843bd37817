"""Whether every question of the main set has a gold unit that answers it."""

import polars as pl


def main_without_answering_gold(*, posed: pl.DataFrame, questions: pl.DataFrame) -> pl.DataFrame:
    """Written questions of the main set whose own gold unit was not judged to answer them.

    Imported questions keep their place in the set whatever a judge says: people named their evidence.

    Args:
        posed: rows of questions.well_posedness in force.
        questions: rows of questions.question.

    Returns:
        Columns question_id, outcome, reason; empty when all is well.
    """
    written = questions.filter(pl.col("origin").is_in(["written", "qualified"])).select("question_id")
    bad = (pl.col("slice") == "main") & (pl.col("gold_abstained") | pl.col("outcome").is_in(["gold_fails", "no_gold"]))
    return (
        posed.join(written, on="question_id", how="semi")
        .filter(bad)
        .select("question_id", "outcome", "reason")
        .sort("question_id")
    )
