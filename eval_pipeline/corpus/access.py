"""Access levels and groups: what is not known is never open."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from eval_pipeline.corpus.matching import Fault
from eval_pipeline.foundation.config import AccessConfig


@dataclass(frozen=True, kw_only=True)
class Access:
    """Who may see something.

    Attributes:
        level: one of the declared levels; the most restricted where the given one is unknown.
        groups: sorted; empty for no restriction by group.
        is_given: whether the row says anything of access.
        fault: why the row is refused, where what it says is unknown.
    """

    level: str
    groups: tuple[str, ...] = ()
    is_given: bool = False
    fault: Fault | None = None


class AccessRules:
    """Reads access from metadata rows and combines it.

    Args:
        config: columns, levels and groups.
    """

    def __init__(self, config: AccessConfig) -> None:
        self._config = config
        self._levels = {level.strip().casefold(): level for level in config.levels}
        self.most_restricted = config.levels[-1]

    def read(self, values: Mapping[str, str]) -> Access:
        """Access that a row gives: its level (blanks around it and letter case do not matter) and its groups."""
        config = self._config
        given = values.get(config.column, "").strip() if config.column else ""
        listed = values.get(config.group_column, "") if config.group_column else ""
        groups = tuple(sorted({name.strip() for name in listed.split(";")} - {""}))
        level = self._levels.get(given.casefold(), "") if given else config.default
        fault = None
        if not level:
            fault = _unknown("level", given, config.levels)
        unknown = [name for name in groups if config.groups and name not in config.groups]
        if unknown:
            fault = _unknown("group", unknown[0], config.groups)
        return Access(
            level=self.most_restricted if fault else level,
            groups=groups,
            is_given=bool(given or groups),
            fault=fault,
        )

    def combine(self, given: Iterable[Access]) -> Access:
        """The most restricted level of several and every group they name; the default where there are none."""
        several = list(given)
        if not several:
            return Access(level=self._config.default)
        order = {level: place for place, level in enumerate(self._config.levels)}
        return Access(
            level=max((one.level for one in several), key=lambda level: order[level]),
            groups=tuple(sorted({name for one in several for name in one.groups})),
            is_given=any(one.is_given for one in several),
        )


def _unknown(what: str, given: str, allowed: tuple[str, ...]) -> Fault:
    return Fault(
        reason=f"unknown access {what}",
        detail=f"{given!r} is none of {', '.join(allowed)}; its document takes the most restricted level",
        next_step=f"mend the row, or declare it under corpus.access.{what}s in eval.yaml",
    )
