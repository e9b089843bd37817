"""Bring the rows of older commits to the schema of today: one pure, frozen step per table and version.

A step imports no code of the product: what it calls could change under it, and the commit could not.
"""

from collections.abc import Callable, Mapping

import polars as pl

from eval_pipeline.foundation.errors import LedgerVersion
from eval_pipeline.foundation.frames import Table
from eval_pipeline.foundation.tables import TABLES

Step = Callable[[pl.DataFrame], pl.DataFrame]


def _unit_pool_1(frame: pl.DataFrame) -> pl.DataFrame:
    """Nobody knows in what state the unit was, so a later draw draws its pool anew."""
    return frame.with_columns(state_hash=pl.lit("", dtype=pl.String))


STEPS: Mapping[tuple[str, int], Step] = {("negatives.unit_pool", 1): _unit_pool_1}
"""(table, version it reads) -> rows of the next version."""


def upcast(
    name: str,
    version: int,
    frame: pl.DataFrame,
    *,
    tables: Mapping[str, Table] = TABLES,
    steps: Mapping[tuple[str, int], Step] = STEPS,
) -> pl.DataFrame:
    """Rows of a commit under the schema of today.

    Args:
        name: `stage.table`.
        version: version under which the rows were written.
        frame: the rows.
        tables: schemas of today.
        steps: one step per table and version, each reading one version and giving the next.

    Raises:
        LedgerVersion: the table is unknown or newer, or a step is missing; names table and both versions.
        LineageError: the rows break the schema.
    """
    table = tables.get(name)
    if table is None or version > table.version:
        known = f"version {table.version}" if table else "no such table"
        message = f"{name} was written at version {version}, this version of eval-pipeline has {known}; upgrade it"
        raise LedgerVersion(message)
    for step_version in range(version, table.version):
        step = steps.get((name, step_version))
        if step is None:
            message = f"{name}: nothing reads version {step_version}, and version {table.version} is needed"
            raise LedgerVersion(message)
        frame = step(frame)
    return table.validate(frame)
