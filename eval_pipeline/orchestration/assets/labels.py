"""Pairs to judge and the labels in force."""

from datetime import UTC, datetime
from functools import partial

import dagster as dg
import polars as pl

from eval_pipeline.foundation.outputs import StageOutput, merge_outputs
from eval_pipeline.judging.asking import add_verdict_ids, ask
from eval_pipeline.labels import auditing, carrying, effective, imported, judged, pooling
from eval_pipeline.labels.reviewers import build_reviewer
from eval_pipeline.orchestration.arena_reading import read_negatives
from eval_pipeline.orchestration.question_sets import QuestionSet, asked_judge_of, read_asked
from eval_pipeline.orchestration.reading import page_reader
from eval_pipeline.orchestration.resources import Project
from eval_pipeline.orchestration.run_reading import read_final_rankings
from eval_pipeline.orchestration.showing import counts

GROUP = "labels"
CODE_VERSION = ".".join(module.CODE_VERSION for module in (pooling, judged, imported, carrying, auditing, effective))


def in_slices(asked: QuestionSet) -> pl.DataFrame:
    """Questions that belong to some slice: only these are worth a label."""
    kept = asked.posed.filter(pl.col("slice").is_not_null()).select("question_id").unique()
    return asked.questions.join(kept, on="question_id", how="semi").sort("question_id")


@dg.asset(group_name=GROUP, code_version=pooling.CODE_VERSION, deps=["variant_runs"])
def candidate_pool(context: dg.AssetExecutionContext, project: Project) -> dg.MaterializeResult:  # type: ignore[type-arg]
    """Pairs to label: gold units, hard negatives, what the variants brought. One row per question, unit and source."""
    asked = read_asked(project)
    questions = in_slices(asked)
    pooled = pooling.pool_candidates(
        gold=asked.gold.join(questions, on="question_id", how="semi"),
        negatives=read_negatives(project, asked).join(questions, on="question_id", how="semi"),
        rankings=read_final_rankings(project).join(questions, on="question_id", how="semi"),
        depth=project.declared.labels.pool_depth,
    )
    n_new = project.record(context, pooled)
    return dg.MaterializeResult(metadata={**counts(pooled.summary), "new rows": n_new})


@dg.asset(group_name=GROUP, code_version=CODE_VERSION, deps=[candidate_pool, "imported_questions"])
def labels(context: dg.AssetExecutionContext, project: Project) -> dg.MaterializeResult:  # type: ignore[type-arg]
    """Grades of the pairs: judge's pre-labels, people's evidence, adjudications. One row per judgment of a pair."""
    asked = read_asked(project)
    questions = in_slices(asked)
    wanted = {"wanted": questions.select("question_id")}
    candidates = project.read("labels/candidates_of", frames=wanted)
    units = project.read("corpus/units_in_force")
    metadata: dict[str, dg.RawMetadataValue] = {"questions": questions.height}
    for name in sorted({contract.judgment.judge for contract in project.contracts}):
        made = _prelabel(context, project, name, questions=questions, candidates=candidates, units=units)
        metadata[f"pre-labels by {name}"] = project.record(context, made, partition="pre-labels")
    given = imported.labels_from_imports(gold=asked.gold, questions=questions, now=datetime.now(UTC))
    metadata["given labels"] = project.record(context, given, partition="given")
    decided = _decide(project, asked, questions, candidates, units)
    metadata["adjudications"] = project.record(context, decided, partition="adjudications")
    return dg.MaterializeResult(metadata={**metadata, **counts(decided.summary)})


def _prelabel(
    context: dg.AssetExecutionContext,
    project: Project,
    judge_name: str,
    *,
    questions: pl.DataFrame,
    candidates: pl.DataFrame,
    units: pl.DataFrame,
) -> StageOutput:
    judge, calls = asked_judge_of(project, judge_name)
    pairs = (
        candidates.select("question_id", "unit_id")
        .unique()
        .join(questions.select("question_id", "text", "relation"), on="question_id")
        .join(units.select("unit_id", "picture_hash", "text_hash"), on="unit_id")
        .sort("question_id", "unit_id")
    )
    known = project.read("judging/verdicts_of", frames={"wanted": pairs.select("text")}, judge_id=judge.judge_id)
    asked = ask(
        judge=judge,
        verb="label",
        pairs=pairs,
        pages=page_reader(project),
        known=known,
        now=datetime.now(UTC),
        calls=calls,
        record=partial(project.record, context, partition="pre-labels"),
    )
    keyed = [add_verdict_ids(pairs, verb=verb, judge_id=judge.judge_id) for verb in ("answers", "label")]
    made = judged.labels_from_verdicts(
        verdicts=pl.concat([known, asked.tables["judging.verdict"]]),
        judge_names={judge.judge_id: judge.name},
        relation_of=dict(questions.select("question_id", "relation").iter_rows()),
        pairs=pl.concat(keyed).select("question_id", "unit_id", "verdict_id"),
        existing=project.read("labels/labels_of", frames={"wanted": questions.select("question_id")}),
    )
    return merge_outputs(asked, made)


def _decide(
    project: Project, asked: QuestionSet, questions: pl.DataFrame, candidates: pl.DataFrame, units: pl.DataFrame
) -> StageOutput:
    now, declared = datetime.now(UTC), project.declared
    with project.session() as ledger:
        existing = ledger.read("labels/labels_of", frames={"wanted": questions.select("question_id")})
        known_units = ledger.table("corpus.unit")
    carried = carrying.carry_labels(labels=existing, units=units, known_units=known_units, now=now)
    reviewed = auditing.audit(
        questions=questions.select("question_id", "text", "relation"),
        candidates=candidates,
        reviewer=build_reviewer(declared=declared.labels.reviewer, home=project.paths.home),
        units=units,
        config=declared.labels,
        existing=existing,
        now=now,
    )
    posed = asked.posed.join(questions, on="question_id", how="semi")
    effective_ones = effective.effective_pools(well_posedness=posed, negatives=read_negatives(project, asked))
    return merge_outputs(carried, reviewed, effective_ones)
