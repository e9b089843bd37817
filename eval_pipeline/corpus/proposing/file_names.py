"""Patterns on file names that give the entity and the period where no table does."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from eval_pipeline.corpus.normalising import fold_entity
from eval_pipeline.corpus.proposing.facet_columns import ProposedFacet
from eval_pipeline.foundation.config import FacetConfig, PatternConfig

_YEAR, _FY, _GAP = r"(?:19|20)\d{2}", "[FC]Y[ _-]?", "[ _-]?"
_PARTS = ("[QH][1-4]", "[1-4][QH]")
SPELLINGS = (
    rf"{_YEAR}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])",  # 2024-09-30
    *(rf"{_FY}{_YEAR}{_GAP}{part}" for part in _PARTS),  # FY2024-Q3
    *(rf"{_YEAR}{_GAP}{part}" for part in _PARTS),  # 2024Q3, 2024_h1
    *(rf"{part}{_GAP}{_FY}{_YEAR}" for part in _PARTS),  # Q3-FY2024
    *(rf"{part}{_GAP}{_YEAR}" for part in _PARTS),  # Q3-2024, 3Q2024
    rf"{_YEAR}-(?:0[1-9]|1[0-2])",  # 2024-09
    *(rf"{part}{_GAP}\d\d" for part in _PARTS),  # Q3_24, 3Q24
    *(rf"{_FY}\d\d{_GAP}{part}" for part in _PARTS),  # FY24Q3
    rf"{_FY}{_YEAR}",  # FY2024
    _YEAR,
    rf"{_FY}\d\d",  # FY24
)
"""Periods as file names spell them, longest first; only those that occur are written into a pattern."""
_BEFORE, _AFTER = "(?:^|[^A-Za-z0-9])", "(?![A-Za-z0-9])"


@dataclass(frozen=True, kw_only=True)
class _Candidate:
    pattern: str
    source: str

    def read(self, paths: Sequence[str]) -> list[str]:
        """Folded entities of the paths in which the pattern finds one."""
        compiled = re.compile(self.pattern)
        found = (compiled.search(path) for path in paths)
        return [entity for one in found if one and (entity := fold_entity(one["entity"]))]


def propose_period(paths: Sequence[str]) -> ProposedFacet | None:
    """A pattern made of the spellings that occur in these paths; None where none does."""
    spelled = _spellings_in(paths)
    if not spelled:
        return None
    pattern = f"(?i){_BEFORE}(?P<period>{'|'.join(spelled)}){_AFTER}"
    config = FacetConfig(pattern=PatternConfig(path=pattern), parse="period")
    return ProposedFacet(config=config, source="pattern on path")


def propose_entity(paths: Sequence[str]) -> ProposedFacet | None:
    """A pattern for what stands before or behind the period, else for the folder, else for the first word.

    The one that finds an entity in most paths is taken; one that finds the same entity everywhere tells nothing apart
    and comes last. None where no pattern finds one.
    """
    ranked = []
    for place, candidate in enumerate(_candidates(_spellings_in(paths))):
        found = candidate.read(paths)
        if found:
            tells_apart = len(set(found)) > 1 or len(paths) == 1
            ranked.append((not tells_apart, -len(found), place, candidate))
    if not ranked:
        return None
    best = min(ranked, key=lambda row: row[:3])[3]
    config = FacetConfig(pattern=PatternConfig(path=best.pattern), parse="entity")
    return ProposedFacet(config=config, source=f"pattern on path: {best.source}")


def _spellings_in(paths: Sequence[str]) -> list[str]:
    """Spellings of which one is the leftmost period of some path."""
    named = "|".join(f"(?P<s{place}>{spelling})" for place, spelling in enumerate(SPELLINGS))
    compiled = re.compile(f"(?i){_BEFORE}(?:{named}){_AFTER}")
    found = {matched.lastgroup for path in paths if (matched := compiled.search(path))}
    return [spelling for place, spelling in enumerate(SPELLINGS) if f"s{place}" in found]


def _candidates(spelled: Sequence[str]) -> list[_Candidate]:
    period = "|".join(spelled)
    by_period = [
        _Candidate(
            pattern=rf"(?i)(?:^|/)(?P<entity>[^/]+?)[ _.-]+(?:{period}){_AFTER}[^/]*$",
            source="file name before the period",
        ),
        _Candidate(
            pattern=rf"(?i)(?:^|/)(?:{period})[ _.-]+(?P<entity>[^/ _.-]+)[^/]*$",
            source="word behind the period",
        ),
    ]
    return [
        *(by_period if spelled else []),
        _Candidate(pattern=r"(?:^|/)(?P<entity>[^/]+)/[^/]+$", source="folder"),
        _Candidate(pattern=r"(?:^|/)(?P<entity>[^/_]+)_[^/]*$", source="file name before the first _"),
    ]
