"""What figures must not show."""

from collections.abc import Sequence
from dataclasses import dataclass

import dagster as dg
import polars as pl

from eval_pipeline.metrics.rejectable import Rejectability, judge_rejectability
from eval_pipeline.orchestration.evaluating import lay_ground
from eval_pipeline.orchestration.resources import Project
from eval_pipeline.orchestration.run_reading import read_rankings, read_run_arenas, runs_in_force, visible_to
from eval_pipeline.orchestration.showing import table


@dataclass(frozen=True, kw_only=True)
class Present:
    """The evaluation of one contract on all that is in force now.

    Attributes:
        task: name of the contract.
        is_scored: False where something changed and nothing was scored since.
        figures: rows of metrics.metric with the name of their variant; none where it is not scored.
    """

    task: str
    is_scored: bool
    figures: pl.DataFrame


def read_present(project: Project) -> list[Present]:
    """The present evaluation of every contract; never an older one."""
    found = []
    for contract in project.contracts:
        params = {"evaluation_id": lay_ground(project, contract).basis.evaluation_id}
        with project.session() as ledger:
            is_scored = ledger.read("metrics/evaluation", params=params).height > 0
            figures = ledger.read("metrics/figures_of", params=params)
        found.append(Present(task=contract.task, is_scored=is_scored, figures=figures))
    return found


def leaked_units(project: Project) -> pl.DataFrame:
    """Units among the first `limit` of a final list that the contract's asker may not see: leak@limit is not 0.

    Read from the rankings themselves, whether or not the contract measures leak@k: task, variant, question_id, unit_id.
    """
    with project.together():
        return _leaked_units(project)


def _leaked_units(project: Project) -> pl.DataFrame:
    units = project.read("corpus/units_in_force")
    found = [pl.DataFrame(schema=dict.fromkeys(("task", "variant", "question_id", "unit_id"), pl.String))]
    for contract in project.contracts:
        visible = sorted(visible_to(project, contract, units))
        for run in runs_in_force(project, read_run_arenas(project, contract), contract):
            ranked, _ = read_rankings(project, run)
            seen = ranked.filter((pl.col("stage") == "final") & (pl.col("rank") <= contract.limit))
            leaks = seen.filter(~pl.col("unit_id").is_in(visible)).select("question_id", "unit_id")
            found.append(leaks.with_columns(task=pl.lit(contract.task), variant=pl.lit(run.variant.name)))
    return pl.concat([frame.select(found[0].columns) for frame in found])


def rejectable_negatives(present: Sequence[Present]) -> list[tuple[str, Rejectability]]:
    """What control-appearance says of the negatives, per task."""
    return [(item.task, judge_rejectability(item.figures)) for item in present]


@dg.asset_check(asset="metric_tables", blocking=True)
def nothing_leaks(project: Project) -> dg.AssetCheckResult:
    """No asker got a page above their clearance among the units that are read: leak@limit is 0 for every variant."""
    leaks = leaked_units(project)
    return dg.AssetCheckResult(passed=leaks.is_empty(), metadata={"leaks": leaks.height, "first": table(leaks)})


@dg.asset_check(asset="metric_tables", blocking=True)
def negatives_look_alike(project: Project) -> dg.AssetCheckResult:
    """Hard negatives cannot be told from gold by their looks; blocks where `negatives: {strict: true}`, else warns."""
    found = rejectable_negatives(read_present(project))
    bad = [f"{task}: {item.reason}" for task, item in found if item.is_rejectable]
    severity = dg.AssetCheckSeverity.ERROR if project.declared.negatives.strict else dg.AssetCheckSeverity.WARN
    told = {task: f"{item.reason} (low {item.low}, control-random {item.random}, n {item.n})" for task, item in found}
    return dg.AssetCheckResult(passed=not bad, severity=severity, metadata=told)


ALL = [nothing_leaks, negatives_look_alike]
