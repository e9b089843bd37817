"""Rankings of every variant and control."""

import dagster as dg
import polars as pl

from eval_pipeline.foundation.outputs import StageOutput
from eval_pipeline.orchestration.arena_reading import read_arenas
from eval_pipeline.orchestration.question_sets import QuestionSet, read_asked
from eval_pipeline.orchestration.reading import corpus_snapshot, read_vectors
from eval_pipeline.orchestration.resources import Project
from eval_pipeline.orchestration.showing import counts
from eval_pipeline.runs import stage
from eval_pipeline.runs.building import RetrievalCorpus, build_retriever
from eval_pipeline.runs.variants import Variant, declare_variants

GROUP = "runs"


def read_corpus(project: Project) -> RetrievalCorpus:
    """Units in force with their texts and vectors, as a retriever gets them."""
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
    )


@dg.asset(
    group_name=GROUP,
    code_version=stage.CODE_VERSION,
    deps=["well_posed_questions", "random_negatives", "page_vectors"],
)
def variant_runs(context: dg.AssetExecutionContext, project: Project) -> dg.MaterializeResult:  # type: ignore[type-arg]
    """Ranked lists of every variant and control, per stage. One row per run, question and stage; ranks beside it."""
    asked = read_asked(project)
    arenas = read_arenas(project, asked)
    corpus = read_corpus(project)
    metadata: dict[str, object] = {"questions": asked.questions.height, "units": corpus.units.height}
    for variant in declare_variants(config=project.declared, encoder_id=project.encoder().encoder_id):
        context.log.info(f"variant {variant.name}")
        made = _run_variant(project, variant, corpus, asked, arenas)
        n_new = project.record(context, made, partition=variant.name)
        metadata[variant.name] = f"{n_new} new rows"
    return dg.MaterializeResult(metadata=metadata)


def _run_variant(
    project: Project, variant: Variant, corpus: RetrievalCorpus, asked: QuestionSet, arenas: pl.DataFrame
) -> StageOutput:
    batch_id, _ = corpus_snapshot(project)
    run_id = stage.retrieval_run_id_of(variant.variant_id, batch_id)
    ranked = project.read("runs/ranked_questions", retrieval_run_id=run_id)
    to_run, open_arenas = stage.not_yet_run(questions=asked.questions, arenas=arenas, ranked=ranked)
    return stage.run_variant(
        variant=variant,
        retriever=build_retriever(variant=variant, corpus=corpus),
        questions=to_run,
        arenas=open_arenas,
        batch_id=batch_id,
        depth=max(contract.depth for contract in project.contracts),
    )
