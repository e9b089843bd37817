"""Questions: written, imported, and whether they are well posed."""

from datetime import UTC, datetime
from functools import partial

import dagster as dg
import polars as pl

from eval_pipeline.foundation.ids import set_id
from eval_pipeline.orchestration.assets.corpus import documents, page_text
from eval_pipeline.orchestration.assets.negatives import hard_negatives
from eval_pipeline.orchestration.assets.templates import page_templates, template_members
from eval_pipeline.orchestration.partitions import AFTER_VECTORS, BUCKET, IN_ONE_RUN
from eval_pipeline.orchestration.question_sets import (
    Policy,
    asked_judge_of,
    judges_and_policies,
    read_page_verdicts,
    read_pools,
    read_roots,
    read_sampled,
)
from eval_pipeline.orchestration.reading import corpus_snapshot, members_in_force, page_reader, untouched
from eval_pipeline.orchestration.resources import Project
from eval_pipeline.orchestration.showing import counts, table
from eval_pipeline.questions import importing, posing, writing
from eval_pipeline.questions.sets import unposed, with_drawn_pools

GROUP = "questions"


@dg.asset(
    group_name=GROUP,
    code_version=writing.CODE_VERSION,
    partitions_def=BUCKET,
    backfill_policy=IN_ONE_RUN,
    deps=[template_members, page_templates, AFTER_VECTORS],
)
def candidate_questions(context: dg.AssetExecutionContext, project: Project) -> None:
    """Questions written from a declared sample of pages. One row per template state and question."""
    members, declared = members_in_force(project), project.declared.questions
    to_do = untouched(members, read_sampled(project, members), context.partition_keys)
    for (bucket,), group in to_do.sort("template_bucket").group_by("template_bucket", maintain_order=True):
        written = writing.write_candidates(
            members=group,
            pages=page_reader(project),
            config=declared,
            n_templates=members["template_id"].n_unique(),
            known=project.read("questions/written_by", frames={"writers": writing.paid_writers(declared)}),
            record=partial(project.record, context, partition=str(bucket)),
        )
        project.record(context, written, partition=str(bucket))
        sample = written.tables["questions.question"].select("text", "subject", "named_axes")
        context.add_asset_metadata({**counts(written.summary), "sample": table(sample)}, partition_key=str(bucket))


@dg.asset(group_name=GROUP, code_version=importing.CODE_VERSION, deps=[documents, page_text])
def imported_questions(context: dg.AssetExecutionContext, project: Project) -> dg.MaterializeResult:  # type: ignore[type-arg]
    """People's questions with the units they name as evidence. One row per source, corpus snapshot and question."""
    batch_id, _ = corpus_snapshot(project)
    found = importing.import_questions(
        home=project.paths.home,
        config=project.declared,
        units=project.read("corpus/units_in_force"),
        batch_id=batch_id,
    )
    project.record(context, found)
    refused = found.tables["corpus.quarantine"].select("source_path", "place", "reason", "next_step")
    version = set_id("imq", found.tables["questions.imported_question"]["question_id"])
    metadata = {**counts(found.summary), "refused": table(refused)}
    return dg.MaterializeResult(data_version=dg.DataVersion(version), metadata=metadata)


@dg.asset(
    group_name=GROUP,
    code_version=posing.CODE_VERSION,
    partitions_def=BUCKET,
    backfill_policy=IN_ONE_RUN,
    deps=[candidate_questions, hard_negatives, imported_questions],
)
def well_posed_questions(context: dg.AssetExecutionContext, project: Project) -> None:
    """What becomes of every question once its hard negatives are asked as well. One row per question and pool."""
    members = members_in_force(project)
    for name, policy in judges_and_policies(project):
        _pose(context, project, members, judge_name=name, policy=policy)


def _pose(
    context: dg.AssetExecutionContext, project: Project, members: pl.DataFrame, *, judge_name: str, policy: Policy
) -> None:
    judge, calls = asked_judge_of(project, judge_name)
    roots, gold = read_roots(project, members)
    unit_pools = read_pools(project, members)
    posed = project.read("questions/posed", judge_id=judge.judge_id, policy=policy, posing_version=posing.CODE_VERSION)
    units = project.read("corpus/units_in_force")
    waiting = unposed(roots=roots, gold=gold, unit_pools=unit_pools, posed=posed)
    waiting = with_drawn_pools(roots=waiting, gold=gold, unit_pools=unit_pools)
    waiting = waiting.filter(pl.col("template_bucket").is_in(context.partition_keys))
    for (bucket,), group in waiting.sort("template_bucket", "question_id").group_by(
        "template_bucket", maintain_order=True
    ):
        mine = gold.join(group, on="question_id", how="semi")
        mine_pools = unit_pools.join(mine, on="unit_id", how="semi")
        context.log.info(f"posing {group.height} questions of bucket {bucket}")
        negatives = project.read("negatives/negatives_of", frames={"wanted": mine_pools.select("pool_id")})
        asked_of = pl.concat([mine.select("unit_id"), negatives.select(unit_id="negative_unit_id")]).unique()
        outcome = posing.pose_questions(
            questions=group.drop("template_id", "template_bucket"),
            gold=mine,
            pools=negatives,
            unit_pools=mine_pools.select("unit_id", "pool_id"),
            units=units,
            judge=judge,
            pages=page_reader(project),
            known=read_page_verdicts(project, units.join(asked_of, on="unit_id", how="semi"), judge),
            axes=project.declared.axes,
            policy=policy,
            now=datetime.now(UTC),
            calls=calls,
            record=partial(project.record, context, partition=str(bucket)),
        )
        project.record(context, outcome, partition=str(bucket))
        context.add_asset_metadata({"judge": judge.name, **counts(outcome.summary)}, partition_key=str(bucket))
