"""Effective pools: the hard negatives without the units that were promoted to sufficient."""

import json

import polars as pl

from eval_pipeline.foundation import ids
from eval_pipeline.foundation.outputs import StageOutput
from eval_pipeline.foundation.tables import labels as tables

CODE_VERSION = "1"


def effective_pools(*, well_posedness: pl.DataFrame, negatives: pl.DataFrame) -> StageOutput:
    """Count what is left of each question's pool.

    Args:
        well_posedness: question_id, pool_id, promoted_unit_ids (JSON list); questions without a pool (empty id) are
            passed over.
        negatives: question_id, unit_id; a negative may stand in several axes, and no gold unit is one.

    Returns:
        labels.effective_pool, one row per question, pool and set of promotions; sorted. Whether what is left is enough
        is for the reader to say (`add_status`): the row is the same whatever is declared.
    """
    members: dict[str, set[str]] = {}
    for question_id, unit_id in negatives.select("question_id", "unit_id").iter_rows():
        members.setdefault(question_id, set()).add(unit_id)
    judged = well_posedness.filter(pl.col("pool_id") != "").select("question_id", "pool_id", "promoted_unit_ids")
    rows = {}
    for question_id, pool_id, text in judged.sort("question_id", "pool_id", "promoted_unit_ids").iter_rows():
        promoted = sorted(set(json.loads(text)))
        promoted_id = ids.set_id("prm", promoted)
        rows[question_id, pool_id, promoted_id] = {
            "question_id": question_id,
            "pool_id": pool_id,
            "promoted_id": promoted_id,
            "promoted_unit_ids": ids.canonical_json(promoted),
            "n_effective": len(members.get(question_id, set()) - set(promoted)),
        }
    frame = tables.EFFECTIVE_POOL.frame(list(rows.values()))
    return StageOutput(tables={tables.EFFECTIVE_POOL.name: frame}, summary={"effective pools": frame.height})


def add_status(pools: pl.DataFrame, *, min_negatives: int) -> pl.DataFrame:
    """Rows of labels.effective_pool with `status`: `enough`, `pool_too_small` or `no_hard_negatives`.

    Args:
        pools: column n_effective.
        min_negatives: with fewer effective negatives a pool is too small.
    """
    n = pl.col("n_effective")
    status = (
        pl.when(n == 0)
        .then(pl.lit("no_hard_negatives"))
        .when(n < min_negatives)
        .then(pl.lit("pool_too_small"))
        .otherwise(pl.lit("enough"))
    )
    return pools.with_columns(status=status)
