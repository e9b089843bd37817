"""One line of a proof: a figure and the bound that it has to keep."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, kw_only=True)
class Line:
    """One figure of a simulation.

    Attributes:
        what: what was simulated, in words.
        value: what was found.
        low: lower bound.
        high: upper bound.
        slack: simulation error that is allowed at either bound: 2 standard errors; 0 for exact sums.
        is_default: False for a method that is shown because it fails, and is not the default there.
    """

    what: str
    value: float
    low: float
    high: float
    slack: float = 0.0
    is_default: bool = True

    @property
    def is_inside(self) -> bool:
        """Whether the bound is kept, simulation error granted."""
        return self.low - self.slack - 1e-12 <= self.value <= self.high + self.slack + 1e-12


@dataclass(frozen=True, kw_only=True)
class Proof:
    """A table of lines.

    Attributes:
        name: `connection`, `coverage`, `error rate` or `audit`.
        claim: what the lines show, in one sentence.
        lines: in order.
    """

    name: str
    claim: str
    lines: tuple[Line, ...]

    @property
    def holds(self) -> bool:
        """Whether every line is inside its bound."""
        return all(line.is_inside for line in self.lines)


def simulation_error(share: float, n: int) -> float:
    """Two standard errors of a share that n simulated sets found.

    Worked: 0.05 of 1,000 -> 0.0138.
    """
    return float(2 * np.sqrt(share * (1 - share) / n))
