"""Effective pools: the hard negatives without the units that were promoted to sufficient."""

import json

import polars as pl

from eval_pipeline.foundation import ids
from eval_pipeline.foundation.outputs import StageOutput
from eval_pipeline.foundation.tables import labels as tables

CODE_VERSION = "1"
STATUSES = ("enough", "pool_too_small", "no_hard_negatives")


def effective_pools(*, well_posedness: pl.DataFrame, pools: pl.DataFrame, min_negatives: int) -> StageOutput:
    """Count what is left of each question's pool.

    Args:
        well_posedness: question_id, pool_id, promoted_unit_ids (JSON list); questions without a pool (empty id) are
            passed over.
        pools: pool_id, negative_unit_id; a negative may stand in several axes.
        min_negatives: with fewer effective negatives a question is `pool_too_small`; with none,
            `no_hard_negatives`.

    Returns:
        labels.effective_pool, one row per question, pool and set of promotions; sorted.
    """
    members: dict[str, set[str]] = {}
    for pool_id, unit_id in pools.select("pool_id", "negative_unit_id").iter_rows():
        members.setdefault(pool_id, set()).add(unit_id)
    judged = well_posedness.filter(pl.col("pool_id") != "").select("question_id", "pool_id", "promoted_unit_ids")
    rows = {}
    for question_id, pool_id, text in judged.sort("question_id", "pool_id", "promoted_unit_ids").iter_rows():
        promoted = sorted(set(json.loads(text)))
        n_effective = len(members.get(pool_id, set()) - set(promoted))
        promoted_id = ids.set_id("prm", promoted)
        rows[question_id, pool_id, promoted_id] = {
            "question_id": question_id,
            "pool_id": pool_id,
            "promoted_id": promoted_id,
            "promoted_unit_ids": ids.canonical_json(promoted),
            "n_effective": n_effective,
            "status": _status(n_effective, min_negatives),
        }
    frame = tables.EFFECTIVE_POOL.frame(list(rows.values()))
    counts = {
        status: int((frame["status"] == status).sum()) for status in ("enough", "pool_too_small", "no_hard_negatives")
    }
    return StageOutput(tables={tables.EFFECTIVE_POOL.name: frame}, summary=counts)


def _status(n_effective: int, min_negatives: int) -> str:
    if n_effective == 0:
        return "no_hard_negatives"
    return "pool_too_small" if n_effective < min_negatives else "enough"
