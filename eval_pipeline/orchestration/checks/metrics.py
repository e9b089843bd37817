"""What figures must not show."""

import dagster as dg
import polars as pl

from eval_pipeline.metrics.rejectable import Rejectability, judge_rejectability
from eval_pipeline.orchestration.evaluating import lay_ground
from eval_pipeline.orchestration.resources import Project
from eval_pipeline.orchestration.showing import table


def _figures(project: Project) -> list[tuple[str, pl.DataFrame]]:
    found = []
    for contract in project.contracts:
        evaluation_id = lay_ground(project, contract).basis.evaluation_id
        found.append((contract.task, project.read("metrics/figures_of", evaluation_id=evaluation_id)))
    return found


def leaking_figures(project: Project) -> pl.DataFrame:
    """Figures of leak@k above 0 in the present evaluations."""
    figures = pl.concat([frame for _, frame in _figures(project)])
    return figures.filter(pl.col("measure").str.starts_with("leak@") & (pl.col("estimate") > 0))


def rejectable_negatives(project: Project) -> list[tuple[str, Rejectability]]:
    """What control-appearance says of the negatives, per task."""
    return [(task, judge_rejectability(frame)) for task, frame in _figures(project)]


@dg.asset_check(asset="metric_tables", blocking=True)
def nothing_leaks(project: Project) -> dg.AssetCheckResult:
    """leak@k is 0 in every evaluation."""
    leaks = leaking_figures(project)
    return dg.AssetCheckResult(passed=leaks.is_empty(), metadata={"figures": table(leaks)})


@dg.asset_check(asset="metric_tables", blocking=True)
def negatives_look_alike(project: Project) -> dg.AssetCheckResult:
    """Hard negatives cannot be told from gold by their looks; blocks where `negatives: {strict: true}`, else warns."""
    found = rejectable_negatives(project)
    bad = [f"{task}: {item.reason}" for task, item in found if item.is_rejectable]
    severity = dg.AssetCheckSeverity.ERROR if project.declared.negatives.strict else dg.AssetCheckSeverity.WARN
    told = {task: f"{item.reason} (low {item.low}, control-random {item.random}, n {item.n})" for task, item in found}
    return dg.AssetCheckResult(passed=not bad, severity=severity, metadata=told)


ALL = [nothing_leaks, negatives_look_alike]
