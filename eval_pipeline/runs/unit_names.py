"""How a run file names units: a declared style, never a guess."""

import difflib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePosixPath
from typing import Literal

import polars as pl

UnitStyle = Literal["unit_id", "declared_id", "document#page", "path#page"]
CODE_VERSION = "1"
MAX_SUGGESTED_FROM = 20_000
"""Names that are compared for a suggestion; beyond that only case and ending are tried."""


@dataclass(frozen=True, kw_only=True)
class UnitNames:
    """Units by the names that a run file uses.

    Attributes:
        unit_of: unit id by name; a name that two units share is not in it.
        ambiguous: names that several units share.
        style: the style, for messages.
    """

    unit_of: Mapping[str, str]
    ambiguous: frozenset[str]
    style: str

    @cached_property
    def name_of(self) -> Mapping[str, str]:
        """Names by unit id; units whose name is not their own alone are not in it."""
        return {unit_id: name for name, unit_id in self.unit_of.items()}

    def explain(self, name: str) -> str:
        """Why a name finds no unit, with the nearest name that would; nothing is matched by likeness."""
        if name in self.ambiguous:
            return f"{name!r} names several units; use another style than {self.style}"
        near = self._nearest(name)
        hint = f"; did you mean {near!r}?" if near else ""
        return f"{name!r} is no {self.style} of this corpus{hint}"

    def _nearest(self, name: str) -> str | None:
        folded = name.casefold()
        alike = {folded, str(PurePosixPath(folded).with_suffix("")) if "." in folded else folded}
        for known in sorted(self.unit_of):
            if known.casefold() in alike:
                return known
        if len(self.unit_of) > MAX_SUGGESTED_FROM:
            return None
        found = difflib.get_close_matches(name, sorted(self.unit_of), n=1)
        return found[0] if found else None


def name_units(*, units: pl.DataFrame, style: UnitStyle, page_base: Literal[0, 1] = 1) -> UnitNames:
    """Names of units in a style.

    Args:
        units: unit_id, document_id, declared_id, source_path, page_number.
        style: `unit_id`, `declared_id` (the user's own page id), `document#page` or `path#page` (`a/b.pdf#3`).
        page_base: number of the first page in the last two styles.
    """
    page = pl.col("page_number") - 1 + page_base
    name = {
        "unit_id": pl.col("unit_id"),
        "declared_id": pl.col("declared_id"),
        "document#page": pl.format("{}#{}", "document_id", page),
        "path#page": pl.format("{}#{}", "source_path", page),
    }[style]
    named = units.select(name.alias("name"), "unit_id").drop_nulls("name")
    is_shared = named["name"].is_duplicated()
    return UnitNames(
        unit_of=dict(named.filter(~is_shared).iter_rows()),
        ambiguous=frozenset(named.filter(is_shared)["name"].to_list()),
        style=style,
    )
