"""What a change of templates makes stale, and how it is announced: per bucket to Dagster, as tables to people."""

import dagster as dg
import polars as pl

from eval_pipeline.foundation.ids import BUCKETS, content_id
from eval_pipeline.orchestration.question_sets import pool_settings, quota
from eval_pipeline.orchestration.reading import newest_template_state
from eval_pipeline.orchestration.resources import Project
from eval_pipeline.orchestration.run_reading import visible_to_all
from eval_pipeline.orchestration.showing import table
from eval_pipeline.questions.writing import may_be_cut
from eval_pipeline.templates.members import hash_members
from eval_pipeline.templates.state import TemplateState
from eval_pipeline.templates.succession import tell_return

TEMPLATE_CHANGE = "template_change"
"""Tag with the id of the template version under which a bucket was reported: on every observation of
`template_members`, so that a sensor finds it there even when the step is killed before it ends."""
TEMPLATE_CHANGE_BUCKETS = "template_change_buckets"
"""Tag of a materialisation of `page_templates`: the buckets that it reported, joined by `-`."""


def states_to_report(project: Project, members: pl.DataFrame) -> pl.DataFrame:
    """State of every template, as far as pools and questions depend on it: columns template_id, bucket, state.

    Besides the members it covers what every pool is drawn under (axes, k, encoder) and, for templates that may have
    more questions than their quota, the quota: where one of these changes, these buckets have to be redone, too.

    Args:
        project: the project.
        members: see `reading.members_in_force`.
    """
    under, most, asked = pool_settings(project), quota(project, members), project.declared.questions
    hashed = hash_members(members.drop("members_hash"))
    is_cut = may_be_cut(asked, sizes=hashed["n_units"].to_list(), quota=most)
    rows = [
        (row["template_id"], row["bucket"], content_id("tst", [row["members_hash"], under, most if cut else None]))
        for row, cut in zip(hashed.iter_rows(named=True), is_cut, strict=True)
    ]
    return pl.DataFrame(rows, schema=dict.fromkeys(("template_id", "bucket", "state"), pl.String), orient="row")


def report_changed_buckets(
    instance: dg.DagsterInstance, states: pl.DataFrame, *, template_version_id: str = ""
) -> list[str]:
    """Report the buckets whose templates changed, so that Dagster shows exactly those as stale.

    Args:
        instance: Dagster's storage.
        states: columns template_id, bucket, state: the present state of every template.
        template_version_id: version in force, for the tag `template_change`; empty before the first.

    Returns:
        Names of the buckets that were reported, one that lost its last template among them. What a killed step had
        not reported yet the next one reports.
    """
    key = dg.AssetKey("template_members")
    by_bucket = {bucket: states.filter(pl.col("bucket") == bucket).sort("template_id") for bucket in BUCKETS}
    changed = []
    for bucket, group in by_bucket.items():
        version = content_id("mbr", group.select("template_id", "state").rows())
        if version != _last_version(instance, key, bucket):
            tags = {"dagster/data_version": version}
            if template_version_id:
                tags[TEMPLATE_CHANGE] = template_version_id
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


def change_tags(template_version_id: str, changed: list[str]) -> dict[str, str]:
    """Tags of a materialisation that reported buckets; none where nothing changed."""
    if not changed:
        return {}
    return {TEMPLATE_CHANGE: template_version_id, TEMPLATE_CHANGE_BUCKETS: "-".join(changed)}


def tell_change(
    project: Project, state: TemplateState, *, sequence: int, changed: list[str]
) -> dict[str, dg.MetadataValue]:
    """Tables for people: the version, what became of templates, what is new, what waits.

    Args:
        project: the project.
        state: templates in force.
        sequence: of the newest batch: what was announced after it is new.
        changed: buckets that were reported.
    """
    newest = newest_template_state(project)
    if newest is None or newest.template_version_id == state.template_version_id:
        fates, how = project.read("templates/succession", template_version_id=state.template_version_id), ""
    else:
        present = project.read("corpus/units_in_force")["unit_id"].to_list()
        fates = tell_return(newest=newest, state=state, present=present)
        how = f", in force again instead of {newest.template_version_id}"
    waiting = project.read("templates/buffered", template_version_id=state.template_version_id)
    return {
        "template version": dg.MetadataValue.text(f"{state.template_version_id} ({state.version['reason']}){how}"),
        "buckets changed": dg.MetadataValue.text(f"{len(changed)}: {', '.join(changed)}" if changed else "0"),
        "became of the version before": table(_shown_fates(fates), rows=40),
        "announced after this batch": table(_announced(state, sequence), rows=40),
        "pages of no known template": dg.MetadataValue.int(waiting.height),
        "waiting pages": table(_shown_waiting(project, waiting)),
    }


def _shown_fates(fates: pl.DataFrame) -> pl.DataFrame:
    """Templates that the version touched or that changed their id; kept and untouched ones are left out."""
    shown = fates.filter(pl.col("is_touched") | (pl.col("kind") != "kept"))
    columns = ["template_id", "kind", "related_template_id", "n_before", "n_after", "n_shared", "bucket"]
    return shown.sort("kind", "template_id").select(columns)


def _announced(state: TemplateState, sequence: int) -> pl.DataFrame:
    fresh = state.templates.filter(pl.col("announced_sequence") == sequence)
    sizes = state.assignments.group_by("template_id").agg(n_units=pl.len())
    found = fresh.join(sizes, on="template_id", how="left").sort("n_units", "template_id", descending=[True, False])
    return found.select("template_id", "n_units", "bucket", "exemplar_unit_id")


def _shown_waiting(project: Project, waiting: pl.DataFrame) -> pl.DataFrame:
    """Pages that everybody who asks may see; the count beside the table is of all."""
    seen = waiting.filter(pl.col("unit_id").is_in(sorted(visible_to_all(project, waiting))))
    return seen.select("unit_id", "source_path", "page_number", "distance")
