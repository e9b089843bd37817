"""The question set in force: what became of every root question and of the questions that qualify it."""

import polars as pl

NO_POOL = ""


def posed_in_force(
    *, roots: pl.DataFrame, gold: pl.DataFrame, unit_pools: pl.DataFrame, posed: pl.DataFrame
) -> pl.DataFrame:
    """Follow every root question to its outcome under the pool of its first gold unit, and on to its children.

    Args:
        roots: column question_id; written and imported questions in force.
        gold: columns question_id, position, unit_id, of roots and of their children.
        unit_pools: columns unit_id, pool_id; pools in force.
        posed: rows of questions.well_posedness under one judge and policy.

    Returns:
        The rows of `posed` that are in force, sorted by question id. A root without a row has not been posed yet.
    """
    first = gold.filter(pl.col("position") == 1).select("question_id", "unit_id")
    pool_of = first.join(unit_pools.select("unit_id", "pool_id"), on="unit_id", how="left").select(
        "question_id", pl.col("pool_id").fill_null(NO_POOL)
    )
    wanted = roots.select("question_id").unique()
    found: list[pl.DataFrame] = []
    while wanted.height:
        keyed = wanted.join(pool_of, on="question_id", how="left").with_columns(pl.col("pool_id").fill_null(NO_POOL))
        rows = posed.join(keyed, on=["question_id", "pool_id"], how="semi")
        found.append(rows)
        wanted = rows.select(question_id="child_question_id").drop_nulls().unique()
    return pl.concat(found).unique(subset=["question_id"]).sort("question_id") if found else posed.clear()


def unposed(*, roots: pl.DataFrame, gold: pl.DataFrame, unit_pools: pl.DataFrame, posed: pl.DataFrame) -> pl.DataFrame:
    """Root questions without an outcome under their present pool; see `posed_in_force` for the arguments."""
    done = posed_in_force(roots=roots, gold=gold, unit_pools=unit_pools, posed=posed)
    return roots.join(done, on="question_id", how="anti").sort("question_id")


def with_drawn_pools(*, roots: pl.DataFrame, gold: pl.DataFrame, unit_pools: pl.DataFrame) -> pl.DataFrame:
    """Leave out questions whose first gold unit has a template, but no pool yet: posed now, they would be vacuous.

    Args:
        roots: columns question_id, template_id (of the first gold unit; null without one).
        gold: columns question_id, position, unit_id.
        unit_pools: column unit_id; pools in force.
    """
    drawn = gold.filter(pl.col("position") == 1).join(unit_pools, on="unit_id", how="semi")
    return roots.filter(pl.col("template_id").is_null() | pl.col("question_id").is_in(drawn["question_id"].to_list()))
