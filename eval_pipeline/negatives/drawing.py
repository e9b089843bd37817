"""What every relation's generator does alike: group by group, pools become rows of the four tables.

A group is the set of units that may stand against each other: a template, a type of object, a topic, a recording. Its
id stands in the column `template_id`, whatever the relation.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Protocol

import numpy as np
import numpy.typing as npt
import polars as pl

from eval_pipeline.foundation.ids import canonical_json, text_id
from eval_pipeline.foundation.outputs import StageOutput
from eval_pipeline.foundation.protocols import UnitVectors, Vectors
from eval_pipeline.foundation.tables.negatives import NEGATIVE, POOLED_TEMPLATE, SHORTFALL, UNIT_POOL
from eval_pipeline.negatives.places import Pools, Shortfall

NO_STATE = ""
"""State of a member without a vector, or under a rule that keeps none."""


class PoolRule(Protocol):
    """The rule of one relation for the members of one group."""

    def __call__(self, part: pl.DataFrame, matrix: Vectors) -> Pools:
        """Pools of the members.

        Args:
            part: (n) members of one group that have a vector, in order of unit id.
            matrix: (n, dim) their vectors.
        """
        ...


def draw_by_group(
    *,
    members: pl.DataFrame,
    vectors: UnitVectors,
    refused: Collection[str],
    settings_id: str,
    rule: PoolRule,
    without_vector: Sequence[Shortfall],
) -> StageOutput:
    """Draw the pools of all members of the given groups.

    A group waits while a member has neither a vector nor a refusal: its pools would be kept under a state that says
    nothing of vectors, and no later run would draw them again.

    Args:
        members: unit_id, template_id, template_version_id, members_hash and what the rule reads; all members of a
            group. `state_hash`, where there is one, is kept with each member that has a vector, so that a later draw
            finds those that are as they were.
        vectors: vectors of the corpus as far as they were made.
        refused: units that the encoder refused; they get a pool that says so and are nobody's negative.
        settings_id: of everything but the members that a pool depends on.
        rule: of the relation.
        without_vector: shortfalls of a unit without a vector.

    Returns:
        Rows of negatives.pooled_template, unit_pool, negative and shortfall, sorted by their keys: the order of the
        input leaves no trace. The summary counts the groups that wait.
    """
    places = {unit_id: row for row, unit_id in enumerate(vectors.unit_ids.tolist())}
    columns, n_waiting = _Columns(), 0
    for _, part in members.sort("template_id", "unit_id").group_by("template_id", maintain_order=True):
        spots = [places.get(unit_id, -1) for unit_id in part["unit_id"].to_list()]
        if any(
            spot < 0 and unit_id not in refused for spot, unit_id in zip(spots, part["unit_id"].to_list(), strict=True)
        ):
            n_waiting += 1
            continue
        has_vector = pl.Series("has_vector", [spot >= 0 for spot in spots], dtype=pl.Boolean)
        drawn = part.filter(has_vector)
        if drawn.height:
            matrix = np.ascontiguousarray(vectors.matrix[[spot for spot in spots if spot >= 0]])
            columns.add_pools(drawn, rule(drawn, matrix), settings_id)
        columns.add_refused(part.filter(~has_vector), without_vector, settings_id)
        columns.pooled.append(
            part.select("template_id", "members_hash").head(1).with_columns(n_units=pl.lit(part.height, dtype=pl.Int64))
        )
    return _to_output(columns, settings_id, n_waiting=n_waiting)


def refused_units(members: pl.DataFrame, refused: Collection[str]) -> frozenset[str]:
    """Units whose picture the encoder refused.

    Args:
        members: unit_id, picture_hash.
        refused: picture hashes.
    """
    return frozenset(members.filter(pl.col("picture_hash").is_in(list(refused)))["unit_id"].to_list())


@dataclass
class _Columns:
    """Rows of the four tables, one frame per group each."""

    pooled: list[pl.DataFrame] = field(default_factory=list)
    pools: list[pl.DataFrame] = field(default_factory=list)
    negatives: list[pl.DataFrame] = field(default_factory=list)
    shortfalls: list[pl.DataFrame] = field(default_factory=list)

    def add_pools(self, part: pl.DataFrame, pools: Pools, settings_id: str) -> None:
        """Members with a vector: their pools by name."""
        unit_ids = part["unit_id"]
        pool_ids = pl.Series("pool_id", list(_name_pools(unit_ids, pools, settings_id)), dtype=pl.String)
        states = part["state_hash"] if "state_hash" in part.columns else pl.lit(NO_STATE)
        self.pools.append(_to_pools(part, pool_ids, _count_distinct(pools, part.height), states))
        self.negatives.append(
            pl.DataFrame(
                {
                    "pool_id": pool_ids.gather(pools.rows),
                    "unit_id": unit_ids.gather(pools.rows),
                    "axis": pl.Series(pools.axes, dtype=pl.String).gather(pools.axis),
                    "rank": pools.ranks,
                    "negative_unit_id": unit_ids.gather(pools.columns),
                    "similarity": pools.similarities.astype(np.float64),
                }
            )
        )
        self._add_shortfalls(pool_ids.gather(pools.short_rows), unit_ids.gather(pools.short_rows), pools.shortfalls)

    def add_refused(self, part: pl.DataFrame, shortfalls: Sequence[Shortfall], settings_id: str) -> None:
        """Members without a vector: a pool that says so."""
        names = [_name_pool(unit_id, settings_id, [], shortfalls) for unit_id in part["unit_id"].to_list()]
        pool_ids = pl.Series("pool_id", names, dtype=pl.String)
        nobody = np.zeros(part.height, dtype=np.int64)
        self.pools.append(_to_pools(part, pool_ids, nobody, pl.lit(NO_STATE)))
        for name, unit_id in zip(names, part["unit_id"].to_list(), strict=True):
            n_short = len(shortfalls)
            self._add_shortfalls(pl.Series([name] * n_short), pl.Series([unit_id] * n_short), shortfalls)

    def _add_shortfalls(self, pool_ids: pl.Series, unit_ids: pl.Series, shortfalls: Sequence[Shortfall]) -> None:
        self.shortfalls.append(
            pl.DataFrame(
                {
                    "pool_id": pool_ids,
                    "unit_id": unit_ids,
                    "axis": [shortfall.axis for shortfall in shortfalls],
                    "n_wanted": [shortfall.n_wanted for shortfall in shortfalls],
                    "n_found": [shortfall.n_found for shortfall in shortfalls],
                    "reason": [shortfall.reason for shortfall in shortfalls],
                },
                schema={column.name: column.dtype for column in SHORTFALL.columns},
            )
        )


def _to_pools(
    part: pl.DataFrame, pool_ids: pl.Series, n_negatives: npt.NDArray[np.int64], states: pl.Series | pl.Expr
) -> pl.DataFrame:
    return part.select("unit_id", "template_id", "template_version_id", "members_hash").with_columns(
        pool_id=pool_ids,
        n_negatives=pl.Series(n_negatives, dtype=pl.Int64),
        state_hash=states,
    )


def _count_distinct(pools: Pools, n_members: int) -> npt.NDArray[np.int64]:
    """(n,) distinct negatives of each member."""
    pairs = np.unique(pools.rows * np.int64(n_members) + pools.columns)
    return np.bincount(pairs // n_members, minlength=n_members)


def _name_pools(unit_ids: pl.Series, pools: Pools, settings_id: str) -> Iterator[str]:
    """(n,) id of each member's pool: a hash of its content."""
    members = np.arange(len(unit_ids) + 1)
    starts, short_starts = np.searchsorted(pools.rows, members), np.searchsorted(pools.short_rows, members)
    axes = pl.Series("axis", [canonical_json(axis) for axis in pools.axes], dtype=pl.String)
    columns = (axes.gather(pools.axis), pl.Series("rank", pools.ranks), unit_ids.gather(pools.columns))
    named = pl.select(pl.concat_str(*columns, separator="\t")).to_series().to_list()
    for row, unit_id in enumerate(unit_ids.to_list()):
        shortfalls = pools.shortfalls[short_starts[row] : short_starts[row + 1]]
        yield _name_pool(unit_id, settings_id, named[starts[row] : starts[row + 1]], shortfalls)


def _name_pool(unit_id: str, settings_id: str, negatives: Sequence[str], shortfalls: Sequence[Shortfall]) -> str:
    """Id of a pool: unit, settings, negatives and shortfalls, one a line; names are JSON, so none holds a line end."""
    return text_id("pool", "\n".join([unit_id, settings_id, *negatives, *map(_tell, shortfalls)]))


@lru_cache(maxsize=4096)
def _tell(short: Shortfall) -> str:
    return canonical_json([short.axis, short.n_wanted, short.n_found, short.reason])


def _to_output(columns: _Columns, settings_id: str, *, n_waiting: int) -> StageOutput:
    settings = pl.lit(settings_id, dtype=pl.String).alias("settings_id")
    tables = {}
    for table, parts in (
        (POOLED_TEMPLATE, [part.with_columns(settings) for part in columns.pooled]),
        (UNIT_POOL, [part.with_columns(settings) for part in columns.pools]),
        (NEGATIVE, columns.negatives),
        (SHORTFALL, columns.shortfalls),
    ):
        names = [column.name for column in table.columns]
        rows = pl.concat(parts).select(names) if parts else table.frame([])
        tables[table.name] = table.validate(rows.sort(list(table.key)))
    pooled, pools = tables[POOLED_TEMPLATE.name], tables[UNIT_POOL.name]
    return StageOutput(
        tables=tables,
        inputs=tuple(pooled["members_hash"].unique().sort().to_list()),
        summary={
            "templates_pooled": pooled.height,
            "units_pooled": pools.height,
            "negatives": tables[NEGATIVE.name].height,
            "shortfalls": tables[SHORTFALL.name].height,
            "units_without_negatives": int((pools["n_negatives"] == 0).sum()),
            "templates_waiting_for_vectors": n_waiting,
        },
    )
