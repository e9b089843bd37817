"""Several ranked lists made into one. A list that lacks a unit gives it nothing: no made-up rank, no made-up score."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from eval_pipeline.foundation.protocols import RankedUnit

CODE_VERSION = "1"
Normalize = Literal["none", "minmax", "zscore", "rank"]
ZSCORE_SHIFT = 2.0
"""Added to z-scores, so that a listed unit stands above an absent one (2MUV of Montague and Aslam, CIKM 2001)."""


@dataclass(frozen=True, kw_only=True)
class Fused:
    """One list out of several.

    Attributes:
        units: best first: score descending, unit id ascending; every unit of any list once.
        sources: names of the lists that held at least one unit.
        n_lists: lists that were offered.
    """

    units: tuple[RankedUnit, ...]
    sources: tuple[str, ...]
    n_lists: int

    @property
    def is_single_source(self) -> bool:
        """True when several lists were offered and one alone held anything: such a result is not a hybrid."""
        return self.n_lists > 1 and len(self.sources) == 1

    @property
    def notes(self) -> tuple[str, ...]:
        """Words for the record."""
        return ("single-source",) if self.is_single_source else ()


def sort_units(units: Sequence[RankedUnit]) -> list[RankedUnit]:
    """Sort by score descending, then unit id ascending: the one total order, for lists of records."""
    return sorted(units, key=lambda unit: (-unit.score, unit.unit_id))


def fuse_ranks(
    lists: Mapping[str, Sequence[RankedUnit]], *, k: int = 60, weights: Mapping[str, float] | None = None
) -> Fused:
    """Reciprocal rank fusion: the sum over lists of weight / (k + rank), ranks from 1.

    Args:
        lists: by name, in any order within; each holds a unit at most once.
        k: the constant; 60 in the source.
        weights: by name of the list; 1 where none is given.

    Source: Cormack, Clarke and Buettcher, SIGIR 2009, doi:10.1145/1571941.1572114.
    """
    return _add(lists, lambda units: [1.0 / (k + rank) for rank in range(1, len(units) + 1)], weights or {})


def fuse_scores(
    lists: Mapping[str, Sequence[RankedUnit]], *, normalize: Normalize, weights: Mapping[str, float] | None = None
) -> Fused:
    """Weighted sum of scores, each list normalised by itself.

    Args:
        lists: by name, in any order within; each holds a unit at most once, scores finite.
        normalize: `none` adds raw scores, whatever their scales; `minmax` maps to [0, 1], a list of equal scores to 1;
            `zscore` maps to mean 0 and standard deviation 1 (equal scores to 0) and adds 2; `rank` maps rank r of n
            to (n - r + 1) / n.
        weights: by name of the list; 1 where none is given.
    """
    return _add(lists, NORMALIZERS[normalize], weights or {})


def _add(
    lists: Mapping[str, Sequence[RankedUnit]],
    normalise: Callable[[Sequence[RankedUnit]], list[float]],
    weights: Mapping[str, float],
) -> Fused:
    parts: dict[str, list[float]] = {}
    for name, units in lists.items():
        ordered = sort_units(units)
        for unit, score in zip(ordered, normalise(ordered), strict=True):
            parts.setdefault(unit.unit_id, []).append(weights.get(name, 1.0) * score)
    total = [RankedUnit(unit_id=unit_id, score=math.fsum(scores)) for unit_id, scores in parts.items()]
    return Fused(
        units=tuple(sort_units(total)),
        sources=tuple(name for name, units in lists.items() if units),
        n_lists=len(lists),
    )


def _raw(units: Sequence[RankedUnit]) -> list[float]:
    return [float(unit.score) for unit in units]


def _minmax(units: Sequence[RankedUnit]) -> list[float]:
    if not units:
        return []
    high, low = units[0].score, units[-1].score
    return [(unit.score - low) / (high - low) if high > low else 1.0 for unit in units]


def _zscore(units: Sequence[RankedUnit]) -> list[float]:
    if not units:
        return []
    mean = math.fsum(unit.score for unit in units) / len(units)
    deviation = math.sqrt(math.fsum((unit.score - mean) ** 2 for unit in units) / len(units))
    if units[0].score == units[-1].score or deviation == 0.0:
        return [ZSCORE_SHIFT for _ in units]
    return [(unit.score - mean) / deviation + ZSCORE_SHIFT for unit in units]


def _by_rank(units: Sequence[RankedUnit]) -> list[float]:
    return [(len(units) - place) / len(units) for place in range(len(units))]


NORMALIZERS: Mapping[str, Callable[[Sequence[RankedUnit]], list[float]]] = {
    "none": _raw,
    "minmax": _minmax,
    "zscore": _zscore,
    "rank": _by_rank,
}
