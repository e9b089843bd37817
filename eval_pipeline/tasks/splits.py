"""Splits of a question set by hash: a question keeps its split whatever else is asked."""

from collections.abc import Mapping, Sequence
from typing import Protocol

import polars as pl

from eval_pipeline.foundation.ids import hash_unit

SEEN = "seen"
"""Split of a question that no declared split drew."""


class HashShare(Protocol):
    """What a split needs to know: the share of questions that it draws and the seed of the draw."""

    @property
    def share(self) -> float:
        """From 0 to 1."""
        ...

    @property
    def seed(self) -> int:
        """Seed of the hash."""
        ...


def split_of(question_id: str, splits: Mapping[str, HashShare]) -> str:
    """Name of the first declared split that draws the question, else `seen`."""
    for name, split in splits.items():
        if hash_unit(split.seed, "split", name, question_id) < split.share:
            return name
    return SEEN


def assign_splits(question_ids: Sequence[str], splits: Mapping[str, HashShare]) -> pl.DataFrame:
    """The split of every question.

    Returns:
        question_id, split; in the given order. Appending questions changes no earlier row.
    """
    rows = [(question_id, split_of(question_id, splits)) for question_id in question_ids]
    return pl.DataFrame(rows, schema={"question_id": pl.String, "split": pl.String}, orient="row")
