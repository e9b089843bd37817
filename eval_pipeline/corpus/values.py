"""One facet: where its value comes from and how it is normalised."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from eval_pipeline.corpus.normalising import fold_entity, fold_text
from eval_pipeline.corpus.numbers import parse_number
from eval_pipeline.corpus.periods import parse_period, parse_year_end
from eval_pipeline.corpus.synonyms import load_synonyms
from eval_pipeline.foundation.config import FacetConfig
from eval_pipeline.foundation.errors import ConfigError


def _keep(value: str) -> str:
    return value


_FOLDS: dict[str, Callable[[str], str]] = {
    "verbatim": _keep,
    "text": fold_text,
    "entity": fold_entity,
    "period": fold_text,
    "number": fold_text,
}


@dataclass(frozen=True, kw_only=True)
class Found:
    """A value as given.

    Attributes:
        raw: the text.
        is_column: whether a metadata column gave it, and not a pattern.
    """

    raw: str
    is_column: bool


@dataclass(frozen=True, kw_only=True)
class FacetReader:
    """Finds and normalises one facet.

    Attributes:
        name: of the facet.
        config: as declared.
        text_pattern: compiled pattern on page text, or None.
        path_pattern: compiled pattern on the path, or None.
        synonyms: folded synonym -> folded name.
        year_ends: `MM-DD` by folded entity; `default` for the others.
    """

    name: str
    config: FacetConfig
    text_pattern: re.Pattern[str] | None
    path_pattern: re.Pattern[str] | None
    synonyms: Mapping[str, str]
    year_ends: Mapping[str, str]

    @property
    def columns(self) -> tuple[str, ...]:
        """Declared columns, in the order in which they are joined."""
        return self.config.columns or ((self.config.column,) if self.config.column else ())

    def find(self, *, values: Mapping[str, str], text: str, path: str) -> Found | None:
        """The value as given: from its columns joined by a blank, else the page text, else the path; None without."""
        given = [values[column] for column in self.columns if column in values]
        if given:
            return Found(raw=" ".join(given), is_column=True)
        for pattern, where in ((self.text_pattern, text), (self.path_pattern, path)):
            matched = pattern.search(where) if pattern else None
            if matched and (raw := self._picked(matched)):
                return Found(raw=raw, is_column=False)
        return None

    def _picked(self, matched: re.Match[str]) -> str:
        groups = matched.groupdict()
        if self.name in groups:
            return groups[self.name] or ""
        return (matched[1] or "") if matched.re.groups else matched[0]

    def normalise(self, raw: str, *, values: Mapping[str, str] | None = None, entity: str | None = None) -> str | None:
        """The normalised value, or None where it cannot be parsed.

        Args:
            raw: as given.
            values: metadata of the unit, where columns gave the value: a column named like a quarter or a fiscal
                period says so of a bare number in it.
            entity: normalised entity of the unit, whose fiscal year counts.
        """
        fold = _FOLDS[self.config.parse]
        folded = fold(raw)
        folded = self.synonyms.get(folded, folded)
        if self.config.parse == "number":
            return parse_number(folded)
        if self.config.parse != "period":
            return folded or None
        year_end = self.year_ends.get(entity or "", self.year_ends.get("default"))
        said = self._spell_columns(values) if values is not None and folded == fold(raw) else folded
        is_fiscal = values is not None and any(_is_fiscal(name) for name in self.columns if name in values)
        return parse_period(said, fiscal_year_end=year_end, is_fiscal=is_fiscal)

    def _spell_columns(self, values: Mapping[str, str]) -> str:
        """Joined columns, with `Q` before a bare 1 to 4 in a column whose name says quarter."""
        spelled = []
        for column in self.columns:
            value = values.get(column)
            if value is None:
                continue
            is_bare = len(self.columns) > 1 and value.strip() in {"1", "2", "3", "4"}
            spelled.append(f"Q{value.strip()}" if is_bare and _is_quarter(column) else value)
        return " ".join(spelled)


def _is_quarter(column: str) -> bool:
    return re.search(r"quarter|qtr|(^|_)q$", column.casefold()) is not None


def _is_fiscal(column: str) -> bool:
    return re.match(r"fiscal|fy(_|$|q|year)", column.casefold()) is not None


def build_facet(
    *, name: str, config: FacetConfig, home: Path, fold_name: Callable[[str], str] | None = None
) -> FacetReader:
    """Build the reader of a facet.

    Args:
        name: of the facet.
        config: as declared.
        home: the project folder.
        fold_name: how names of entities are normalised, for the keys of `fiscal_year_end`.

    Raises:
        ConfigError: a pattern, a synonym or a fiscal year's end is wrong; names the key.
        TableError: the table of synonyms cannot be used.
    """
    key = f"facets.{name}"
    pattern = config.pattern
    year_ends = {}
    for entity, day in config.fiscal_year_end.items():
        try:
            parse_year_end(day)
        except ValueError as error:
            where = f"{key}.fiscal_year_end.{entity}"
            message = f"eval.yaml: {where}: {error}"
            raise ConfigError(message, path="eval.yaml", key=where) from error
        year_ends[entity if entity == "default" else (fold_name or fold_entity)(entity)] = day
    return FacetReader(
        name=name,
        config=config,
        text_pattern=_compile(pattern.text if pattern else None, f"{key}.pattern.text"),
        path_pattern=_compile(pattern.path if pattern else None, f"{key}.pattern.path"),
        synonyms=load_synonyms(declared=config.synonyms, home=home, fold=_FOLDS[config.parse], key=f"{key}.synonyms"),
        year_ends=year_ends,
    )


def _compile(pattern: str | None, key: str) -> re.Pattern[str] | None:
    if pattern is None:
        return None
    try:
        return re.compile(pattern, re.MULTILINE)
    except re.error as error:
        message = f"eval.yaml: {key}: {pattern!r} is no regular expression: {error}"
        raise ConfigError(message, path="eval.yaml", key=key) from error
