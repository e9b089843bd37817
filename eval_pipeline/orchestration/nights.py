"""Reading of several nights for a comparison under tonight's labels."""

from collections.abc import Mapping
from dataclasses import dataclass

import polars as pl

from eval_pipeline.foundation.errors import UnknownName
from eval_pipeline.metrics.comparing import Scores
from eval_pipeline.orchestration.evaluating import Ground, lay_ground
from eval_pipeline.orchestration.resources import Project
from eval_pipeline.orchestration.run_reading import visible_to
from eval_pipeline.receipts.rescoring import Night, Tonight, score_again
from eval_pipeline.tasks.contracts import Contract


@dataclass(frozen=True, kw_only=True)
class StoredVariant:
    """A variant as the ledger names it: what ranked then need not be declared any more.

    Attributes:
        variant_id: hash of its full configuration.
        name: name.
        is_control: whether its equal scores are in no order.
    """

    variant_id: str
    name: str
    is_control: bool


def compare_nights(
    project: Project, contract: Contract, sides: Mapping[str, tuple[str, str]], *, arena: str, measure: str
) -> dict[str, Scores]:
    """Score the stored rankings of several evaluations again, under tonight's labels and on shared candidates.

    Args:
        project: the project.
        contract: tonight's contract.
        sides: variant and evaluation id, by name of the side.
        arena: a restricted arena.
        measure: name of a measure of the contract.

    Raises:
        UnknownName: an evaluation has no such variant in the arena.
    """
    with project.together():
        ground = lay_ground(project, contract)
        nights = [
            _read_night(project, name, variant=variant, evaluation_id=evaluation_id, arena=arena)
            for name, (variant, evaluation_id) in sides.items()
        ]
        return score_again(nights, _to_tonight(project, ground, arena), arena=arena, measure=measure)


def _to_tonight(project: Project, ground: Ground, arena: str) -> Tonight:
    visible = visible_to(project, ground.contract, ground.units)
    (questions,) = [rows for names, rows in ground.cohort.arenas_of(ground.contract) if arena in names]
    return Tonight(
        contract=ground.contract,
        questions=questions,
        gold=ground.asked.gold,
        arenas=ground.arenas,
        labels=ground.labels,
        joint_sets=ground.joint_sets,
        waiting=ground.waiting,
        excluded=ground.cohort.excluded,
        hidden=ground.units.select("unit_id").filter(~pl.col("unit_id").is_in(sorted(visible))),
        batch_id=ground.basis.batch_id,
        label_snapshot_id=ground.basis.label_snapshot_id,
    )


def _read_night(project: Project, name: str, *, variant: str, evaluation_id: str, arena: str) -> Night:
    rows = project.read("receipts/candidates_behind", evaluation_id=evaluation_id, variant=variant, arena=arena)
    if rows.is_empty():
        message = f"evaluation {evaluation_id} has no variant {variant!r} in arena {arena}"
        raise UnknownName(message, name=variant)
    run_id, variant_id, is_control = rows.select("retrieval_run_id", "variant_id", "is_control").row(0)
    return Night(
        name=name,
        variant=StoredVariant(variant_id=variant_id, name=variant, is_control=is_control),
        retrieval_run_id=run_id,
        rankings=project.read("runs/rankings_of_run", retrieval_run_id=run_id),
        answered=project.read("runs/ranked_questions", retrieval_run_id=run_id),
        candidates=rows.filter(pl.col("unit_id").is_not_null()).select("question_id", "unit_id").unique(),
    )
