"""Pages that the tables give the same value on every axis: no negatives of each other."""

from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

from eval_pipeline.corpus.declared_facets import build_readers, entity_facet_of
from eval_pipeline.corpus.metadata import Metadata
from eval_pipeline.corpus.refusals import Refusal
from eval_pipeline.corpus.values import FacetReader
from eval_pipeline.foundation.config import ProjectConfig


def find_same_facets(*, config: ProjectConfig, metadata: Metadata, home: Path) -> list[Refusal]:
    """Warn of rows in page-level tables that give different pages the same value on every axis.

    Only axes that come from columns can be compared here; where one comes from elsewhere nothing is said.
    """
    readers = build_readers(config=config, home=home)
    axes = [axis for axis in config.axes if axis in readers and readers[axis].columns]
    if not axes or len(axes) < len(config.axes):
        return []
    entity_facet = entity_facet_of(config)
    groups: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for about in metadata.by_path.values():
        for row in about.rows:
            if row.page_column is None:
                continue
            entity = _column_value(readers, entity_facet, row.values, None) if entity_facet else None
            values = [_column_value(readers, axis, row.values, entity) for axis in axes]
            if all(values):
                groups[row.table, *(value or "" for value in values)].append(row.line)
    return [_same_facets(axes, key, sorted(lines)) for key, lines in sorted(groups.items()) if len(lines) > 1]


def _column_value(
    readers: Mapping[str, FacetReader], name: str, values: Mapping[str, str], entity: str | None
) -> str | None:
    found = readers[name].find(values=values, text="", path="")
    return None if found is None else readers[name].normalise(found.raw, values=values, entity=entity)


def _same_facets(axes: list[str], key: tuple[str, ...], lines: list[int]) -> Refusal:
    table, *values = key
    said = ", ".join(f"{axis} {value!r}" for axis, value in zip(axes, values, strict=True))
    return Refusal(
        source_path=table,
        place=f"rows {' and '.join(map(str, lines[:5]))}{' and more' if len(lines) > 5 else ''}",
        reason="same facets",
        detail=f"{len(lines)} pages share {said}: they are no negatives of each other",
        next_step="nothing where they are copies or parts of one thing; else mend the rows or declare another axis",
        is_warning=True,
    )
