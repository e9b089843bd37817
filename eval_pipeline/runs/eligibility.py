"""Who may see what: the asker's level reaches the unit's level, and the asker shares one of the unit's groups."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from eval_pipeline.foundation import ids
from eval_pipeline.foundation.errors import UnknownName


@dataclass(frozen=True, kw_only=True)
class Clearance:
    """What an asker may see.

    Attributes:
        level: highest level that the asker may see.
        groups: groups that the asker belongs to.
    """

    level: str
    groups: tuple[str, ...] = ()

    @property
    def clearance_id(self) -> str:
        """Hash of level and groups; the order of the groups does not matter."""
        return ids.content_id("clr", {"level": self.level, "groups": sorted(set(self.groups))})


def visible_units(*, units: pl.DataFrame, clearance: Clearance, levels: Sequence[str]) -> frozenset[str]:
    """Units that the asker may see.

    Args:
        units: columns `unit_id`, `access` (a level) and `access_groups` (JSON list; empty for no restriction by group).
        clearance: the asker.
        levels: from least to most restricted.

    Raises:
        UnknownName: the asker's level, or the level of a unit, is none of the declared ones.
    """
    reach = _place(clearance.level, levels)
    allowed = [level for level in levels if _place(level, levels) <= reach]
    for level in units["access"].unique().sort().to_list():
        _place(level, levels)
    groups = set(clearance.groups)
    within = units.filter(pl.col("access").is_in(allowed))
    rows = within.select("unit_id", "access_groups").iter_rows()
    return frozenset(unit_id for unit_id, wanted in rows if _shares_group(json.loads(wanted), groups))


def _shares_group(wanted: Sequence[str], groups: set[str]) -> bool:
    return not wanted or bool(groups.intersection(wanted))


def _place(level: str, levels: Sequence[str]) -> int:
    if level not in levels:
        message = f"{level!r} is no access level; declared under corpus.access.levels: {', '.join(levels)}"
        raise UnknownName(message, name=level)
    return list(levels).index(level)
