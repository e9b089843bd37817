"""Receipts of every question and the figures above them."""

from collections.abc import Iterator

import dagster as dg
import polars as pl

from eval_pipeline.foundation.outputs import StageOutput
from eval_pipeline.foundation.protocols import UnitVectors
from eval_pipeline.metrics.rejectable import judge_rejectability, tabulate_by_template
from eval_pipeline.orchestration.assets.runs import register
from eval_pipeline.orchestration.candidate_reading import (
    lay_tables,
    read_candidates,
    read_hardness,
    read_visible_vectors,
)
from eval_pipeline.orchestration.control_reading import pick_control_values
from eval_pipeline.orchestration.evaluating import Ground, lay_ground, score_runs
from eval_pipeline.orchestration.gates import refuse_open_gates
from eval_pipeline.orchestration.loss_reading import read_waterfalls, tabulate_losses, tabulate_recalls
from eval_pipeline.orchestration.resources import Project
from eval_pipeline.orchestration.run_reading import visible_to_all
from eval_pipeline.orchestration.showing import in_words, table
from eval_pipeline.receipts import building

N_CANDIDATES = 20
"""Rows of the one candidate table that is shown; `eval-pipeline trace QUESTION --candidates` prints any other."""
N_LOST = 40
"""Rows of the table of lost questions; the report has them all up to 40 a variant."""
HEADLINE = ("top@1", "top@5", "sufficient@1", "sufficient@5")


@dg.multi_asset(
    specs=[
        dg.AssetSpec(
            "receipts",
            group_name="receipts",
            code_version=building.CODE_VERSION,
            deps=["labels", "variant_runs"],
            description="One measure for one question of one run, with all it rests on. One row per receipt.",
        ),
        dg.AssetSpec(
            "metric_tables",
            group_name="metrics",
            code_version=building.CODE_VERSION,
            deps=["receipts"],
            description="Means over questions with intervals and denominators. One row per figure.",
        ),
    ],
    name="score_runs",
)
def score_all_runs(context: dg.AssetExecutionContext, project: Project) -> Iterator[dg.MaterializeResult]:  # type: ignore[type-arg]
    """Score every run under every contract: receipts first, then the figures that are means over them."""
    refuse_open_gates(project)
    project.record(context, register(project.contracts), asset="receipts", partition="contracts")
    figures, shown, n_receipts, n_figures = [], dict[str, dg.MetadataValue](), 0, 0
    for contract in project.contracts:
        ground = lay_ground(project, contract)
        context.log.info(f"{contract.task}: {ground.cohort.questions.height} questions, {len(ground.runs)} runs")
        made = score_runs(project, ground)
        receipts, metrics = split_output(made)
        last = project.read("metrics/turn_in_force", contract_id=contract.contract_id)
        evaluation = {
            "metrics.evaluation": ground.basis.to_table_row(funnel=ground.funnel, stamps=stamps_of(ground, receipts)),
            "metrics.evaluation_turn": ground.basis.to_turn_row(last),
        }
        n_receipts += project.record(context, receipts, asset="receipts", partition=contract.task)
        n_figures += project.record(
            context,
            StageOutput(tables={**metrics.tables, **evaluation}, inputs=made.inputs),
            asset="metric_tables",
            partition=contract.task,
        )
        figures.append(project.read("metrics/figures_of", evaluation_id=ground.basis.evaluation_id))
        shown |= show_losses(project, ground)
        shown |= show_negatives(project, ground, pick_control_values(receipts.tables["receipts.receipt"], ground))
    yield dg.MaterializeResult("receipts", metadata={"new rows": n_receipts})
    metadata: dict[str, dg.RawMetadataValue] = {
        "new rows": n_figures,
        "headline": table(headline(pl.concat(figures)), rows=60),
        **shown,
    }
    yield dg.MaterializeResult("metric_tables", metadata=metadata)


def split_output(made: StageOutput) -> tuple[StageOutput, StageOutput]:
    """Receipts and figures apart: they are recorded as two commits, one under each asset."""
    tables = {"receipts": {}, "metrics": {}}  # type: dict[str, dict[str, pl.DataFrame]]
    for name, frame in made.tables.items():
        tables[name.split(".", maxsplit=1)[0]][name] = frame
    return (
        StageOutput(tables=tables["receipts"], inputs=made.inputs),
        StageOutput(tables=tables["metrics"], inputs=made.inputs),
    )


def stamps_of(ground: Ground, receipts: StageOutput) -> list[str]:
    """What every figure must carry: what is missing, and negatives that can be told from gold by their looks."""
    values = pick_control_values(receipts.tables["receipts.receipt"], ground)
    verdict = judge_rejectability(values, resampling=ground.contract.resampling)
    waiting = [f"{ground.waiting.height} pairs wait for their judge"] if ground.waiting.height else []
    return [*waiting, *([verdict.reason] if verdict.is_rejectable else [])]


def show_losses(project: Project, ground: Ground) -> dict[str, dg.MetadataValue]:
    """The three recalls of every variant, and the stage that lost each question, with its rank before and after."""
    task, found = ground.contract.task, read_waterfalls(project, ground)
    return {
        f"{task}: three recalls": table(tabulate_recalls(found)),
        f"{task}: lost questions": table(tabulate_losses(found), rows=N_LOST),
    }


def show_negatives(project: Project, ground: Ground, controls: pl.DataFrame) -> dict[str, dg.MetadataValue]:
    """How hard the negatives of an evaluation are, which templates give themselves away, one question's candidates.

    Args:
        project: the project.
        ground: the evaluation.
        controls: see `metrics.rejectable.VALUES`.
    """
    task, vectors = ground.contract.task, read_visible_vectors(project, ground)
    by_template = tabulate_by_template(controls, resampling=ground.contract.resampling)
    return {
        f"{task}: hardness of negatives": table(read_hardness(ground, vectors).rename(in_words)),
        f"{task}: templates on appearance": table(by_template.rename(in_words)),
        **show_candidates(project, ground, vectors),
    }


def show_candidates(project: Project, ground: Ground, vectors: UnitVectors) -> dict[str, dg.MetadataValue]:
    """The candidate table of the first question that has hard negatives and whose gold page all may see."""
    visible = sorted(visible_to_all(project, ground.units))
    gold = ground.asked.gold.filter((pl.col("position") == 1) & pl.col("unit_id").is_in(visible))
    asked = ground.cohort.questions.join(ground.pools, on="question_id", how="semi")
    chosen = asked.join(gold, on="question_id", how="semi")["question_id"].sort().head(1).to_list()
    tables = lay_tables(project, ground, read_candidates(project, ground, vectors, chosen))
    return {
        f"{ground.contract.task}: candidates of {question_id}": table(laid.to_frame(), rows=N_CANDIDATES)
        for question_id, laid in tables.items()
    }


def headline(figures: pl.DataFrame) -> pl.DataFrame:
    """The figures that a person looks at first."""
    return figures.filter((pl.col("slice") == "all") & pl.col("measure").is_in(HEADLINE)).select(
        "variant", "arena", "measure", "estimate", "reason", "low", "high", "n_scored", "metric_id"
    )
