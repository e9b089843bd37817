"""How well an encoder reads pages: is the page that answers found among random pages, and among its look-alikes?

Figures are expectations over every draw of negatives, not one draw, so that they carry no noise of sampling
negatives. A tie counts against the page that answers.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from eval_pipeline.embeddings.index import score_pairs
from eval_pipeline.foundation.errors import InputError
from eval_pipeline.foundation.protocols import Encoder, Vectors

N_RANDOM = 4
N_SIBLINGS = 4
N_ON_AXIS = 5

Rows = npt.NDArray[np.int64]


@dataclass(frozen=True, kw_only=True)
class SkillPage:
    """A page of the trial.

    Attributes:
        picture: path of its picture.
        template: pages with the same key look alike.
        facets: value by axis.
    """

    picture: Path
    template: str
    facets: Mapping[str, str]


@dataclass(frozen=True, kw_only=True)
class SkillQuestion:
    """A question of the trial.

    Attributes:
        text: as asked.
        gold: row of the page it was written from.
        answering: rows of other pages that answer it too; they are no negatives.
    """

    text: str
    gold: int
    answering: frozenset[int] = frozenset()


@dataclass(frozen=True, kw_only=True)
class SkillFigure:
    """One figure: the share of questions whose page comes first.

    Attributes:
        name: `random`, `siblings` or `axis:NAME`.
        n_negatives: pages beside the one that answers.
        n_questions: questions that had so many negatives.
        top1: mean over those questions; None without any.
    """

    name: str
    n_negatives: int
    n_questions: int
    top1: float | None

    @property
    def chance(self) -> float:
        """What guessing reaches."""
        return 1 / (self.n_negatives + 1)


def measure_reading_skill(
    *, encoder: Encoder, pages: Sequence[SkillPage], questions: Sequence[SkillQuestion], axes: Sequence[str]
) -> list[SkillFigure]:
    """Figures for random pages, for look-alikes drawn from all axes in turn, and for each axis alone.

    Args:
        encoder: the encoder on trial.
        pages: pages that it has never seen.
        questions: about those pages.
        axes: facets along which look-alikes may differ, in the order in which they take turns.

    Raises:
        InputError: a picture cannot be read, or there are no questions.
    """
    if not questions:
        message = "no question to measure reading skill with"
        raise InputError(message)
    trial = _Trial(pages, questions, encoder)
    rows = range(len(questions))
    return [
        _to_figure("random", N_RANDOM, [trial.expect(row, trial.others(row), N_RANDOM) for row in rows]),
        _to_figure("siblings", N_SIBLINGS, [trial.expect(row, trial.nearest(row, axes), N_SIBLINGS) for row in rows]),
        *(
            _to_figure(f"axis:{axis}", N_ON_AXIS, [trial.expect(row, trial.on(row, axis), N_ON_AXIS) for row in rows])
            for axis in axes
        ),
    ]


def _to_figure(name: str, n_negatives: int, values: Sequence[float | None]) -> SkillFigure:
    found = [value for value in values if value is not None]
    top1 = math.fsum(found) / len(found) if found else None
    return SkillFigure(name=name, n_negatives=n_negatives, n_questions=len(found), top1=top1)


class _Trial:
    """Vectors, facets and questions of one measurement."""

    def __init__(self, pages: Sequence[SkillPage], questions: Sequence[SkillQuestion], encoder: Encoder) -> None:
        self._questions = questions
        self._pictures = encoder.encode_pictures([page.picture for page in pages])
        if not np.isfinite(self._pictures).all():
            unread = pages[int(np.flatnonzero(~np.isfinite(self._pictures).all(axis=1))[0])].picture
            message = f"{unread.name} cannot be read as a picture"
            raise InputError(message)
        self._texts = encoder.encode_texts([question.text for question in questions]).matrix
        self._templates = np.array([page.template for page in pages])
        names = sorted({name for page in pages for name in page.facets})
        self._facets = {name: np.array([page.facets.get(name, "") for page in pages]) for name in names}

    def others(self, row: int) -> Rows:
        """Every page but those that answer."""
        question = self._questions[row]
        keep = np.ones(len(self._templates), dtype=np.bool_)
        keep[[question.gold, *question.answering]] = False
        found: Rows = np.flatnonzero(keep)
        return found

    def on(self, row: int, axis: str) -> Rows:
        """Look-alikes that differ from the page in this facet only."""
        gold, others = self._questions[row].gold, self.others(row)
        is_like = self._templates[others] == self._templates[gold]
        for name, values in self._facets.items():
            is_equal = values[others] == values[gold]
            is_like &= ~is_equal if name == axis else is_equal
        found: Rows = others[is_like]
        return found

    def nearest(self, row: int, axes: Sequence[str]) -> Rows:
        """At most four look-alikes: the axes take turns, each giving its nearest by appearance."""
        gold = self._pictures[self._questions[row].gold]
        turns = [self._by_nearness(gold, self.on(row, axis)) for axis in axes]
        taken: list[int] = []
        while len(taken) < N_SIBLINGS and any(turns):
            taken += [turn.pop(0) for turn in turns if turn][: N_SIBLINGS - len(taken)]
        return np.array(taken, dtype=np.int64)

    def _by_nearness(self, gold: Vectors, rows: Rows) -> list[int]:
        scores = score_pairs(self._pictures[rows], np.broadcast_to(gold, (len(rows), len(gold))))
        return [int(row) for row in rows[np.lexsort((rows, -scores))]]

    def expect(self, row: int, candidates: Rows, n_negatives: int) -> float | None:
        """Chance that the page beats so many negatives drawn from the candidates; None where they are too few."""
        if len(candidates) < n_negatives:
            return None
        scores = self._score(row, [self._questions[row].gold, *candidates])
        n_beaten = int((scores[1:] < scores[0]).sum())
        return math.comb(n_beaten, n_negatives) / math.comb(len(candidates), n_negatives)

    def _score(self, row: int, pages: Sequence[int]) -> npt.NDArray[np.float32]:
        query = self._texts[row]
        return score_pairs(self._pictures[list(pages)], np.broadcast_to(query, (len(pages), len(query))))


def iterate_rows(figures: Sequence[SkillFigure]) -> Iterator[Mapping[str, str | float | int | None]]:
    """Figures as plain rows, for a file or a table; values rounded to four places."""
    for figure in figures:
        yield {
            "arena": figure.name,
            "n_negatives": figure.n_negatives,
            "n_questions": figure.n_questions,
            "top1": None if figure.top1 is None else round(figure.top1, 4),
            "chance": round(figure.chance, 4),
        }
