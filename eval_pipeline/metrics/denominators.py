"""What a figure is a mean over; two figures are subtracted only when all of it agrees (MEASURES 5)."""

from dataclasses import asdict, dataclass

import polars as pl

from eval_pipeline.foundation.errors import InputError
from eval_pipeline.foundation.ids import content_id, set_id

WORDS = {
    "question_set_id": "the questions with a value",
    "n": "the number of questions",
    "arena_id": "the arena (the candidate sets)",
    "batch_id": "the corpus snapshot",
    "label_snapshot_id": "the label snapshot",
    "contract_id": "the contract",
}


@dataclass(frozen=True, kw_only=True)
class Denominator:
    """Everything that a figure is divided over.

    Attributes:
        question_set_id: hash of the ids of the questions that have a value.
        n: how many they are.
        arena_id: hash over their candidate sets.
        batch_id: corpus snapshot.
        label_snapshot_id: labels in force.
        contract_id: contract.
    """

    question_set_id: str
    n: int
    arena_id: str
    batch_id: str
    label_snapshot_id: str
    contract_id: str

    @property
    def denominator_id(self) -> str:
        """`den_` and the hash of all parts."""
        return content_id("den", asdict(self))


def make_denominator(scored: pl.DataFrame, *, batch_id: str, label_snapshot_id: str, contract_id: str) -> Denominator:
    """Denominator of the questions that have a value.

    Args:
        scored: columns question_id, arena_id; one row per question with a value.
        batch_id: corpus snapshot.
        label_snapshot_id: labels in force.
        contract_id: contract.
    """
    pairs = scored.select("question_id", "arena_id").unique().sort("question_id", "arena_id")
    return Denominator(
        question_set_id=set_id("qset", pairs["question_id"].to_list()),
        n=pairs["question_id"].n_unique(),
        arena_id=content_id("arenas", [list(pair) for pair in pairs.iter_rows()]),
        batch_id=batch_id,
        label_snapshot_id=label_snapshot_id,
        contract_id=contract_id,
    )


def differing_parts(one: Denominator, other: Denominator) -> list[str]:
    """Names of the parts in which two denominators differ, in the order in which they are declared."""
    left, right = asdict(one), asdict(other)
    return [name for name in WORDS if left[name] != right[name]]


def require_same(one: Denominator, other: Denominator) -> None:
    """Refuse to subtract figures over different denominators.

    Raises:
        InputError: names every part that differs, with both values, and what to do instead.
    """
    parts = differing_parts(one, other)
    if not parts:
        return
    left, right = asdict(one), asdict(other)
    told = "; ".join(f"{WORDS[name]} ({left[name]} and {right[name]})" for name in parts)
    message = f"these figures have different denominators, so no difference is shown. They differ in {told}. "
    message += "Compare on what is shared instead (--on shared)"
    raise InputError(message)
