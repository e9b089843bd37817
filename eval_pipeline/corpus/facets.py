"""What is known of each unit: facets as given and normalised, quality of its text, access."""

import json
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from eval_pipeline.corpus.access import AccessRules
from eval_pipeline.corpus.declared_facets import build_readers, entity_facet_of
from eval_pipeline.corpus.described import LINE_KEY, TABLE_KEY
from eval_pipeline.corpus.quality import rate_text
from eval_pipeline.corpus.raw_json import spell_json
from eval_pipeline.corpus.refusals import Refusal, to_quarantine
from eval_pipeline.corpus.values import FacetReader
from eval_pipeline.foundation.config import ProjectConfig
from eval_pipeline.foundation.outputs import StageOutput
from eval_pipeline.foundation.tables.corpus import UNIT_FACETS

Row = dict[str, Any]


def describe_units(
    *, documents: pl.DataFrame, units: pl.DataFrame, texts: pl.DataFrame, home: Path, config: ProjectConfig
) -> StageOutput:
    """Give every unit its facets, the quality of its text layer and its access level.

    Args:
        documents: rows of `corpus.document`; removed ones are passed over.
        units: columns of `corpus.unit` and `rendition_id`, `document_version_id`.
        texts: rows of `corpus.layer_text` for the units' `text_hash`.
        home: the project folder (tables of synonyms).
        config: page column, access levels and facets.

    Returns:
        corpus.unit_facets, one row per document version x unit, and corpus.quarantine: rows that name a page that is
        not there, and, as warnings, values that could not be parsed, with the rows that hold them.
    """
    readers = build_readers(config=config, home=home)
    text_of = dict(zip(texts["text_hash"].to_list(), texts["text"].to_list(), strict=True))
    units_of: dict[str, list[Row]] = defaultdict(list)
    for unit in units.sort("page_number", "unit_id").to_dicts():
        units_of[unit["document_version_id"]].append(unit)
    rows: list[Row] = []
    refusals: list[Refusal] = []
    for document in documents.filter(pl.col("change") != "removed").sort("document_id").to_dicts():
        describing = _Describing(document=document, units=units_of[document["document_version_id"]], config=config)
        refusals += describing.refusals
        described = [
            describing.describe(unit, readers, text_of.get(unit["text_hash"], "")) for unit in describing.units
        ]
        rows += described
        refusals += _list_unparsed(document, describing, described, readers)
    frame = UNIT_FACETS.frame({(row["document_version_id"], row["unit_id"]): row for row in rows}.values())
    return StageOutput(
        tables={UNIT_FACETS.name: frame, "corpus.quarantine": to_quarantine(refusals)},
        inputs=tuple(sorted(units_of)),
        summary={
            "units described": frame.height,
            "units with an unparsed facet": frame.filter(pl.col("unparsed") != "{}").height,
            "garbled text": frame.filter(pl.col("text_quality") == "garbled").height,
            "without text": frame.filter(pl.col("text_quality") == "missing").height,
        },
    )


@dataclass(kw_only=True)
class _Describing:
    """One document with its metadata rows laid on its units."""

    document: Row
    units: list[Row]
    config: ProjectConfig

    def __post_init__(self) -> None:
        self.refusals: list[Refusal] = []
        self.rules = AccessRules(self.config.corpus.access)
        self.common: dict[str, str] = {}
        self.by_page: dict[int, dict[str, str]] = {}
        for row in json.loads(self.document["metadata"]):
            self._place(row)

    def _place(self, row: dict[str, str]) -> None:
        """Lay a row on the document (the table declared first wins a column) or on its page."""
        corpus = self.config.corpus
        if corpus.page is None or corpus.page not in row:
            self.common = {**row, **self.common}
            return
        page = _page_number(row[corpus.page], corpus.page_base, len(self.units))
        if any(unit["page_number"] == page for unit in self.units):
            self.by_page[page or 0] = {**row, **self.by_page.get(page or 0, {})}
        elif self.units:
            self.refusals.append(self._no_such_page(row))

    def _no_such_page(self, row: dict[str, str]) -> Refusal:
        corpus = self.config.corpus
        pages = [unit["page_number"] - 1 + corpus.page_base for unit in self.units]
        found = repr(row[corpus.page or ""]) if row[corpus.page or ""] else "nothing"
        return Refusal(
            source_path=row[TABLE_KEY],
            place=f"row {row[LINE_KEY]}",
            reason="no such page",
            detail=(
                f"column {corpus.page!r} holds {found}; {self.document['source_path']} has the pages "
                f"{min(pages)} to {max(pages)}, counted from {corpus.page_base}, without refused ones"
            ),
            next_step="mend the page number, or corpus.page_base in eval.yaml",
            found_under=self.document["document_version_id"],
        )

    def describe(self, unit: Row, readers: Mapping[str, FacetReader], text: str) -> Row:
        """The row of `corpus.unit_facets` of one unit."""
        own = self.by_page.get(unit["page_number"], {})
        values = {**self.common, **{key: value for key, value in own.items() if value}}
        quality = rate_text(text)
        legible = text if quality == "good" else ""
        facets, raw, unparsed = self._read_facets(readers, values, legible)
        level, groups = self._access_of(own)
        page_id = self.config.corpus.page_id
        return {
            "document_version_id": self.document["document_version_id"],
            "unit_id": unit["unit_id"],
            "facets": spell_json(facets),
            "facets_raw": spell_json(raw),
            "unparsed": spell_json(unparsed),
            "declared_id": own.get(page_id) if page_id else None,
            "text_quality": quality,
            "access": level,
            "access_groups": groups,
        }

    def _read_facets(
        self, readers: Mapping[str, FacetReader], values: Mapping[str, str], text: str
    ) -> tuple[dict[str, str], dict[str, str], dict[str, str]]:
        facets: dict[str, str] = {}
        raw: dict[str, str] = {}
        unparsed: dict[str, str] = {}
        entity_facet = entity_facet_of(self.config)
        for name, reader in readers.items():
            found = reader.find(values=values, text=text, path=self.document["source_path"])
            if found is None:
                continue
            raw[name] = found.raw
            entity = facets.get(entity_facet) if entity_facet else None
            value = reader.normalise(found.raw, values=values if found.is_column else None, entity=entity)
            if value is None:
                unparsed[name] = found.raw
            else:
                facets[name] = value
        return facets, raw, unparsed

    def _access_of(self, own: Mapping[str, str]) -> tuple[str, str]:
        access = self.rules.read(own)
        if access.is_given and access.fault is None:
            return access.level, spell_json(access.groups)
        return self.document["access"], self.document["access_groups"]


def _page_number(given: str, page_base: int, n_units: int) -> int | None:
    """1-based page; an empty cell is the one page of a document that has only one."""
    plain = given.strip()
    if not plain:
        return 1 if n_units == 1 else None
    return int(plain) + 1 - page_base if plain.isascii() and plain.isdigit() and len(plain) < 10 else None


def _list_unparsed(
    document: Row, describing: _Describing, described: list[Row], readers: Mapping[str, FacetReader]
) -> list[Refusal]:
    """One warning per value that could not be parsed, whether a column or a pattern gave it."""
    found: dict[tuple[str, str], list[int]] = defaultdict(list)
    for unit, row in zip(describing.units, described, strict=True):
        for name, value in json.loads(row["unparsed"]).items():
            found[name, value].append(unit["page_number"])
    return [
        Refusal(
            source_path=document["source_path"],
            place=f"{name} of page {pages[0]}" if len(pages) == 1 else f"{name} of {len(pages)} pages",
            reason="facet not parsed",
            detail=(
                f"{value!r}{_rows_with(document, readers[name], value)} is not understood as "
                f"{_WANTED[readers[name].config.parse]}; the facet is missing there"
            ),
            next_step=f"mend the metadata, or declare synonyms under facets.{name} in eval.yaml",
            content_hash=document["content_hash"],
            found_under=document["document_version_id"],
            is_warning=True,
        )
        for (name, value), pages in sorted(found.items())
    ]


_WANTED = {
    "period": "a period",
    "number": "a number",
    "entity": "a name",
    "text": "text with anything to see",
    "verbatim": "text",
}


def _rows_with(document: Row, reader: FacetReader, value: str) -> str:
    """Where the metadata tables hold a value: ` (m.csv, row 3)`; empty where a pattern or no single row gave it."""
    rows = [row for row in json.loads(document["metadata"]) if any(column in row for column in reader.columns)]
    lines: dict[str, list[str]] = defaultdict(list)
    for row in rows:
        found = reader.find(values=row, text="", path="")
        if found is not None and found.is_column and found.raw == value:
            lines[row[TABLE_KEY]].append(row[LINE_KEY])
    places = [
        f"{table}, row{'s' if len(given) > 1 else ''} {', '.join(given[:5])}{', ...' if len(given) > 5 else ''}"
        for table, given in sorted(lines.items())
    ]
    return f" ({'; '.join(places)})" if places else ""
