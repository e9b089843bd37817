"""A question as its writer made it, and what a paid writer brought from one page."""

from dataclasses import dataclass

from eval_pipeline.foundation.protocols import PaidCall


@dataclass(frozen=True, kw_only=True)
class WrittenQuestion:
    """A question as its writer made it.

    Attributes:
        text: the question.
        expected_answer: the figure as the page prints it, with the unit that the page states.
        subject: the metric phrase asked for.
        named_axes: which of `period`, `metric`, `entity` the text names.
        place: order on the page, lowest first, by which a cap chooses.
    """

    text: str
    expected_answer: str
    subject: str
    named_axes: frozenset[str]
    place: float


@dataclass(frozen=True, kw_only=True)
class WrittenPage:
    """What a paid writer brought from one page.

    Attributes:
        written: its questions as a JSON list, as stored; `questions.writers.vlm` reads it.
        detail: what of the reply was left out and why; may be empty.
        call: what it took; None where nothing was asked.
    """

    written: str
    detail: str = ""
    call: PaidCall | None = None
