"""Telling a retriever what comes and when it is over, where it can use that."""

from collections.abc import Mapping, Sequence

from eval_pipeline.foundation.protocols import RankedUnit, Retriever, StagedRanking


def last_stage(answer: StagedRanking) -> Sequence[RankedUnit]:
    """The list that a retriever ends with; empty where it names no stage at all."""
    return list(answer.stages.values())[-1] if answer.stages else []


def announce(retriever: Retriever, questions: Sequence[str], depth: int) -> None:
    """Tell a retriever what it will be asked next, where it has a method `announce_questions` for it."""
    call = getattr(retriever, "announce_questions", None)
    if callable(call):
        call(questions, depth)


def announce_scores(retriever: Retriever, wanted: Mapping[str, Sequence[str]]) -> None:
    """Tell a retriever which units it will score for which question, where it has a method `announce_scores`."""
    call = getattr(retriever, "announce_scores", None)
    if callable(call):
        call(wanted)


def close(retriever: object) -> None:
    """Let go of what a retriever holds open, where it has a method `close` for it."""
    call = getattr(retriever, "close", None)
    if callable(call):
        call()
