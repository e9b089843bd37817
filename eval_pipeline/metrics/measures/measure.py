"""What a measure says about itself, and the columns that it may read.

Rows of one question, sorted by rank, carry: `rank` (Int64 from 1), `is_sufficient`, `is_supporting`, `is_gold`,
`is_judged`, `is_hidden`, `n_sufficient_so_far`, `joint_rank` (rank at which the first jointly sufficient set is whole;
null for never). Over ties they carry as well: `tie_size`, `tie_place` (1 to tie_size), `share_sufficient`,
`share_supporting`, `share_judged` (of the units that share a score), `n_sufficient_before` (before the tie), and
`p_no_sufficient`, `p_no_supporting`, `p_no_evidence`, `p_no_gold`, `p_no_hidden`, the chance that the first `rank`
places of a random order among ties hold none.

Questions carry: `n_relevant` (R), `n_supporting`, `n_gold`, `n_ranked`, `n_candidates`.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Counts:
    """Units by kind among the candidates of each question; all arrays have one entry per question.

    Attributes:
        candidates: units in the arena.
        relevant: of these, sufficient ones.
        supporting: of these, supporting ones.
        gold: of these, gold ones.
    """

    candidates: Floats
    relevant: Floats
    supporting: Floats
    gold: Floats


@dataclass(frozen=True, kw_only=True)
class MeasureKind:
    """A measure before its cut-off is chosen.

    Attributes:
        name: as in `name@k`.
        definition: its value for one question, in words.
        part: k -> aggregate over the rows of one question; 0 is its value over no rows.
        expected: the same as an expectation over the orders of tied units; None where there is no closed form, and a
            question with ties in its first k then has the reason `tied`.
        finish: k, part -> value, over the columns of a question; the part itself by default.
        chance: k, counts -> value of a random order; None where it has no meaning.
        reads_labels: False for measures that labels and their policies do not touch.
        needs_relevant: True where R = 0 leaves nothing to find.
        needs_gold: True where a question without gold has no value.
        counts_joint: True where a jointly sufficient set is something to find as well.
        counts_supporting: True where supporting units among the candidates take part in the value.
    """

    name: str
    definition: str
    part: Callable[[int], pl.Expr]
    expected: Callable[[int], pl.Expr] | None = None
    finish: Callable[[int, pl.Expr], pl.Expr] = lambda _, part: part
    chance: Callable[[int, Counts], Floats] | None = None
    reads_labels: bool = True
    needs_relevant: bool = True
    needs_gold: bool = False
    counts_joint: bool = False
    counts_supporting: bool = False


@dataclass(frozen=True, kw_only=True)
class Measure:
    """A measure with its cut-off; `str()` is its name and its whole definition.

    Attributes:
        kind: what is measured.
        cut: cut-off k >= 1.
    """

    kind: MeasureKind
    cut: int

    def __str__(self) -> str:
        return f"{self.kind.name}@{self.cut}"


def within(k: int) -> pl.Expr:
    """True on the rows of the first k places."""
    return pl.col("rank") <= k


def any_within(flag: str, k: int) -> pl.Expr:
    """1 if a row of the first k places has the flag, else 0."""
    return (pl.col(flag) & within(k)).any().cast(pl.Float64)


def over_relevant(part: pl.Expr) -> pl.Expr:
    """The part divided by R; 0 where R = 0, which only the policy `no_relevant: zero` lets through."""
    return pl.when(pl.col("n_relevant") > 0).then(part / pl.col("n_relevant")).otherwise(0.0)


def expect_any(missing: str, k: int) -> pl.Expr:
    """Chance that the first k places hold at least one, from the column of the chance that they hold none."""
    return 1.0 - pl.col(missing).filter(within(k)).min().fill_null(1.0)


def chance_none(k: int, candidates: Floats, wanted: Floats) -> Floats:
    """Chance that k draws without replacement hold none of the wanted: C(n - w, k) / C(n, k).

    Worked: n = 7, one wanted, k = 5 -> 2/7.
    """
    missed = np.ones_like(candidates)
    for drawn in range(k):
        left = candidates - drawn
        missed = np.where(left > 0, missed * np.maximum(left - wanted, 0) / np.maximum(left, 1), missed)
    return missed
