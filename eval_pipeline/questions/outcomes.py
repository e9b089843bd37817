"""What becomes of one question, given what its judge said (MEASURES 2)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from eval_pipeline.foundation.ids import canonical_json

CODE_VERSION = "2"
GOLD_FAILS = "gold does not answer its own question"
NO_NEGATIVES = "well posed, no hard negatives"
WAITING = "waiting"


@dataclass(frozen=True, kw_only=True)
class Judged:
    """Answers of one judge to one question.

    Attributes:
        gold: yes, no or abstain; `none` without a gold unit; None where the judge failed.
        negatives: (axis, unit id, yes | no | abstain | None where the judge failed), in (declared axis, rank) order.
    """

    gold: str | None
    negatives: tuple[tuple[str, str, str | None], ...] = ()

    @property
    def answering(self) -> tuple[tuple[str, str], ...]:
        """(axis, unit id) of the negatives that answer, in order."""
        return tuple((axis, unit) for axis, unit, outcome in self.negatives if outcome == "yes")

    @property
    def failing_axes(self) -> tuple[str, ...]:
        """Axes with a yes, each once, in order."""
        return tuple(dict.fromkeys(axis for axis, _ in self.answering))

    @property
    def is_waiting(self) -> bool:
        """Whether a verdict that could change the outcome is missing."""
        return self.gold is None or any(outcome is None for _, _, outcome in self.negatives)

    @property
    def is_answerable(self) -> bool:
        """Whether everything was judged and a negative answers."""
        return self.gold in ("yes", "abstain") and not self.is_waiting and bool(self.answering)


def decide_outcome(
    question: Mapping[str, Any], judged: Judged, *, policy: Literal["drop", "promote"], has_child: bool
) -> dict[str, Any]:
    """Outcome, slice and reason of one question, as columns of questions.well_posedness.

    Args:
        question: row of questions.question; `origin` decides what may be done with it.
        judged: what the judge said.
        policy: what a question means that no qualification is left for and a negative still answers.
        has_child: whether the question was qualified into a child.
    """
    outcome, reason = _outcome_and_reason(judged)
    first = judged.answering[0][1] if judged.answering else None
    return {
        "outcome": outcome,
        "slice": _slice_of(question["origin"], judged, outcome=outcome, policy=policy, has_child=has_child),
        "reason": reason,
        "failing_axes": canonical_json(list(judged.failing_axes)),
        "failing_unit_id": first,
        "promoted_unit_ids": canonical_json(
            _promoted(question["origin"], judged, outcome=outcome, policy=policy, has_child=has_child)
        ),
        "n_judged": sum(1 for _, _, said in judged.negatives if said is not None),
        "n_abstained": sum(1 for _, _, said in judged.negatives if said == "abstain"),
        "gold_abstained": judged.gold == "abstain",
    }


def _outcome_and_reason(judged: Judged) -> tuple[str, str]:
    if judged.gold == "none":
        return "no_gold", "no gold unit"
    if judged.gold == "no":
        return "gold_fails", GOLD_FAILS
    if judged.is_waiting:
        return WAITING, "a verdict is missing; the next run asks again"
    if judged.answering:
        axis, _ = judged.answering[0]
        return "answerable", f"answerable from distractor on axis={axis}"
    return _without_a_yes(judged)


def _without_a_yes(judged: Judged) -> tuple[str, str]:
    if judged.gold == "abstain":
        return "unresolved", "the judge abstained on the gold unit"
    n_abstained = sum(1 for _, _, said in judged.negatives if said == "abstain")
    if n_abstained:
        return "unresolved", f"the judge abstained on {n_abstained} of {len(judged.negatives)} negatives"
    return "well_posed", "well posed" if judged.negatives else NO_NEGATIVES


def _slice_of(origin: str, judged: Judged, *, outcome: str, policy: str, has_child: bool) -> str | None:
    """People's questions keep their slice whatever the verdicts; written ones earn it, and the main set by a yes."""
    if origin == "ticket":
        return "regression"
    if origin == "import" or outcome == "well_posed":
        return "main"
    if outcome != "answerable":
        return None
    if has_child:
        return "under-specified"
    return "main" if policy == "promote" and judged.gold == "yes" else None


def _promoted(origin: str, judged: Judged, *, outcome: str, policy: str, has_child: bool) -> list[str]:
    """Negatives that count as sufficient: of imports always (never reworded), of tickets never (they know better)."""
    if outcome != "answerable" or origin == "ticket" or has_child:
        return []
    if origin != "import" and (policy != "promote" or judged.gold != "yes"):
        return []
    return sorted({unit for _, unit in judged.answering})
