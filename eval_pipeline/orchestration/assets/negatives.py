"""Hard and random negatives."""

from collections.abc import Mapping
from pathlib import Path

import dagster as dg
import polars as pl

from eval_pipeline.negatives import pools, random_draws, sameness, updating
from eval_pipeline.orchestration.arena_reading import random_arenas
from eval_pipeline.orchestration.gates import refuse_half_described
from eval_pipeline.orchestration.partitions import AFTER_VECTORS, BUCKET, IN_ONE_RUN
from eval_pipeline.orchestration.question_sets import pool_settings, read_asked
from eval_pipeline.orchestration.reading import corpus_snapshot, members_in_force, read_vectors, untouched
from eval_pipeline.orchestration.resources import Project
from eval_pipeline.orchestration.run_reading import visible_to_all
from eval_pipeline.orchestration.showing import by_bucket, counts, pictures, table

GROUP = "negatives"


@dg.asset(
    group_name=GROUP,
    code_version=pools.CODE_VERSION,
    partitions_def=BUCKET,
    backfill_policy=IN_ONE_RUN,
    deps=["template_members", "page_templates", AFTER_VECTORS],
)
def hard_negatives(context: dg.AssetExecutionContext, project: Project) -> None:
    """Look-alikes of every unit that differ on exactly one axis. One row per pool, axis and rank."""
    done = project.read("negatives/pooled_templates", settings_id=pool_settings(project))
    to_do = untouched(members_in_force(project), done, context.partition_keys)
    vectors = read_vectors(project, project.encoder()) if to_do.height else None
    refused = set(project.read("embeddings/refused_pictures", encoder_id=project.encoder().encoder_id)["picture_hash"])
    summaries = {}
    for (bucket,), group in to_do.sort("template_bucket").group_by("template_bucket", maintain_order=True):
        assert vectors is not None
        context.log.info(f"{group['template_id'].n_unique()} templates of bucket {bucket}")
        wanted = sameness.texts_to_compare(group, project.declared.axes)
        same = sameness.read_sameness(
            members=group,
            vectors=vectors,
            texts=project.read("corpus/texts", frames={"wanted": wanted}),
            axes=project.declared.axes,
            home=project.paths.home,
        )
        drawn = pools.draw_hard_negatives(
            members=group,
            vectors=vectors,
            refused=refused,
            axes=project.declared.axes,
            config=project.declared.negatives,
            sameness=same,
            before=_read_before(project, group),
        )
        project.record(context, drawn, partition=str(bucket))
        summaries[str(bucket)] = drawn.summary
        short = drawn.tables["negatives.shortfall"].group_by("axis", "reason").len().sort("axis", "reason")
        context.add_asset_metadata(
            {
                **counts(drawn.summary),
                "shortfalls": table(short),
                "a page and its negatives": pictures(page_and_negatives(project, group, drawn.tables)),
            },
            partition_key=str(bucket),
        )
    context.add_asset_metadata(by_bucket(summaries))


def _read_before(project: Project, members: pl.DataFrame) -> updating.PooledBefore:
    """Pools that templates had in their newest state before this one, so that only what is within reach is drawn."""
    wanted = members.select("template_id").unique()
    units = project.read("negatives/units_before", settings_id=pool_settings(project), frames={"wanted": wanted})
    negatives = project.read("negatives/negatives_of", frames={"wanted": units.select("pool_id")})
    return updating.PooledBefore(units=units, negatives=negatives)


def page_and_negatives(
    project: Project, members: pl.DataFrame, tables: Mapping[str, pl.DataFrame]
) -> list[tuple[str, Path]]:
    """Caption and picture of the first page that has negatives, and of these; nothing where no page has any."""
    visible = sorted(visible_to_all(project, members))
    negatives = tables["negatives.negative"].filter(
        pl.col("unit_id").is_in(visible) & pl.col("negative_unit_id").is_in(visible)
    )
    negatives = negatives.sort("unit_id", "axis", "rank")
    mine = negatives.filter(pl.col("unit_id") == negatives["unit_id"].first())
    where = dict(members.select("unit_id", "picture_path").iter_rows())
    shown = [("the page", mine.item(0, "unit_id"))] if mine.height else []
    shown += [
        (f"other {axis}, {rank}", unit)
        for axis, rank, unit in mine.select("axis", "rank", "negative_unit_id").iter_rows()
    ]
    return [(caption, project.paths.home / where[unit_id]) for caption, unit_id in shown]


@dg.asset(group_name=GROUP, code_version=random_draws.CODE_VERSION, deps=["well_posed_questions"])
def random_negatives(context: dg.AssetExecutionContext, project: Project) -> dg.MaterializeResult:  # type: ignore[type-arg]
    """The usual test: pages drawn from the whole corpus for every gold unit. One row per gold unit, arena and rank."""
    batch_id, _ = corpus_snapshot(project)
    refuse_half_described(project)
    units = project.read("corpus/units_in_force")
    gold = read_asked(project).gold.filter(pl.col("position") == 1)["unit_id"].unique().sort().to_list()
    n_new = 0
    seed = project.declared.negatives.seed
    for arena, n, _ in random_arenas(project):
        drawn = random_draws.draw_random_negatives(
            gold_unit_ids=gold, units=units, arena=arena, n=n, seed=seed, batch_id=batch_id
        )
        n_new += project.record(context, drawn)
    return dg.MaterializeResult(metadata={"gold units": len(gold), "new rows": n_new})
