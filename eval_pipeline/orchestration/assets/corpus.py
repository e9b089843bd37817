"""Arrivals, units and their description."""

import dagster as dg
import polars as pl

from eval_pipeline.corpus import arrivals, declared_facets, facets
from eval_pipeline.corpus import pages as page_reading
from eval_pipeline.corpus.splitting import group_buckets, split_by_bucket
from eval_pipeline.foundation.outputs import StageOutput
from eval_pipeline.foundation.settings import Settings
from eval_pipeline.orchestration.partitions import BUCKET, IN_ONE_RUN
from eval_pipeline.orchestration.reading import batch_in_force
from eval_pipeline.orchestration.resources import Project
from eval_pipeline.orchestration.showing import by_bucket, counts, table

GROUP = "corpus"


@dg.asset(group_name=GROUP, code_version=arrivals.CODE_VERSION)
def documents(context: dg.AssetExecutionContext, project: Project) -> dg.MaterializeResult:  # type: ignore[type-arg]
    """What arrived, changed or went since the last batch. One row per document and batch; refused things beside it."""
    head = batch_in_force(project)
    parent = (head.item(0, "batch_id"), head.item(0, "sequence")) if head.height else None
    found = arrivals.take_arrivals(
        home=project.paths.home,
        config=project.declared,
        in_force=project.read("corpus/documents_in_force"),
        parent=parent,
        code_version=page_reading.CODE_VERSION,
    )
    project.record(context, found)
    refused = found.tables["corpus.quarantine"].select("source_path", "place", "reason", "next_step")
    metadata = {**counts(found.summary), "refused": table(refused)}
    return dg.MaterializeResult(data_version=dg.DataVersion(_head_of(project)), metadata=metadata)


def _head_of(project: Project) -> str:
    head = batch_in_force(project)
    return str(head.item(0, "batch_id")) if head.height else "empty"


@dg.asset(
    group_name=GROUP,
    code_version=page_reading.CODE_VERSION,
    partitions_def=BUCKET,
    backfill_policy=IN_ONE_RUN,
    deps=[documents],
)
def pages(context: dg.AssetExecutionContext, project: Project) -> None:
    """Picture and text layer of every page of new document contents. One row per unit; refused pages beside it."""
    to_read = project.read("corpus/documents_to_read", buckets=context.partition_keys)
    summaries = {}
    for group in group_buckets(to_read):
        buckets = group["bucket"].unique(maintain_order=True).to_list()
        context.log.info(f"reading {group.height} documents of {len(buckets)} buckets")
        read = page_reading.read_documents(
            documents=group, home=project.paths.home, config=project.declared, workers=Settings().workers
        )
        for bucket, part in split_by_bucket(read, documents=group):
            project.record(context, part, partition=bucket)
            summaries[bucket] = part.summary
            context.add_asset_metadata(counts(part.summary), partition_key=bucket)
    context.add_asset_metadata(by_bucket(summaries))


@dg.asset(
    group_name=GROUP,
    code_version=declared_facets.CODE_VERSION,
    partitions_def=BUCKET,
    backfill_policy=IN_ONE_RUN,
    deps=[pages],
)
def page_text(context: dg.AssetExecutionContext, project: Project) -> None:
    """Text quality, facets and access of every unit. One row per document version and unit."""
    units = project.read("corpus/units_to_describe", buckets=context.partition_keys)
    documents_in_force = project.read("corpus/documents_in_force")
    to_describe = documents_in_force.filter(
        pl.col("document_version_id").is_in(units["document_version_id"].unique().to_list())
    )
    summaries = {}
    for bucket, group in _by_bucket(to_describe):
        described = _describe(project, group, units)
        project.record(context, described, partition=bucket)
        summaries[bucket] = described.summary
        context.add_asset_metadata(counts(described.summary), partition_key=bucket)
    context.add_asset_metadata(by_bucket(summaries))


def _describe(project: Project, group: pl.DataFrame, units: pl.DataFrame) -> StageOutput:
    mine = units.join(group.select("document_version_id"), on="document_version_id", how="semi")
    return facets.describe_units(
        documents=group,
        units=mine,
        texts=project.read("corpus/texts", frames={"wanted": mine.select("text_hash").unique()}),
        home=project.paths.home,
        config=project.declared,
    )


def _by_bucket(documents: pl.DataFrame) -> list[tuple[str, pl.DataFrame]]:
    groups = documents.sort("bucket", "document_id").partition_by("bucket", as_dict=True, maintain_order=True)
    return [(str(key[0]), group) for key, group in groups.items()]
