"""What figures must not show."""

from collections.abc import Sequence
from dataclasses import dataclass

import dagster as dg
import polars as pl

from eval_pipeline.metrics.rejectable import Rejectability, judge_rejectability, tabulate_by_template
from eval_pipeline.orchestration.control_reading import read_control_values
from eval_pipeline.orchestration.evaluating import lay_ground
from eval_pipeline.orchestration.resources import Project
from eval_pipeline.orchestration.run_reading import read_rankings, read_run_arenas, runs_in_force, visible_to
from eval_pipeline.orchestration.showing import table

N_TEMPLATES = 30
"""Templates that the check shows; the table begins with those that can be rejected."""


@dataclass(frozen=True, kw_only=True)
class Present:
    """The evaluation of one contract on all that is in force now.

    Attributes:
        task: name of the contract.
        is_scored: False where something changed and nothing was scored since.
        negatives: what control-appearance says of the negatives; open where it is not scored.
        by_template: the same by template, see `metrics.rejectable.BY_TEMPLATE`.
    """

    task: str
    is_scored: bool
    negatives: Rejectability
    by_template: pl.DataFrame


def read_present(project: Project) -> list[Present]:
    """The present evaluation of every contract; never an older one."""
    found = []
    for contract in project.contracts:
        ground = lay_ground(project, contract)
        is_scored = project.read("metrics/evaluation", evaluation_id=ground.basis.evaluation_id).height > 0
        values = read_control_values(project, ground)
        found.append(
            Present(
                task=contract.task,
                is_scored=is_scored,
                negatives=judge_rejectability(values, resampling=contract.resampling),
                by_template=tabulate_by_template(values, resampling=contract.resampling),
            )
        )
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
    return [(item.task, item.negatives) for item in present]


@dg.asset_check(asset="metric_tables", blocking=True)
def nothing_leaks(project: Project) -> dg.AssetCheckResult:
    """No asker got a page above their clearance among the units that are read: leak@limit is 0 for every variant."""
    leaks = leaked_units(project)
    return dg.AssetCheckResult(passed=leaks.is_empty(), metadata={"leaks": leaks.height, "first": table(leaks)})


@dg.asset_check(asset="metric_tables", blocking=True)
def negatives_look_alike(project: Project) -> dg.AssetCheckResult:
    """Hard negatives cannot be told from gold by their looks; blocks where `negatives: {strict: true}`, else warns."""
    present = read_present(project)
    found = rejectable_negatives(present)
    bad = [task for task, item in found if item.is_rejectable]
    severity = dg.AssetCheckSeverity.ERROR if project.declared.negatives.strict else dg.AssetCheckSeverity.WARN
    told: dict[str, dg.RawMetadataValue] = {task: tell(item) for task, item in found}
    told |= {f"{item.task}, by template": table(item.by_template, rows=N_TEMPLATES) for item in present}
    return dg.AssetCheckResult(passed=not bad, severity=severity, metadata=told)


def tell(found: Rejectability) -> str:
    """What control-appearance says of the negatives, with the figures that it rests on."""
    if found.estimate is None or found.random is None:
        return found.reason
    bound = "no bound" if found.low is None else f"at least {found.low:.3f}"
    return (
        f"{found.reason}: control-appearance {found.estimate:.3f} ({bound}), control-random {found.random:.3f}, "
        f"n {found.n}"
    )


ALL = [nothing_leaks, negatives_look_alike]
