"""What the desk is set to, shows and answers."""

from dataclasses import dataclass

from eval_pipeline.foundation.errors import InputError
from eval_pipeline.labels.deciding import Voice
from eval_pipeline.report.review.basis import ModelAnswer, ReviewPage, ReviewQuestion

LONGEST_NAME = 80


@dataclass(frozen=True, kw_only=True)
class DeskSettings:
    """How people review.

    Attributes:
        author_kind: `human` or `developer`.
        is_blind: whether the model's answer is hidden until the person has decided.
        people_per_pair: voices wanted on each pair.
    """

    author_kind: str = "human"
    is_blind: bool = True
    people_per_pair: int = 1


@dataclass(frozen=True, kw_only=True)
class QueueState:
    """One queue as one reviewer finds it.

    Attributes:
        name: `audit` or `priority`.
        n_open: pairs that wait for this reviewer.
        n_contested: of these, pairs on which labels disagree.
        n_done: pairs of the queue on which this reviewer has a standing label.
        minutes_left: at the reviewer's own pace; None where it is not known yet.
    """

    name: str
    n_open: int
    n_contested: int
    n_done: int
    minutes_left: float | None


@dataclass(frozen=True, kw_only=True)
class PairView:
    """One pair as one reviewer may see it.

    Attributes:
        question: the question.
        page: the page.
        queue: `audit`, `priority`, or empty where it is in none.
        state: ids of what persons have said so far; a decision carries them back.
        mine: the reviewer's own standing label; None without one.
        others: what others say; empty until the reviewer has decided.
        answers: what the model says; None while it is hidden.
        is_contested: whether labels disagree, as far as this reviewer may know.
        is_urgent_for: urgency in the priority queue; None where it is hidden or there is none.
    """

    question: ReviewQuestion
    page: ReviewPage
    queue: str
    state: str
    mine: Voice | None
    others: tuple[Voice, ...]
    answers: tuple[ModelAnswer, ...] | None
    is_contested: bool
    is_urgent_for: int | None


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What became of a decision.

    Attributes:
        label_id: the standing label of the reviewer on the pair; None after it was taken back.
        is_new: whether a row was added.
        changed_by: voices that came in while the reviewer looked, the reviewer's own from another window among them.
        is_contested: whether the pair is contested now.
    """

    label_id: str | None
    is_new: bool
    changed_by: tuple[Voice, ...] = ()
    is_contested: bool = False


def read_name(given: str) -> str:
    """The reviewer's name as it is stored.

    Raises:
        InputError: it is empty, too long or holds what cannot be printed.
    """
    name = " ".join(given.split())
    if not name or len(name) > LONGEST_NAME or not name.isprintable():
        message = f"a name of 1 to {LONGEST_NAME} printable characters is expected"
        raise InputError(message)
    return name
