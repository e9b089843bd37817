"""The first stage after which no provider holds a sufficient unit."""

import polars as pl
import pytest

from eval_pipeline.metrics.losses import find_losses, loss_of_stage

SUFFICIENT = pl.DataFrame({"question_id": ["q"], "unit_id": ["g"]})
HYBRID = ["image.exact", "lexical", "fused", "eligible", "final"]


def loss(stages, *, k=2, hidden=None, holds=()):
    """The loss where the named stages hold the sufficient unit at the given rank."""
    rows = []
    for stage in stages:
        rank_of_gold = dict(holds).get(stage)
        units = [f"x{n}" for n in range(3)]
        if rank_of_gold:
            units.insert(rank_of_gold - 1, "g")
        rows += [("q", stage, rank, unit) for rank, unit in enumerate(units, 1)]
    rankings = pl.DataFrame(rows, schema=["question_id", "stage", "rank", "unit_id"], orient="row")
    gone = None if hidden is None else pl.DataFrame({"unit_id": hidden}, schema={"unit_id": pl.String})
    found = find_losses(rankings=rankings, sufficient=SUFFICIENT, question_ids=["q", "r"], k=k, hidden=gone)
    assert found["question_id"].to_list() == ["q"]  # r has no sufficient unit
    return found.item(0, "stage_loss")


ALL_STAGES = [(stage, 1) for stage in HYBRID]


@pytest.mark.parametrize(
    ("stages", "holds", "expected"),
    [
        (HYBRID, ALL_STAGES, None),
        (HYBRID, [], "lexical"),
        (HYBRID, [("image.exact", 1)], "fusion"),
        (HYBRID, [("lexical", 3)], "fusion"),
        (HYBRID, [("lexical", 1), ("fused", 1)], "eligibility"),
        (HYBRID, [("lexical", 1), ("fused", 1), ("eligible", 1)], "cut-off"),
        (HYBRID, [*ALL_STAGES[:-1], ("final", 3)], "cut-off"),
        (["image.exact", "eligible", "final"], [], "representation"),
        (["image.exact", "image.index", "eligible", "final"], [("image.exact", 1)], "neighbour"),
        (["image.exact", "image.index", "lexical", "fused", "final"], [("image.exact", 1)], "neighbour"),
        (["image.exact", "reranked", "eligible", "final"], [("image.exact", 1)], "rerank"),
        (["lexical", "eligible", "final"], [], "lexical"),
        (["final"], [], None),
        (["final"], [("final", 3)], "cut-off"),
        (["image.exact", "image.ann", "eligible", "final"], [("image.exact", 1)], "neighbour"),
        (["image.exact", "image.ann", "eligible", "final"], [], "representation"),
        (["returned", "eligible", "final"], [], None),
        (["returned", "eligible", "final"], [("returned", 1)], "eligibility"),
        (["returned", "eligible", "final"], [("returned", 1), ("eligible", 1)], "cut-off"),
        (["theirs", "fused", "eligible", "final"], [("theirs", 1)], "fusion"),
        (["theirs", "lexical", "fused", "eligible", "final"], [("theirs", 1)], "fusion"),
        (["theirs", "lexical", "fused", "eligible", "final"], [], "lexical"),
    ],
)
def test_the_stage_is_named(stages, holds, expected):
    assert loss(stages, holds=holds) == expected


def test_evidence_above_the_clearance_is_a_count_of_its_own():
    assert loss(HYBRID, hidden=["g"]) == "no_eligible_evidence"
    assert loss(HYBRID, hidden=["x1"]) == "lexical"


def test_arenas_are_no_stage():
    assert loss_of_stage("arena:siblings") is None
    assert loss_of_stage("image.exact") == "representation"
    rows = [("q", "arena:siblings", 1, "g"), ("q", "returned", 1, "x"), ("q", "final", 1, "x")]
    rankings = pl.DataFrame(rows, schema=["question_id", "stage", "rank", "unit_id"], orient="row")
    found = find_losses(rankings=rankings, sufficient=SUFFICIENT, question_ids=["q"], k=1, hidden=None)
    assert found["stage_loss"].to_list() == [None]
