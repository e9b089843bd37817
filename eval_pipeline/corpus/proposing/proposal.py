"""The declaration that is proposed for a folder, and what speaks for each part of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from eval_pipeline.corpus.metadata import Metadata, read_metadata
from eval_pipeline.corpus.proposing.access_columns import propose_access
from eval_pipeline.corpus.proposing.coverage import Coverage, measure_coverage
from eval_pipeline.corpus.proposing.facet_columns import ProposedFacet, propose_columns
from eval_pipeline.corpus.proposing.file_names import propose_entity, propose_period
from eval_pipeline.corpus.proposing.folder import Folder, look_at_folder
from eval_pipeline.corpus.proposing.page_reading import PageCounts, count_pages, read_texts, sample_pages
from eval_pipeline.corpus.proposing.question_tables import ProposedQuestions, propose_questions
from eval_pipeline.corpus.proposing.table_roles import TableRoles, sort_tables
from eval_pipeline.corpus.proposing.titles import propose_title
from eval_pipeline.foundation.config import AccessConfig, CorpusConfig, FacetConfig, ProjectConfig, QuestionsConfig

FACETS = ("period", "metric", "entity")
"""Facets in the order in which they become axes."""
N_PAGES_READ = 200
"""Pages whose text is read to see whether a pattern finds anything: about a second."""


@dataclass(frozen=True, kw_only=True)
class Proposal:
    """What is proposed.

    Attributes:
        folder: what lies there.
        pages: pages by document, and documents that do not open.
        roles: what the tables are about.
        config: the declaration.
        sources: where each facet of the declaration comes from.
        coverage: of each facet.
        left_out: a facet for which a pattern was tried and found nothing, with its coverage; not in the declaration.
        questions: the files of questions.
        metadata: the declared tables as a run would read them.
        notes: what a person should look at, in words.
    """

    folder: Folder
    pages: PageCounts
    roles: TableRoles
    config: ProjectConfig
    sources: Mapping[str, ProposedFacet]
    coverage: Mapping[str, Coverage]
    left_out: Mapping[str, ProposedFacet]
    questions: tuple[ProposedQuestions, ...]
    metadata: Metadata
    notes: tuple[str, ...]


def propose_project(home: Path, *, n_pages_read: int = N_PAGES_READ) -> Proposal:
    """Look at a folder and propose how to declare it; nothing is written.

    Args:
        home: a folder with documents and perhaps tables.
        n_pages_read: pages whose text is read, spread evenly over the documents.

    Raises:
        InputError: it is no folder, or holds no document.
    """
    folder = look_at_folder(home)
    roles = sort_tables(folder)
    pages = count_pages(home=home, paths=folder.documents, image_pixels=CorpusConfig().limits.image_pixels)
    corpus, notes = _propose_corpus(folder, roles)
    facets = _propose_facets(folder, roles)
    texts = read_texts(home=home, wanted=sample_pages(pages=pages.pages, n=n_pages_read))
    metadata = read_metadata(home=home, config=corpus, paths=folder.documents)
    trial = ProjectConfig(corpus=corpus, facets=_configs(facets, roles), axes=_axes(facets))
    readable = [path for path in folder.documents if path not in pages.refused]
    coverage = measure_coverage(config=trial, home=home, documents=readable, metadata=metadata, texts=texts)
    kept = {name: facet for name, facet in facets.items() if coverage[name].n_parsed or not coverage[name].n_total}
    asked = tuple(
        propose_questions(asking=one, passages=roles.passages, home=home, n_pages=pages.pages)
        for one in roles.questions
    )
    imports = tuple(one.config for one in asked if one.config is not None)
    config = ProjectConfig(
        corpus=corpus,
        facets=_configs(kept, roles),
        axes=_axes(kept) or trial.axes,
        questions=QuestionsConfig(imports=imports),
    )
    return Proposal(
        folder=folder,
        pages=pages,
        roles=roles,
        config=config,
        sources=facets,
        coverage=coverage,
        left_out={name: facet for name, facet in facets.items() if name not in kept},
        questions=asked,
        metadata=metadata,
        notes=(*notes, *_synonym_notes(roles)),
    )


def _propose_corpus(folder: Folder, roles: TableRoles) -> tuple[CorpusConfig, list[str]]:
    if not roles.metadata:
        return CorpusConfig(documents=folder.glob), []
    first = roles.metadata[0].columns
    about_pages = next((one.columns for one in roles.metadata if one.columns.page), None)
    columns, rows = _columns_and_rows(roles)
    access, unknown = propose_access(columns=columns, rows=rows)
    tables = tuple(one.table.path for one in roles.metadata)
    config = CorpusConfig(
        documents=folder.glob,
        metadata=tables[0] if len(tables) == 1 else tables,
        id=first.id,
        path=first.path,
        page=about_pages.page if about_pages else None,
        page_base=0 if about_pages and about_pages.page_base == 0 else 1,
        page_id=about_pages.page_id if about_pages else None,
        access=access or AccessConfig(),
    )
    notes = []
    if unknown is not None:
        notes.append(
            f"column {unknown} may hold access levels, but their order is not known: "
            "declare corpus.access, or everybody sees every page"
        )
    return config, notes


def _columns_and_rows(roles: TableRoles) -> tuple[list[str], list[Mapping[str, str]]]:
    columns = dict.fromkeys(column for one in roles.metadata for column in one.table.columns)
    return list(columns), [row.values for one in roles.metadata for row in one.table.rows]


def _propose_facets(folder: Folder, roles: TableRoles) -> dict[str, ProposedFacet]:
    """From columns where there are tables; what they do not give, from file names and page text."""
    columns, rows = _columns_and_rows(roles)
    taken = frozenset(
        column
        for one in roles.metadata
        for column in (one.columns.id, one.columns.path, one.columns.page, one.columns.page_id)
        if column is not None
    )
    found = propose_columns(columns=columns, rows=rows, taken=taken, home=folder.home) if rows else {}
    patterns = {
        "entity": propose_entity(folder.documents),
        "period": propose_period(folder.documents),
        "metric": propose_title(),
    }
    chosen = {name: found.get(name) or patterns[name] for name in FACETS}
    return {name: facet for name, facet in chosen.items() if facet is not None}


def _axes(facets: Mapping[str, ProposedFacet]) -> tuple[str, ...]:
    return tuple(name for name in FACETS if name in facets)


def _configs(facets: Mapping[str, ProposedFacet], roles: TableRoles) -> dict[str, FacetConfig]:
    """Declarations of the facets; the first table of synonyms goes to the entity."""
    declared = {name: facet.config for name, facet in facets.items()}
    if "entity" in declared and roles.synonyms:
        declared["entity"] = declared["entity"].model_copy(update={"synonyms": roles.synonyms[0].path})
    return declared


def _synonym_notes(roles: TableRoles) -> Sequence[str]:
    return [
        f"{table.path} holds synonyms too; only {roles.synonyms[0].path} is declared" for table in roles.synonyms[1:]
    ]
