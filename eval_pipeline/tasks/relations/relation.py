"""What a relation says about itself."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

AnswerUnit = Literal["page", "image", "interval"]

GRADE_NAMES = ("sufficient", "supporting", "irrelevant")


@dataclass(frozen=True, kw_only=True)
class Relation:
    """One way in which a unit can be right for a question.

    Attributes:
        name: as contracts name it.
        asks: the question that a judge answers, in words.
        grades: each grade with its meaning in words, best first.
        hard_negatives: what is easily mistaken for right under this relation.
        answer_units: units that may be judged under it.
    """

    name: str
    asks: str
    grades: Mapping[str, str]
    hard_negatives: str
    answer_units: tuple[AnswerUnit, ...]
