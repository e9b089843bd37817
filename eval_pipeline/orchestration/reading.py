"""What assets read from the ledger before their one domain call."""

from collections.abc import Callable, Mapping, Sequence

import polars as pl

from eval_pipeline.embeddings.vectors import load_vectors
from eval_pipeline.foundation.errors import LineageError
from eval_pipeline.foundation.protocols import Encoder, PageContent, UnitVectors
from eval_pipeline.ledger.sessions import Session
from eval_pipeline.orchestration.resources import Project
from eval_pipeline.templates.members import hash_members
from eval_pipeline.templates.state import TemplateState, settings_id_of

PageReader = Callable[[Sequence[str]], Mapping[str, PageContent]]


def batch_in_force(project: Project) -> pl.DataFrame:
    """Newest batch: no row before the first one."""
    return project.read("corpus/batch_in_force")


def corpus_snapshot(project: Project) -> tuple[str, int]:
    """Id and sequence of the newest batch.

    Raises:
        LineageError: nothing has arrived yet.
    """
    head = batch_in_force(project)
    if head.is_empty():
        message = "the ledger holds no corpus snapshot; materialise 'documents' first"
        raise LineageError(message)
    return head.item(0, "batch_id"), head.item(0, "sequence")


def read_vectors(project: Project, encoder: Encoder) -> UnitVectors:
    """Vectors of all units in force under one encoder."""
    rows = project.read("embeddings/vector_rows", encoder_id=encoder.encoder_id)
    return load_vectors(rows=rows, encoder_id=encoder.encoder_id, home=project.paths.home)


def template_settings(project: Project) -> str:
    """Id of the clustering settings in use."""
    declared = project.declared.templates
    encoders = project.encoders()
    return settings_id_of(declared, {name: encoders[name].encoder_id for name in declared.features})


def template_state(project: Project, *, or_parent: bool = False) -> TemplateState | None:
    """Clustering in force under the settings in use; None before the first.

    Args:
        project: the project.
        or_parent: where the settings have no clustering yet, give the newest one under other settings.
    """
    settings = {"settings_id": template_settings(project)}  # loads the encoder: not while the ledger is open
    with project.session() as ledger:
        version = ledger.read("templates/version_in_force", params=settings)
        if version.is_empty() and or_parent:
            version = ledger.read("templates/newest_version")
        if version.is_empty():
            return None
        return _read_state(ledger, version)


def newest_template_state(project: Project) -> TemplateState | None:
    """Clustering made last, under whatever settings; None before the first."""
    with project.session() as ledger:
        version = ledger.read("templates/newest_version")
        return None if version.is_empty() else _read_state(ledger, version)


def _read_state(ledger: Session, version: pl.DataFrame) -> TemplateState:
    params = {"template_version_id": version.item(0, "template_version_id")}
    return TemplateState(
        version=version.row(0, named=True),
        templates=ledger.read("templates/templates", params=params),
        assignments=ledger.read("templates/assignments", params=params),
    )


def members_in_force(project: Project) -> pl.DataFrame:
    """Units in force that have a template, with the hash of its present members (column `members_hash`)."""
    state = template_state(project)
    if state is None:
        return template_tables_empty()
    members = project.read("templates/members", template_version_id=state.template_version_id)
    hashes = hash_members(members).select("template_id", "members_hash")
    return members.join(hashes, on="template_id", how="left").sort("unit_id")


def template_tables_empty() -> pl.DataFrame:
    """Members before any clustering: no row, every column."""
    from eval_pipeline.foundation.tables.views import MEMBER

    return MEMBER.empty().with_columns(members_hash=pl.lit(None, dtype=pl.String))


def page_reader(project: Project) -> PageReader:
    """A function that fetches text and picture of given units, for writers and judges."""

    def read(unit_ids: Sequence[str]) -> dict[str, PageContent]:
        wanted = pl.DataFrame({"unit_id": sorted(set(unit_ids))}, schema={"unit_id": pl.String})
        pages = project.read("corpus/pages_of", frames={"wanted": wanted})
        return {
            row["unit_id"]: PageContent(
                unit_id=row["unit_id"],
                text=row["text"],
                text_quality=row["text_quality"],
                picture=project.paths.home / row["picture_path"],
            )
            for row in pages.iter_rows(named=True)
        }

    return read


def untouched(members: pl.DataFrame, done: pl.DataFrame, keys: Sequence[str]) -> pl.DataFrame:
    """Members of templates in the given buckets whose present state was not worked through yet.

    Args:
        members: see `members_in_force`.
        done: columns template_id, members_hash.
        keys: bucket names.
    """
    return members.filter(pl.col("template_bucket").is_in(list(keys))).join(
        done, on=["template_id", "members_hash"], how="anti"
    )
