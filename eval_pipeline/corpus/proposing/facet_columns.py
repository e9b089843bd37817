"""Which metadata columns hold the entity, the period and the metric, by their names and by how their values parse."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from eval_pipeline.corpus.values import build_facet
from eval_pipeline.foundation.config import FacetConfig

MIN_PARSED = 0.5
"""Share of given values that have to parse as periods before a column is taken for one."""
MAX_NAME_LENGTH = 80
_NAMES = {
    "entity": (
        r"entity|entity[ _-]?name|company|company[ _-]?name|issuer|organi[sz]ation|registrant|filer",
        r"customer|client|supplier|vendor|fund|bank|ticker|subsidiary|business[ _-]?unit",
    ),
    "metric": (
        r"metric|metric[ _-]?name|kpi|measure|indicator|line[ _-]?item",
        r"statement|statement[ _-]?(type|name)|topic|subject|section",
    ),
}
"""Names of columns, best first; a name counts as a whole, whatever its letter case."""
_PERIOD = r"period|(fiscal|reporting|report)[ _-]?period|period[ _-]?(name|label)"
_QUARTER = r"(fiscal|calendar)?[ _-]?(quarter|qtr)|fq|q"
_YEAR = r"(fiscal|calendar|financial|reporting|report)?[ _-]?year|fy"
_DATE = (
    r"period[ _-]?(end|ending|end[ _-]?date)|(fiscal[ _-]?)?year[ _-]?end|as[ _-]?of([ _-]?date)?|(report[ _-]?)?date"
)


@dataclass(frozen=True, kw_only=True)
class ProposedFacet:
    """A facet and where it comes from.

    Attributes:
        config: as it would be declared.
        source: in words.
        is_guess: whether only the look of the values speaks for it.
    """

    config: FacetConfig
    source: str
    is_guess: bool = False


def propose_columns(
    *, columns: Sequence[str], rows: Sequence[Mapping[str, str]], taken: frozenset[str], home: Path
) -> dict[str, ProposedFacet]:
    """Facets that columns give, by name: some of `entity`, `metric`, `period`.

    Args:
        columns: of all metadata tables, in order.
        rows: values of all their rows.
        taken: columns with another meaning (ids, paths, pages).
        home: the folder.
    """
    free = [column for column in columns if column not in taken and any(row.get(column) for row in rows)]
    found: dict[str, ProposedFacet] = {}
    for facet, ranked in _NAMES.items():
        column = next((one for names in ranked for one in free if _is_named(one, names)), None)
        if column is not None:
            config = FacetConfig(column=column, parse="entity" if facet == "entity" else "text")
            found[facet] = ProposedFacet(config=config, source=f"column {column}")
    period = _propose_period(free, rows, home)
    if period is not None:
        found["period"] = period
    used = {column for facet in found.values() for column in (facet.config.column, *facet.config.columns)}
    guess = None if "entity" in found else _guess_entity([column for column in free if column not in used], rows)
    if guess is not None:
        config = FacetConfig(column=guess, parse="entity")
        found["entity"] = ProposedFacet(config=config, source=f"column {guess}, guessed by its values", is_guess=True)
    return found


def _is_named(column: str, names: str) -> bool:
    return re.fullmatch(names, column.strip(), re.IGNORECASE) is not None


def _propose_period(columns: Sequence[str], rows: Sequence[Mapping[str, str]], home: Path) -> ProposedFacet | None:
    """A column of periods, else a year with or without a quarter, else a date, else what parses as one throughout."""

    def named(names: str) -> list[str]:
        return [column for column in columns if _is_named(column, names)]

    years, quarters = named(_YEAR)[:1], named(_QUARTER)[:1]
    candidates = [
        *((column,) for column in named(_PERIOD)),
        *((year, quarter) for year in years for quarter in quarters),
        *((year,) for year in years),
        *((column,) for column in [*named(_QUARTER), *named(_DATE)]),
    ]
    parsed = [(candidate, parsed_share(candidate, rows, home)) for candidate in candidates]
    for candidate, share in parsed:
        if share >= MIN_PARSED:
            return _to_period(candidate)
    best = max(parsed, key=lambda pair: pair[1], default=None)
    return _to_period(best[0]) if best is not None and best[1] > 0 else None


def _to_period(candidate: tuple[str, ...]) -> ProposedFacet:
    if len(candidate) == 1:
        config = FacetConfig(column=candidate[0], parse="period")
        return ProposedFacet(config=config, source=f"column {candidate[0]}")
    config = FacetConfig(columns=candidate, parse="period")
    return ProposedFacet(config=config, source=f"columns {' and '.join(candidate)}")


def parsed_share(columns: tuple[str, ...], rows: Sequence[Mapping[str, str]], home: Path) -> float:
    """Share of the rows with a value in these columns whose values parse as one period; 0 without such rows."""
    reader = build_facet(name="period", config=FacetConfig(columns=columns, parse="period"), home=home)
    n_given = n_parsed = 0
    for row in rows:
        found = reader.find(values=row, text="", path="")
        if found is not None:
            n_given += 1
            n_parsed += reader.normalise(found.raw, values=row) is not None
    return n_parsed / n_given if n_given else 0.0


def _guess_entity(columns: Sequence[str], rows: Sequence[Mapping[str, str]]) -> str | None:
    """The first column of short words in which most values stand several times, but not one in all rows."""
    for column in columns:
        values = [row[column] for row in rows if row.get(column)]
        distinct = set(values)
        is_text = all(len(value) <= MAX_NAME_LENGTH and re.search(r"[^\W\d_]{2}", value) for value in distinct)
        is_flag = {value.casefold() for value in distinct} <= {"true", "false", "yes", "no", "ok"}
        if is_text and not is_flag and len(values) > len(rows) / 2 and 2 <= len(distinct) <= len(values) / 2:
            return column
    return None
