"""Which units look alike, and what each template holds now."""

from pathlib import Path

import dagster as dg
import polars as pl

from eval_pipeline.orchestration.assets.corpus import page_text
from eval_pipeline.orchestration.assets.embeddings import page_vectors
from eval_pipeline.orchestration.partitions import BUCKET, CONSTANT_VERSION
from eval_pipeline.orchestration.reading import corpus_snapshot, members_in_force, read_vectors, template_state
from eval_pipeline.orchestration.resources import Project
from eval_pipeline.orchestration.run_reading import visible_to_all
from eval_pipeline.orchestration.showing import counts, pictures, table
from eval_pipeline.orchestration.template_changes import (
    change_tags,
    report_changed_buckets,
    states_to_report,
    tell_change,
)
from eval_pipeline.templates import stage

GROUP = "templates"
N_SHOWN = 8

template_members = dg.AssetSpec(
    "template_members",
    group_name=GROUP,
    partitions_def=BUCKET,
    description="Hash of the members of every template, per bucket of templates. Observed by page_templates, which "
    "reports only buckets that changed, so that only those become stale. One observation per bucket and change.",
)


class TemplatesRun(dg.Config):
    """What may be asked of one run of `page_templates` in the launchpad.

    Attributes:
        recluster: cluster all pages again under the declared settings, as `templates: {epoch: N}` in eval.yaml does
            when it is raised. Ids are carried over by members; asked twice, it adds nothing.
    """

    recluster: bool = False


@dg.asset(group_name=GROUP, code_version=stage.CODE_VERSION, deps=[page_text, page_vectors])
def page_templates(context: dg.AssetExecutionContext, config: TemplatesRun, project: Project) -> dg.MaterializeResult:  # type: ignore[type-arg]
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
        recluster=config.recluster,
    )
    project.record(context, assigned)
    units, state = members_in_force(project), template_state(project)
    version_id = state.template_version_id if state else ""
    changed = report_changed_buckets(context.instance, states_to_report(project, units), template_version_id=version_id)
    sizes = units.group_by("template_id").agg(n_units=pl.len())
    sizes = sizes.sort("n_units", "template_id", descending=[True, False])
    metadata: dict[str, dg.RawMetadataValue] = {
        **counts(assigned.summary),
        **(tell_change(project, state, sequence=sequence, changed=changed) if state else {}),
        "largest": table(sizes),
        "one page of each": pictures(one_page_of_each(project, units, sizes.head(N_SHOWN))),
    }
    tags = change_tags(version_id, changed)
    return dg.MaterializeResult(data_version=CONSTANT_VERSION, metadata=metadata, tags=tags)


def one_page_of_each(project: Project, units: pl.DataFrame, sizes: pl.DataFrame) -> list[tuple[str, Path]]:
    """Caption and picture of the first member of given templates that everybody who asks may see, in their order."""
    shown = units.filter(pl.col("unit_id").is_in(sorted(visible_to_all(project, units))))
    first = shown.sort("unit_id").unique(subset=["template_id"], keep="first", maintain_order=True)
    rows = sizes.join(first, on="template_id", how="inner", maintain_order="left")
    return [
        (f"{row['template_id']}, {row['n_units']} pages", project.paths.home / row["picture_path"])
        for row in rows.iter_rows(named=True)
    ]
