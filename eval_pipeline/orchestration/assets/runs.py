"""Rankings of every variant and control."""

from datetime import UTC, datetime

import dagster as dg
import polars as pl

from eval_pipeline.foundation.outputs import StageOutput
from eval_pipeline.foundation.tables.tasks import CONTRACT
from eval_pipeline.orchestration.gates import refuse_open_gates
from eval_pipeline.orchestration.question_sets import QuestionSet, read_asked
from eval_pipeline.orchestration.reading import corpus_snapshot, members_in_force, read_vectors
from eval_pipeline.orchestration.resources import Project
from eval_pipeline.orchestration.run_reading import (
    RunInForce,
    read_rankings,
    read_run_arenas,
    runs_in_force,
    visible_to,
)
from eval_pipeline.orchestration.showing import in_words
from eval_pipeline.runs import stage
from eval_pipeline.runs.announcing import close
from eval_pipeline.runs.building import RetrievalCorpus, build_retriever
from eval_pipeline.runs.imported import import_run
from eval_pipeline.runs.open_work import not_yet_run
from eval_pipeline.runs.run_file import RunFile
from eval_pipeline.runs.variants import RUN_FILE
from eval_pipeline.tasks.contracts import Contract

GROUP = "runs"
TOLD = (
    "questions_not_answered",
    "reasons",
    "lines refused",
    "lines with a tied score",
    "questions not run",
    "median_ms",
    "p95_ms",
)
"""Counts of a run that stand beside its new rows."""


@dg.asset(
    group_name=GROUP,
    code_version=stage.CODE_VERSION,
    deps=["well_posed_questions", "random_negatives", "page_vectors"],
)
def variant_runs(context: dg.AssetExecutionContext, project: Project) -> dg.MaterializeResult:  # type: ignore[type-arg]
    """Ranked lists of every variant and control, per stage. One row per run, question and stage; ranks beside it."""
    refuse_open_gates(project)
    project.record(context, register(project.contracts), partition="contracts")
    asked = read_asked(project)
    metadata: dict[str, dg.RawMetadataValue] = {"questions": asked.questions.height}
    for contract in project.contracts:
        corpus, arenas = read_corpus(project, contract), read_run_arenas(project, contract)
        for run in runs_in_force(project, arenas, contract):
            context.log.info(f"{contract.task}: {run.variant.name}")
            made = _run(project, run, corpus, asked, arenas)
            n_new = project.record(context, made, partition=run.variant.name)
            metadata[f"{contract.task}: {run.variant.name}"] = _tell(n_new, made)
            if "questions_not_answered" in made.summary:
                context.log.warning(f"{run.variant.name}: {_tell(n_new, made)}")
    return dg.MaterializeResult(metadata=metadata)


def register(contracts: list[Contract]) -> StageOutput:
    """Rows of the declared contracts; the earliest registration of each is the one that counts."""
    now = datetime.now(UTC)
    rows = [contract.to_table_row(registered_at_utc=now) for contract in contracts]
    return StageOutput(tables={CONTRACT.name: CONTRACT.frame(rows)})


def read_corpus(project: Project, contract: Contract) -> RetrievalCorpus:
    """Units in force with their texts and vectors, as a retriever that serves the contract's asker gets them."""
    units = project.read("corpus/units_in_force")
    texts = project.read("corpus/texts", frames={"wanted": units.select("text_hash").unique()})
    by_unit = units.join(texts, on="text_hash", how="left").select("unit_id", "text")
    encoder = project.encoder()
    return RetrievalCorpus(
        units=units,
        texts=dict(by_unit.iter_rows()),
        vectors=read_vectors(project, encoder),
        encoder=encoder,
        home=project.paths.home,
        template_of=dict(members_in_force(project).select("unit_id", "template_id").iter_rows()),
        visible=visible_to(project, contract, units),
    )


def _run(
    project: Project, run: RunInForce, corpus: RetrievalCorpus, asked: QuestionSet, arenas: pl.DataFrame
) -> StageOutput:
    batch_id, _ = corpus_snapshot(project)
    first = asked.gold.filter(pl.col("position") == 1).select("question_id", gold_unit_id="unit_id")
    questions = asked.questions.select("question_id", "text").join(first, on="question_id", how="left")
    candidates = arenas.select("question_id", "arena", "unit_id")
    _, ranked = read_rankings(project, run)
    work = not_yet_run(questions=questions, arenas=candidates, ranked=ranked, is_control=run.variant.is_control)
    if run.reads_all:  # its run is named by all arenas: on none of them it would be another run, without a ranking
        if work.questions.is_empty():
            return StageOutput(tables={})
        work = work._replace(questions=questions, arenas=candidates)
    if run.variant.kind == RUN_FILE:
        if work.questions.is_empty():
            return StageOutput(tables={})
        named = questions.join(asked.questions.select("question_id", "declared_id"), on="question_id")
        return _import(project, run, corpus, named, candidates)
    retriever = build_retriever(variant=run.variant, corpus=corpus)
    try:
        return stage.run_variant(
            variant=run.variant,
            retriever=retriever,
            questions=work.questions,
            arenas=work.arenas,
            batch_id=batch_id,
            depth=run.depth,
            clearance=run.clearance,
            arena_settings_id=run.arena_settings_id,
        )
    finally:
        close(retriever)


def _import(
    project: Project, run: RunInForce, corpus: RetrievalCorpus, questions: pl.DataFrame, arenas: pl.DataFrame
) -> StageOutput:
    """Take in a run file, whole: a question that is not asked is unknown to it. Only what is new is recorded."""
    return import_run(
        declared=RunFile.of_variant(run.variant),
        home=project.paths.home,
        questions=questions,
        units=corpus.units,
        arenas=arenas,
        batch_id=corpus_snapshot(project)[0],
        depth=run.depth,
        variant=run.variant,
        clearance=run.clearance,
        arena_settings_id=run.arena_settings_id,
        visible=corpus.visible,
    )


def _tell(n_new: int, made: StageOutput) -> str:
    """What a run did, in a line of metadata."""
    told = {name: made.summary[name] for name in TOLD if name in made.summary}
    return "; ".join([f"{n_new} new rows", *(f"{in_words(name)} {value}" for name, value in told.items())])
