"""Ids of receipts, member lists and figures."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from eval_pipeline.foundation.ids import content_id, set_id
from eval_pipeline.metrics.scoring import CODE_VERSION


@dataclass(frozen=True, kw_only=True)
class ReceiptContent:
    """Everything that a receipt's id covers: what it rests on, not the night, the run or the snapshot.

    Attributes:
        measure: name.
        contract_id: contract, and with it the policies.
        question_id: question.
        variant_id: variant.
        arena: name of the arena.
        arena_id: its candidates.
        pool_id: hard-negative pool behind it; None without one.
        reason: `scored`, or why there is no value.
        unit_ids: ranked units read, best first.
        tie_sizes: for controls, sizes of the groups of equal score among them, in order; None for others.
        label_ids: labels in force on them, those behind R where R takes part, and jointly sufficient sets.
        stage_loss: stage that lost the evidence; None for none.
        is_censored: whether gold was not returned.
    """

    measure: str
    contract_id: str
    question_id: str
    variant_id: str
    arena: str
    arena_id: str
    pool_id: str | None
    reason: str
    unit_ids: Sequence[str]
    tie_sizes: Sequence[int] | None
    label_ids: Iterable[str]
    stage_loss: str | None
    is_censored: bool

    @property
    def receipt_id(self) -> str:
        """`rcp_` and the hash of the content and of the version of the measures' code."""
        return content_id(
            "rcp",
            {
                "code": CODE_VERSION,
                "measure": self.measure,
                "contract": self.contract_id,
                "question": self.question_id,
                "variant": self.variant_id,
                "arena": [self.arena, self.arena_id, self.pool_id],
                "reason": self.reason,
                "units": list(self.unit_ids),
                "ties": None if self.tie_sizes is None else list(self.tie_sizes),
                "labels": sorted(set(self.label_ids)),
                "loss": [self.stage_loss, self.is_censored],
            },
        )


def member_list_id(receipt_ids: Iterable[str]) -> str:
    """`lst_` and the hash of a set of receipt ids."""
    return set_id("lst", receipt_ids)


def metric_id(
    *,
    measure: str,
    contract_id: str,
    evaluation_id: str,
    variant_id: str,
    retrieval_run_id: str,
    arena: str,
    slice_name: str,
    slice_value: str,
    denominator_id: str,
    list_id: str,
) -> str:
    """`met_` and the hash of what a figure is and what it rests on."""
    return content_id(
        "met",
        {
            "code": CODE_VERSION,
            "measure": measure,
            "contract": contract_id,
            "evaluation": evaluation_id,
            "variant": [variant_id, retrieval_run_id],
            "arena": arena,
            "slice": [slice_name, slice_value],
            "denominator": denominator_id,
            "members": list_id,
        },
    )
