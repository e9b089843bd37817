"""What stands between a variant and every question, within one column (MEASURES 5)."""

from collections.abc import Mapping
from dataclasses import dataclass

ORDERING, EVIDENCE, REACH = "ordering", "evidence", "reach"

WORDS = {
    ORDERING: "the evidence is among the first five, but not first: better ordering would win it",
    EVIDENCE: "what comes back is about the subject, but does not hold the answer",
    REACH: "neither a sufficient nor a supporting unit is among the first five",
}


@dataclass(frozen=True, kw_only=True)
class Gap:
    """A figure as the diagnosis needs it.

    Attributes:
        estimate: None where there is no value.
        denominator_id: what it is a mean over.
    """

    estimate: float | None
    denominator_id: str


@dataclass(frozen=True, kw_only=True)
class Diagnosis:
    """The gaps of one column, or why there are none.

    Attributes:
        gaps: size by name: ordering, evidence, reach; they and sufficient@1 add up to 1. Empty without a diagnosis.
        largest: name of the largest one, the first named where several are; None without a diagnosis or without a gap.
        ceiling: sufficient@5, a ceiling on answers from evidence; None without a diagnosis.
        sentence: in words.
    """

    gaps: Mapping[str, float]
    largest: str | None
    ceiling: float | None
    sentence: str


def diagnose(figures: Mapping[str, Gap], *, main: str = "sufficient") -> Diagnosis:
    """Split what is missing to 1 in one column: sufficient@5 - sufficient@1, supporting_only@5 and neither@5.

    Args:
        figures: by measure, all of one variant, arena and slice.
        main: `sufficient`, or `acceptable` in the under-specified slice.

    Returns:
        The gaps; none where a figure is absent, has no value, or is a mean over other questions than the rest.
    """
    names = (f"{main}@1", f"{main}@5", "supporting_only@5", "neither@5")
    absent = [name for name in names if name not in figures or figures[name].estimate is None]
    if absent:
        return _none(f"no diagnosis: {', '.join(absent)} has no value here")
    if len({figures[name].denominator_id for name in names}) > 1:
        return _none(f"no diagnosis: {', '.join(names)} are not means over the same questions")
    first, five, supporting, neither = (float(figures[name].estimate or 0.0) for name in names)
    gaps = {ORDERING: five - first, EVIDENCE: supporting, REACH: neither}
    largest = max(gaps, key=lambda name: gaps[name])
    if gaps[largest] <= 0:
        return Diagnosis(gaps=gaps, largest=None, ceiling=five, sentence="no gap: every question has evidence first")
    return Diagnosis(
        gaps=gaps,
        largest=largest,
        ceiling=five,
        sentence=f"largest gap: {largest} ({gaps[largest]:.2f}); {WORDS[largest]}. "
        f"Ceiling on answers from evidence: {five:.2f}",
    )


def _none(sentence: str) -> Diagnosis:
    return Diagnosis(gaps={}, largest=None, ceiling=None, sentence=sentence)
