"""Facets of units as numbers that can be compared in bulk."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

REVISION_AXIS = "revision"
DEFAULTS: Mapping[str, str] = {REVISION_AXIS: "original"}
"""What a declared axis reads where a unit does not state it (MEASURES 1)."""

MISSING = -1


@dataclass(frozen=True, kw_only=True)
class Facts:
    """Declared facets of units.

    Attributes:
        axes: declared axes, in order.
        codes: (n, n_axes) equal numbers for equal values, -1 where the facet is missing.
    """

    axes: tuple[str, ...]
    codes: npt.NDArray[np.int64]

    @cached_property
    def is_described(self) -> npt.NDArray[np.bool_]:
        """(n,) True where no declared facet is missing."""
        described: npt.NDArray[np.bool_] = (self.codes != MISSING).all(axis=1)
        return described

    def missing_of(self, row: int) -> tuple[str, ...]:
        """Names of the declared facets that a unit lacks, in declared order."""
        return tuple(axis for axis, code in zip(self.axes, self.codes[row].tolist(), strict=True) if code == MISSING)

    def others_of(self, axis: str) -> npt.NDArray[np.int64]:
        """(n,) equal numbers for units that agree on every declared axis but this one."""
        return self._others[axis]

    @cached_property
    def _others(self) -> Mapping[str, npt.NDArray[np.int64]]:
        return {axis: _number_rows(np.delete(self.codes, place, axis=1)) for place, axis in enumerate(self.axes)}

    def all_of(self) -> npt.NDArray[np.int64]:
        """(n,) equal numbers for units that agree on every declared axis: the same facts."""
        return _number_rows(self.codes)


def read_facts(facets: Sequence[str], axes: tuple[str, ...]) -> Facts:
    """Read the declared facets of units.

    Args:
        facets: (n,) normalised facets as canonical JSON objects.
        axes: declared axes; a missing `revision` reads `original`, any other missing facet stays missing.
    """
    parsed = {text: json.loads(text) for text in set(facets)}
    codes = np.full((len(facets), len(axes)), MISSING, dtype=np.int64)
    for column, axis in enumerate(axes):
        values = [_value_of(parsed[text], axis) for text in facets]
        numbers = {value: number for number, value in enumerate(sorted({v for v in values if v is not None}))}
        codes[:, column] = [MISSING if value is None else numbers[value] for value in values]
    return Facts(axes=axes, codes=codes)


def _value_of(facets: Mapping[str, object], axis: str) -> str | None:
    value = facets.get(axis, DEFAULTS.get(axis))
    return None if value is None else str(value)


def _number_rows(codes: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """(n,) equal numbers, counted from 0, for equal rows."""
    numbers = np.zeros(len(codes), dtype=np.int64)
    for column in codes.T:
        mixed = numbers * (column.max(initial=MISSING) + 2) + (column - MISSING)
        numbers = np.unique(mixed, return_inverse=True)[1].ravel().astype(np.int64)
    return numbers
