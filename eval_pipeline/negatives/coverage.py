"""How many units have the facets that hard negatives need: one that lacks a facet takes part in no axis."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from eval_pipeline.negatives.facts import DEFAULTS

LOW = 0.2
"""Share of units without a usable facet above which a person is told: covers and blank pages seldom make up a fifth."""


@dataclass(frozen=True, kw_only=True)
class AxisCoverage:
    """Units and what they lack.

    Attributes:
        n_units: units looked at.
        missing: units without a usable facet, by declared axis, in declared order.
        n_incomplete: units that lack at least one; these take part in no axis.
    """

    n_units: int
    missing: Mapping[str, int]
    n_incomplete: int

    @property
    def is_low(self) -> bool:
        """Whether so many units take part in no axis that their questions need a look."""
        return self.n_units > 0 and self.n_incomplete > LOW * self.n_units

    def tell(self, of: str = "pages") -> str:
        """In one sentence, with the share by axis.

        >>> AxisCoverage(n_units=60, missing={"period": 1, "metric": 9}, n_incomplete=10).tell()
        '10 of 60 pages (17%) lack a declared facet and take part in no axis: period 2% missing, metric 15% missing'
        """
        if not self.n_units:
            return f"no {of} to look at"
        if not self.n_incomplete:
            return f"each of {self.n_units:,} {of} has every declared facet"
        shares = ", ".join(f"{axis} {_percent(n, self.n_units)} missing" for axis, n in self.missing.items())
        return (
            f"{self.n_incomplete:,} of {self.n_units:,} {of} ({_percent(self.n_incomplete, self.n_units)}) "
            f"lack a declared facet and take part in no axis: {shares}"
        )


def _percent(n: int, total: int) -> str:
    share = 100.0 * n / total
    return "under 1%" if 0.0 < share < 0.5 else f"{share:.0f}%"


def count_coverage(facets: Sequence[str], axes: Sequence[str]) -> AxisCoverage:
    """Count units without usable facets.

    Args:
        facets: (n,) normalised facets as canonical JSON objects, one per unit.
        axes: declared axes; a missing `revision` reads `original` and lacks nothing.
    """
    missing = dict.fromkeys(axes, 0)
    n_incomplete = 0
    for text in facets:
        found = {**DEFAULTS, **json.loads(text)}
        lacking = [axis for axis in axes if found.get(axis) is None]
        n_incomplete += bool(lacking)
        for axis in lacking:
            missing[axis] += 1
    return AxisCoverage(n_units=len(facets), missing=missing, n_incomplete=n_incomplete)
