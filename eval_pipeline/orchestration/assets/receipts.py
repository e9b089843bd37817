"""Receipts of every question and the figures above them."""

from collections.abc import Iterator

import dagster as dg
import polars as pl

from eval_pipeline.foundation.outputs import StageOutput
from eval_pipeline.metrics.rejectable import judge_rejectability
from eval_pipeline.orchestration.assets.runs import register
from eval_pipeline.orchestration.control_reading import pick_control_values
from eval_pipeline.orchestration.evaluating import Ground, lay_ground, score_runs
from eval_pipeline.orchestration.gates import refuse_open_gates
from eval_pipeline.orchestration.resources import Project
from eval_pipeline.orchestration.showing import table
from eval_pipeline.receipts import building

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
    figures, n_receipts, n_figures = [], 0, 0
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
    yield dg.MaterializeResult("receipts", metadata={"new rows": n_receipts})
    yield dg.MaterializeResult(
        "metric_tables", metadata={"new rows": n_figures, "headline": table(headline(pl.concat(figures)), rows=60)}
    )


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


def headline(figures: pl.DataFrame) -> pl.DataFrame:
    """The figures that a person looks at first."""
    return figures.filter((pl.col("slice") == "all") & pl.col("measure").is_in(HEADLINE)).select(
        "variant", "arena", "measure", "estimate", "reason", "low", "high", "n_scored", "metric_id"
    )
