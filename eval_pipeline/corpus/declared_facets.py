"""The facets that a project declares: their readers, and what may be wrong with them."""

from pathlib import Path
from typing import Any

from eval_pipeline.corpus.values import FacetReader, build_facet
from eval_pipeline.foundation.config import ProjectConfig
from eval_pipeline.foundation.errors import ConfigError
from eval_pipeline.foundation.ids import content_id

CODE_VERSION = "2"
"""Raised when the same metadata and text may give other facets; takes part in every `document_version_id`."""


def build_readers(*, config: ProjectConfig, home: Path) -> dict[str, FacetReader]:
    """Readers of all declared facets, by name; the one of the entity comes first, as periods depend on it.

    Raises:
        ConfigError: see `corpus.values.build_facet`.
    """
    entity = entity_facet_of(config)
    readers: dict[str, FacetReader] = {}
    for name in sorted(config.facets, key=lambda name: (name != entity, name)):
        of_entity = readers.get(entity or "")
        fold = None if of_entity is None else lambda value, reader=of_entity: reader.normalise(value) or ""
        readers[name] = build_facet(name=name, config=config.facets[name], home=home, fold_name=fold)
    return readers


def entity_facet_of(config: ProjectConfig) -> str | None:
    """Name of the facet that holds the entity: `entity`, else the first that is parsed as one, else None."""
    if "entity" in config.facets:
        return "entity"
    return next((name for name in sorted(config.facets) if config.facets[name].parse == "entity"), None)


def check_facets(*, config: ProjectConfig, columns: frozenset[str] | None, home: Path) -> None:
    """Check the declared facets against the tables.

    Args:
        config: the project.
        columns: columns of all metadata tables; None where no table is declared.
        home: the project folder.

    Raises:
        ConfigError: a facet or the access level names a column that no table has; or see `build_readers`.
    """
    access = config.corpus.access
    wanted = {"corpus.access.column": access.column, "corpus.access.group_column": access.group_column}
    wanted |= {"corpus.page": config.corpus.page, "corpus.page_id": config.corpus.page_id}
    for name, reader in build_readers(config=config, home=home).items():
        wanted |= {f"facets.{name}.column {column!r}": column for column in reader.columns}
    for key, column in wanted.items():
        if column is not None and column not in (columns or frozenset()):
            known = "no metadata table is declared" if columns is None else f"columns: {', '.join(sorted(columns))}"
            message = f"eval.yaml: {key}: no metadata table has a column {column!r}; {known}"
            raise ConfigError(message, path="eval.yaml", key=key.split(" ")[0])


def settings_of(*, config: ProjectConfig, home: Path) -> str:
    """Id of everything but rows and text that decides how a unit is described."""
    corpus = config.corpus
    content: dict[str, Any] = {
        "code_version": CODE_VERSION,
        "corpus": corpus.model_dump(mode="json", include={"page", "page_base", "page_id", "access"}),
        "facets": {name: facet.model_dump(mode="json") for name, facet in config.facets.items()},
        "synonyms": {name: dict(reader.synonyms) for name, reader in build_readers(config=config, home=home).items()},
    }
    return content_id("dset", content)
