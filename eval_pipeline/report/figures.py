"""Figures of one evaluation, looked up by what they are of."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import polars as pl

from eval_pipeline.foundation.errors import LineageError
from eval_pipeline.metrics.parts import SHARED
from eval_pipeline.report.data import ALL, FIGURE, fit_frame
from eval_pipeline.report.wording import explain_reason, write_number

WITHOUT_VALUE = "without value: "
"""Prefix of the counts that say why questions have no value."""


@dataclass(frozen=True, kw_only=True)
class Figure:
    """One figure; fields as in `report.figure`."""

    metric_id: str
    variant: str
    is_control: bool
    arena: str
    slice: str
    slice_value: str
    measure: str
    estimate: float | None
    reason: str
    low: float | None
    high: float | None
    interval: str
    n_questions: int
    n_scored: int
    n_candidates_min: int | None
    n_candidates_max: int | None
    policy_counts: str
    chance: float | None
    denominator_id: str
    is_late: bool

    @property
    def text(self) -> str:
        """The estimate, or the reason why there is none."""
        return explain_reason(self.reason) if self.estimate is None else write_number(self.estimate)

    @property
    def interval_text(self) -> str:
        """`[0.35, 0.51]`, or why there is no interval; empty where there is no estimate either."""
        if self.estimate is None:
            return ""
        if self.low is None or self.high is None:
            return f"no interval: {explain_reason(self.interval)}"
        return f"[{write_number(self.low)}, {write_number(self.high)}]"

    @property
    def size_text(self) -> str:
        """How many candidates an arena has."""
        low, high = self.n_candidates_min, self.n_candidates_max
        if low is None or high is None:
            return "size not recorded"
        return f"{low:,} candidates" if low == high else f"{low:,} to {high:,} candidates"

    @property
    def is_small(self) -> bool:
        """Whether the arena has fewer than 20 candidates: a cut-off of 5 is then no headline."""
        return self.n_candidates_max is not None and self.n_candidates_max < 20

    @property
    def touched(self) -> tuple[str, ...]:
        """Each policy that touched a question, with how many; see `removed` for the other counts."""
        return tuple(told for name, told in self._counts() if not name.startswith(WITHOUT_VALUE))

    @property
    def removed(self) -> tuple[str, ...]:
        """Each reason why a question has no value here, with how many questions."""
        return tuple(
            told.removeprefix(WITHOUT_VALUE) for name, told in self._counts() if name.startswith(WITHOUT_VALUE)
        )

    def _counts(self) -> list[tuple[str, str]]:
        """Stored name, and words with the count.

        Raises:
            LineageError: `policy_counts` is not a JSON mapping.
        """
        try:
            counts = json.loads(self.policy_counts)
        except json.JSONDecodeError as error:
            message = f"figure {self.metric_id}: policy_counts is not JSON: {self.policy_counts[:80]!r}"
            raise LineageError(message) from error
        if not isinstance(counts, dict):
            message = f"figure {self.metric_id}: policy_counts is no mapping: {self.policy_counts[:80]!r}"
            raise LineageError(message)
        return [(str(name), _told(str(name), count)) for name, count in counts.items() if count]


def _told(name: str, count: int) -> str:
    bare = name.removeprefix(WITHOUT_VALUE)
    return f"{name[: len(name) - len(bare)]}{explain_reason(bare)} {count:,}"


@dataclass(frozen=True, kw_only=True, eq=False)
class FigureBook:
    """Figures of one evaluation.

    Attributes:
        figures: in the order that they were handed over.
    """

    figures: tuple[Figure, ...]

    @classmethod
    def from_frame(cls, frame: pl.DataFrame) -> "FigureBook":
        """Read a frame of `report.figure`.

        Raises:
            LineageError: see `data.fit_frame`; or an estimate is missing and the reason says `scored`.
        """
        figures = tuple(Figure(**row) for row in fit_frame(frame, FIGURE).iter_rows(named=True))
        for figure in figures:
            if (figure.estimate is None) == (figure.reason == "scored"):
                message = f"figure {figure.metric_id}: estimate {figure.estimate} with reason {figure.reason!r}"
                raise LineageError(message)
        return cls(figures=figures)

    @cached_property
    def _index(self) -> dict[tuple[str, ...], Figure]:
        return {(each.variant, each.arena, each.slice, each.slice_value, each.measure): each for each in self.figures}

    def find(self, *, variant: str, arena: str, measure: str, slice_name: str = ALL, value: str = ALL) -> Figure | None:
        """The figure, or None where the contract did not ask for it."""
        return self._index.get((variant, arena, slice_name, value, measure))

    def name_variants(self, *, controls: bool) -> tuple[str, ...]:
        """Names of the controls, or of the others, in order."""
        return tuple(dict.fromkeys(each.variant for each in self.figures if each.is_control == controls))

    def name_slices(self) -> tuple[str, ...]:
        """Names of the declared slices, in order."""
        return tuple(dict.fromkeys(each.slice for each in self.figures if each.slice not in (ALL, SHARED)))

    def list_slice(self, *, slice_name: str, arena: str, measure: str) -> Iterator[Figure]:
        """Figures of the values of a slice, controls left out, in order."""
        for each in self.figures:
            if (each.slice, each.arena, each.measure) == (slice_name, arena, measure) and not each.is_control:
                yield each

    @property
    def n_questions(self) -> int:
        """Questions of the largest set; 0 where there is nothing to evaluate."""
        return max((each.n_questions for each in self.figures), default=0)
