"""Every place of every pool is filled or accounted for."""

import dagster as dg
import polars as pl

from eval_pipeline.negatives.completeness import unrecorded_shortfalls
from eval_pipeline.orchestration.question_sets import read_pools
from eval_pipeline.orchestration.reading import members_in_force
from eval_pipeline.orchestration.resources import Project
from eval_pipeline.orchestration.showing import table


def unaccounted_places(project: Project) -> pl.DataFrame:
    """Empty places of pools in force without a shortfall row."""
    pools = read_pools(project, members_in_force(project))
    wanted = {"wanted": pools.select("pool_id")}
    declared = project.declared
    return unrecorded_shortfalls(
        unit_pools=pools,
        negatives=project.read("negatives/negatives_of", frames=wanted),
        shortfalls=project.read("negatives/shortfalls_of", frames=wanted),
        axes=declared.axes,
        k=declared.negatives.k,
    )


@dg.asset_check(asset="hard_negatives", blocking=True)
def every_place_accounted_for(project: Project) -> dg.AssetCheckResult:
    """A pool holds as many negatives as it has places, or a shortfall row says why not."""
    missing = unaccounted_places(project)
    return dg.AssetCheckResult(passed=missing.is_empty(), metadata={"pools": missing.height, "missing": table(missing)})


ALL = [every_place_accounted_for]
