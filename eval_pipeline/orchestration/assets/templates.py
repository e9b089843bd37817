"""Which units look alike, and what each template holds now."""

from pathlib import Path

import dagster as dg
import polars as pl

from eval_pipeline.foundation.ids import BUCKETS, content_id
from eval_pipeline.orchestration.assets.corpus import page_text
from eval_pipeline.orchestration.assets.embeddings import page_vectors
from eval_pipeline.orchestration.partitions import BUCKET, CONSTANT_VERSION
from eval_pipeline.orchestration.reading import corpus_snapshot, members_in_force, read_vectors, template_state
from eval_pipeline.orchestration.resources import Project
from eval_pipeline.orchestration.run_reading import visible_to_all
from eval_pipeline.orchestration.showing import counts, pictures, table
from eval_pipeline.templates import stage
from eval_pipeline.templates.members import hash_members

GROUP = "templates"
N_SHOWN = 8

template_members = dg.AssetSpec(
    "template_members",
    group_name=GROUP,
    partitions_def=BUCKET,
    description="Hash of the members of every template, per bucket of templates. Observed by page_templates, which "
    "reports only buckets that changed, so that only those become stale. One observation per bucket and change.",
)


@dg.asset(group_name=GROUP, code_version=stage.CODE_VERSION, deps=[page_text, page_vectors])
def page_templates(context: dg.AssetExecutionContext, project: Project) -> dg.MaterializeResult:  # type: ignore[type-arg]
    """Template of every unit: assigned, founding a new one, or waiting in the buffer. One row per version and unit."""
    encoders = project.encoders()
    _, sequence = corpus_snapshot(project)
    declared = project.declared.templates
    assigned = stage.assign_templates(
        units=project.read("corpus/units_in_force"),
        vectors={name: read_vectors(project, encoders[name]) for name in declared.features},
        state=template_state(project, or_parent=True),
        config=declared,
        sequence=sequence,
    )
    project.record(context, assigned)
    units = members_in_force(project)
    members = hash_members(units.drop("members_hash"))
    changed = report_changed_buckets(context.instance, members)
    sizes = members.sort("n_units", "template_id", descending=[True, False]).select("template_id", "n_units")
    metadata: dict[str, dg.RawMetadataValue] = {
        **counts(assigned.summary),
        "buckets changed": len(changed),
        "largest": table(sizes),
        "one page of each": pictures(one_page_of_each(project, units, sizes.head(N_SHOWN))),
    }
    return dg.MaterializeResult(data_version=CONSTANT_VERSION, metadata=metadata)


def one_page_of_each(project: Project, units: pl.DataFrame, sizes: pl.DataFrame) -> list[tuple[str, Path]]:
    """Caption and picture of the first member of given templates that everybody who asks may see, in their order."""
    shown = units.filter(pl.col("unit_id").is_in(sorted(visible_to_all(project, units))))
    first = shown.sort("unit_id").unique(subset=["template_id"], keep="first", maintain_order=True)
    rows = sizes.join(first, on="template_id", how="inner", maintain_order="left")
    return [
        (f"{row['template_id']}, {row['n_units']} pages", project.paths.home / row["picture_path"])
        for row in rows.iter_rows(named=True)
    ]


def report_changed_buckets(instance: dg.DagsterInstance, members: pl.DataFrame) -> list[str]:
    """Report the buckets whose templates changed members, so that Dagster shows exactly those as stale.

    Args:
        instance: Dagster's storage.
        members: columns template_id, bucket, members_hash: the present state of every template.

    Returns:
        Names of the buckets that were reported.
    """
    key = dg.AssetKey("template_members")
    by_bucket = {bucket: members.filter(pl.col("bucket") == bucket).sort("template_id") for bucket in BUCKETS}
    changed = []
    for bucket, group in by_bucket.items():
        version = content_id("mbr", group.select("template_id", "members_hash").rows())
        if version != _last_version(instance, key, bucket):
            tags = {"dagster/data_version": version}
            instance.report_runless_asset_event(
                dg.AssetObservation(key, partition=bucket, tags=tags, metadata={"templates": group.height})
            )
            changed.append(bucket)
    return changed


def _last_version(instance: dg.DagsterInstance, key: dg.AssetKey, bucket: str) -> str | None:
    found = instance.fetch_observations(dg.AssetRecordsFilter(asset_key=key, asset_partitions=[bucket]), limit=1)
    if not found.records:
        return None
    observation = found.records[0].asset_observation
    return observation.tags.get("dagster/data_version") if observation else None
