"""Counts of the funnel from written questions to the main set (MEASURES 2)."""

import json

import polars as pl


def count_funnel(well_posedness: pl.DataFrame, questions: pl.DataFrame) -> dict[str, int]:
    """How many questions there were, where the others went, and why.

    Args:
        well_posedness: rows of questions.well_posedness of one judge and policy, one per question.
        questions: rows of questions.question; those without a row in `well_posedness` are counted as `not_posed`.

    Returns:
        Counts in the order to show them. `answerable_axis=A` counts a question once per axis that failed, so these
        may sum to more than `answerable`; `vacuous` counts well-posed questions without hard negatives.
    """
    rows = questions.join(well_posedness, on="question_id", how="left")
    posed = rows.filter(pl.col("outcome").is_not_null())
    counts = {
        "written": rows.filter(pl.col("origin") == "written").height,
        "imported": rows.filter(pl.col("origin") == "import").height,
        "tickets": rows.filter(pl.col("origin") == "ticket").height,
    }
    for outcome in ("no_gold", "gold_fails", "answerable"):
        counts[outcome] = posed.filter(pl.col("outcome") == outcome).height
    failed = [
        axis for text in posed.filter(pl.col("outcome") == "answerable")["failing_axes"] for axis in json.loads(text)
    ]
    counts |= {f"answerable_axis={axis}": failed.count(axis) for axis in dict.fromkeys(sorted(failed))}
    promoted = pl.col("promoted_unit_ids") != "[]"
    return counts | {
        "qualified": rows.filter(pl.col("origin") == "qualified").height,
        "unresolved": posed.filter(pl.col("outcome") == "unresolved").height,
        "waiting": posed.filter(pl.col("outcome") == "waiting").height,
        "well_posed": posed.filter(pl.col("outcome") == "well_posed").height,
        "vacuous": posed.filter((pl.col("outcome") == "well_posed") & (pl.col("n_judged") == 0)).height,
        "under_specified": posed.filter(pl.col("slice") == "under-specified").height,
        "promoted": posed.filter((pl.col("outcome") == "answerable") & promoted).height,
        "dropped": posed.filter((pl.col("outcome") == "answerable") & pl.col("slice").is_null()).height,
        "main": posed.filter(pl.col("slice") == "main").height,
        "regression": posed.filter(pl.col("slice") == "regression").height,
        "not_posed": rows.height - posed.height,
    }
