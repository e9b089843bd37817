"""What an outside retriever replied, read as ranked units: every entry is used, or refused by name."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal

from eval_pipeline.foundation.errors import RetrievalFailed
from eval_pipeline.foundation.protocols import RankedUnit, StagedRanking
from eval_pipeline.runs.fusion import sort_units
from eval_pipeline.runs.http_calls import MALFORMED
from eval_pipeline.runs.stage_names import ARENA_PREFIX, RESERVED_STAGES, RETURNED
from eval_pipeline.runs.unit_names import UnitNames

RANKS_ONLY = "ranks-only"
"""Note of a list that came without scores: its order is kept, and its scores are the negative ranks."""
REORDERED = "reordered-by-score"
"""Note of a list whose order was not that of its scores: the scores count."""


@dataclass(frozen=True, kw_only=True)
class ReplyReader:
    """Reads replies of one retriever.

    Attributes:
        names: units by the names that it uses.
        on_error: `stop` fails the question at the first bad entry; `go_on` takes the good ones and notes the others.
    """

    names: UnitNames
    on_error: Literal["stop", "go_on"]

    def read_ranking(self, content: Mapping[str, Any], depth: int) -> StagedRanking:
        """Stages of `{"units": [...]}` (stage `returned`) or `{"stages": [{"name": ..., "units": [...]}, ...]}`.

        A unit is `{"unit": ..., "score": ...}`, or its bare name where no score is given in the whole list. A stage
        may have `elapsed_s`.

        Raises:
            RetrievalFailed: the reply has another form, or an entry is bad and `on_error` is `stop`.
        """
        stages: dict[str, Sequence[RankedUnit]] = {}
        notes: list[str] = []
        elapsed: dict[str, float] = {}
        for name, stage in _stages_of(content):
            entries, told = self._read_entries(_list_of(stage, name), name)
            notes += [*told, *(self._refuse(name, entries.refused) if entries.refused else [])]
            stages[name] = sort_units(entries.units)[:depth]
            taken = stage.get("elapsed_s")
            if isinstance(taken, int | float) and not isinstance(taken, bool) and math.isfinite(taken):
                elapsed[name] = float(taken)
        return StagedRanking(stages=stages, notes=tuple(dict.fromkeys(notes)), elapsed_s=elapsed)

    def read_scores(self, content: Mapping[str, Any]) -> dict[str, float]:
        """Scores by unit id of `{"units": [{"unit": ..., "score": ...}, ...]}`; units left out have none.

        Raises:
            RetrievalFailed: see `read_ranking`; scores that are missing are refused here.
        """
        entries, notes = self._read_entries(_list_of(content, "scores"), "scores")
        if RANKS_ONLY in notes:
            message = "scores were asked for and names came; reply {'unit': ..., 'score': ...}"
            raise RetrievalFailed(message, reason=MALFORMED)
        if entries.refused:
            self._refuse("scores", entries.refused)
        return {unit.unit_id: unit.score for unit in entries.units}

    def _read_entries(self, listed: Sequence[Any], stage: str) -> tuple["_Entries", list[str]]:
        is_bare = bool(listed) and all(isinstance(entry, str) for entry in listed)
        entries = _Entries()
        for place, entry in enumerate(listed, start=1):
            self._take(entries, {"unit": entry, "score": -place} if is_bare else entry, f"{stage}, place {place}")
        scores = [unit.score for unit in entries.units]
        is_ordered = all(first >= second for first, second in pairwise(scores))
        return entries, [note for note, holds in ((RANKS_ONLY, is_bare), (REORDERED, not is_ordered)) if holds]

    def _take(self, entries: "_Entries", entry: Any, place: str) -> None:
        name, score = (entry.get("unit"), entry.get("score")) if isinstance(entry, dict) else (None, None)
        if not isinstance(name, str) or isinstance(score, bool) or not isinstance(score, int | float):
            entries.refuse("malformed entry", f"{place}: {entry!r:.80}; {{'unit': text, 'score': number}} is expected")
        elif not math.isfinite(score):
            entries.refuse("score is not a finite number", f"{place}: {name!r} has {score}")
        elif name not in self.names.unit_of:
            entries.refuse("unknown unit", f"{place}: {self.names.explain(name)}")
        elif not entries.add(RankedUnit(unit_id=self.names.unit_of[name], score=float(score))):
            entries.refuse("unit listed twice", f"{place}: {name!r}")

    def _refuse(self, stage: str, refused: Sequence[tuple[str, str]]) -> list[str]:
        reason, detail = refused[0]
        if self.on_error == "stop":
            message = f"{len(refused)} entries cannot be used: {reason} ({detail}); mend it, or declare on_error: go_on"
            raise RetrievalFailed(message, reason=reason)
        counted = Counter(reason for reason, _ in refused)
        return [f"refused {stage}: {n} {reason}" for reason, n in sorted(counted.items())]


class _Entries:
    """Entries of one list, good and bad."""

    def __init__(self) -> None:
        self.units: list[RankedUnit] = []
        self.refused: list[tuple[str, str]] = []
        self._seen: set[str] = set()

    def add(self, unit: RankedUnit) -> bool:
        """Take a unit; False where it was there before."""
        if unit.unit_id in self._seen:
            return False
        self._seen.add(unit.unit_id)
        self.units.append(unit)
        return True

    def refuse(self, reason: str, detail: str) -> None:
        """Leave an entry out, with the reason."""
        self.refused.append((reason, detail))


def _stages_of(content: Mapping[str, Any]) -> list[tuple[str, Mapping[str, Any]]]:
    if "stages" not in content:
        return [(RETURNED, content)]
    stages = content["stages"]
    if not isinstance(stages, list) or not stages or not all(isinstance(stage, dict) for stage in stages):
        message = "'stages' should be a list of {'name': ..., 'units': [...]} in the order in which they ran, not empty"
        raise RetrievalFailed(message, reason=MALFORMED)
    named = [(stage.get("name"), stage) for stage in stages]
    names = [name for name, _ in named if isinstance(name, str) and name and not name.startswith(ARENA_PREFIX)]
    taken = [name for name in names if name in RESERVED_STAGES]
    if len(set(names)) != len(stages) or taken:
        kept = ", ".join(RESERVED_STAGES)
        message = f"stages need names of their own, other than {kept}; found {[name for name, _ in named]}"
        raise RetrievalFailed(message, reason=MALFORMED)
    return [(str(name), stage) for name, stage in named]


def _list_of(content: Mapping[str, Any], stage: str) -> Sequence[Any]:
    listed = content.get("units")
    if not isinstance(listed, list):
        found = "nothing" if listed is None else type(listed).__name__
        message = f"{stage}: 'units' should be a list, an empty one for no result; found {found}"
        raise RetrievalFailed(message, reason=MALFORMED)
    return listed
