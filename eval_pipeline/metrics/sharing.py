"""A new, named set of what is shared, for figures whose own denominators differ in their questions."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import polars as pl

from eval_pipeline.foundation.errors import InputError
from eval_pipeline.foundation.ids import set_id
from eval_pipeline.metrics.comparing import Scores
from eval_pipeline.metrics.denominators import make_denominator


@dataclass(frozen=True, kw_only=True)
class SharedSet:
    """Questions on which every side has a value over the same candidates.

    Attributes:
        shared_set_id: `shared_` and the hash of their ids: the name of the set.
        question_ids: sorted.
        left_out: by side, questions with a value that are not in the set.
        other_candidates: questions that every side scores, but over different candidates.
    """

    shared_set_id: str
    question_ids: tuple[str, ...]
    left_out: Mapping[str, int]
    other_candidates: int


def share_questions(scores: Mapping[str, Scores]) -> tuple[SharedSet, dict[str, Scores]]:
    """Restrict every side to the questions that all score over the same candidates.

    Nothing else is made equal: figures under other labels, of another corpus or under another contract stay refused,
    for a mean over the same questions would still be a mean of something else.

    Args:
        scores: by side; values with question_id, value, arena_id.

    Returns:
        The set, and the sides with the values and the denominators of the set.

    Raises:
        InputError: no question is shared, or fewer than two sides are given.
    """
    if len(scores) < 2:
        message = "a shared set needs two sides or more"
        raise InputError(message)
    names = sorted(scores)
    common = scores[names[0]].values.select("question_id", "arena_id")
    asked = common.select("question_id")
    for name in names[1:]:
        values = scores[name].values
        common = common.join(values, on=["question_id", "arena_id"], how="semi")
        asked = asked.join(values, on="question_id", how="semi")
    if common.is_empty():
        message = f"{' and '.join(names)} share no question with the same candidates, so there is nothing to compare"
        raise InputError(message)
    ids = common["question_id"].sort().to_list()
    shared = SharedSet(
        shared_set_id=set_id("shared", ids),
        question_ids=tuple(ids),
        left_out={name: scores[name].values.height - len(ids) for name in names},
        other_candidates=asked.height - len(ids),
    )
    return shared, {name: _restrict(scores[name], common) for name in names}


def _restrict(side: Scores, common: pl.DataFrame) -> Scores:
    values = side.values.join(common, on="question_id", how="semi").sort("question_id")
    denominator = make_denominator(
        values,
        batch_id=side.denominator.batch_id,
        label_snapshot_id=side.denominator.label_snapshot_id,
        contract_id=side.denominator.contract_id,
    )
    return replace(side, values=values, denominator=denominator)
