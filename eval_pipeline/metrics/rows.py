"""Ranked units with everything that a measure may read, sorted by question and rank."""

import polars as pl

from eval_pipeline.foundation.errors import InputError

FLAGS = ("is_sufficient", "is_supporting", "is_gold", "is_judged", "is_hidden", "is_waiting")


def check_ranked(ranked: pl.DataFrame) -> None:
    """Refuse rankings that no measure is defined on.

    Args:
        ranked: columns question_id, rank, unit_id.

    Raises:
        InputError: a unit is listed twice for one question, or ranks are not 1, 2, 3, ...; names question and unit.
    """
    repeated = ranked.filter(pl.struct("question_id", "unit_id").is_duplicated())
    if repeated.height:
        first = repeated.sort("question_id", "unit_id", "rank").row(0, named=True)
        message = (
            f"question {first['question_id']} lists unit {first['unit_id']} more than once ({repeated.height} rows in "
            "all); a duplicate would be credited twice, so leave one of each"
        )
        raise InputError(message)
    spans = ranked.group_by("question_id").agg(
        bad=(pl.col("rank").min() != 1) | (pl.col("rank").max() != pl.len()) | (pl.col("rank").n_unique() != pl.len())
    )
    bad = spans.filter("bad").sort("question_id")
    if bad.height:
        message = f"ranks of question {bad.item(0, 'question_id')} are not 1, 2, 3, ... ({bad.height} questions in all)"
        raise InputError(message)


def flag_rows(ranked: pl.DataFrame) -> pl.DataFrame:
    """Turn grades into flags.

    Args:
        ranked: columns question_id, rank, unit_id, grade (null: no label) and, where known, is_gold, is_waiting,
            is_hidden (Boolean) and score (Float64).

    Returns:
        question_id, unit_id, rank, the flags, score where it was given; sorted by question and rank.
    """
    given = set(ranked.columns)
    grade = pl.col("grade")
    absent = [pl.lit(value=False).alias(name) for name in ("is_gold", "is_waiting", "is_hidden") if name not in given]
    kept = [name for name in ("is_gold", "is_waiting", "is_hidden", "score") if name in given]
    return ranked.select(
        "question_id",
        "unit_id",
        pl.col("rank").cast(pl.Int64),
        (grade == "sufficient").fill_null(value=False).alias("is_sufficient"),
        (grade == "supporting").fill_null(value=False).alias("is_supporting"),
        grade.is_not_null().alias("is_judged"),
        *kept,
        *absent,
    ).sort("question_id", "rank")


def condense(rows: pl.DataFrame) -> pl.DataFrame:
    """Take units without a label out of the lists and close the gaps; pairs that wait for a judge keep their place."""
    kept = rows.filter(pl.col("is_judged") | pl.col("is_waiting"))
    return kept.with_columns(rank=pl.int_range(1, pl.len() + 1, dtype=pl.Int64).over("question_id"))


def add_running_counts(rows: pl.DataFrame, joint_sets: pl.DataFrame) -> pl.DataFrame:
    """Add `n_sufficient_so_far`, and `joint_rank`: the rank at which the first jointly sufficient set is whole.

    Args:
        rows: see `flag_rows`.
        joint_sets: columns question_id, joint_set_id, unit_id.
    """
    rows = rows.with_columns(n_sufficient_so_far=pl.col("is_sufficient").cum_sum().over("question_id"))
    if joint_sets.is_empty():
        return rows.with_columns(joint_rank=pl.lit(None, dtype=pl.Int64))
    placed = joint_sets.join(rows.select("question_id", "unit_id", "rank"), on=["question_id", "unit_id"], how="left")
    whole = placed.group_by("question_id", "joint_set_id").agg(
        joint_rank=pl.when(pl.col("rank").is_not_null().all()).then(pl.col("rank").max())
    )
    first = whole.group_by("question_id").agg(pl.col("joint_rank").min())
    return rows.join(first, on="question_id", how="left", maintain_order="left")


def add_ties(rows: pl.DataFrame) -> pl.DataFrame:
    """Add what an expectation over the orders of tied units needs (see `measures.measure`).

    Args:
        rows: with `score` and running counts; the order within a tie does not matter.

    Returns:
        The rows with tie_size, tie_place, share_*, n_sufficient_before, p_no_* and `in_last_tie`.
    """
    question, tie = "question_id", ["question_id", "tie"]
    begins = (pl.col("score") != pl.col("score").shift(1)).fill_null(value=True)
    rows = rows.with_columns(tie=begins.cum_sum().over(question))
    rows = rows.with_columns(
        tie_size=pl.len().over(tie).cast(pl.Int64),
        tie_place=pl.int_range(1, pl.len() + 1, dtype=pl.Int64).over(tie),
        in_last_tie=pl.col("tie") == pl.col("tie").max().over(question),
        is_evidence=pl.col("is_sufficient") | pl.col("is_supporting"),
        n_sufficient_before=pl.col("n_sufficient_so_far").max().over(tie) - pl.col("is_sufficient").sum().over(tie),
    )
    shares = {f"share_{name}": pl.col(f"is_{name}").mean().over(tie) for name in ("sufficient", "supporting", "judged")}
    missing = {
        f"p_no_{name}": _none_of(f"is_{name}") for name in ("sufficient", "supporting", "evidence", "gold", "hidden")
    }
    return rows.with_columns(**shares, **missing)


def _none_of(flag: str) -> pl.Expr:
    """Chance that the places so far hold none with the flag: one factor per place, drawn without replacement."""
    left = pl.col("tie_size") - pl.col("tie_place") + 1
    wanted = pl.col(flag).sum().over("question_id", "tie")
    factor = (left - wanted).clip(lower_bound=0) / left
    return factor.cum_prod().over("question_id")
