"""What every relation's generator does alike: group by group, pools become rows of the four tables.

A group is the set of units that may stand against each other: a template, a type of object, a topic, a recording. Its
id stands in the column `template_id`, whatever the relation.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Protocol

import numpy as np
import polars as pl

from eval_pipeline.foundation.frames import Table
from eval_pipeline.foundation.ids import content_id
from eval_pipeline.foundation.outputs import StageOutput
from eval_pipeline.foundation.protocols import UnitVectors, Vectors
from eval_pipeline.foundation.tables.negatives import NEGATIVE, POOLED_TEMPLATE, SHORTFALL, UNIT_POOL
from eval_pipeline.negatives.siblings import Pool, Shortfall


class PoolRule(Protocol):
    """The rule of one relation for the members of one group."""

    def __call__(self, part: pl.DataFrame, matrix: Vectors) -> list[Pool]:
        """One pool per member.

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
            group.
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
    rows = _Rows(pooled=[], pools=[], negatives=[], shortfalls=[])
    n_waiting = 0
    ordered = members.sort("template_id", "unit_id")
    for _, part in ordered.group_by("template_id", maintain_order=True):
        if any(unit_id not in places and unit_id not in refused for unit_id in part["unit_id"].to_list()):
            n_waiting += 1
            continue
        first = part.row(0, named=True)
        state = {key: first[key] for key in ("template_id", "members_hash")} | {"settings_id": settings_id}
        rows.pooled.append({**state, "n_units": part.height})
        for named in _pool_group(part, vectors, places, rule, without_vector):
            _add_pool(rows, {**state, "template_version_id": first["template_version_id"]}, named)
    return _to_output(rows, n_waiting=n_waiting)


def refused_units(members: pl.DataFrame, refused: Collection[str]) -> frozenset[str]:
    """Units whose picture the encoder refused.

    Args:
        members: unit_id, picture_hash.
        refused: picture hashes.
    """
    return frozenset(members.filter(pl.col("picture_hash").is_in(list(refused)))["unit_id"].to_list())


@dataclass(frozen=True, kw_only=True)
class _Rows:
    pooled: list[dict[str, Any]]
    pools: list[dict[str, Any]]
    negatives: list[dict[str, Any]]
    shortfalls: list[dict[str, Any]]


def _pool_group(
    part: pl.DataFrame,
    vectors: UnitVectors,
    places: dict[str, int],
    rule: PoolRule,
    without_vector: Sequence[Shortfall],
) -> Iterator[dict[str, Any]]:
    """Pools of one group as unit id, lists of negatives and lists of shortfalls, all by name."""
    has_vector = pl.Series([unit_id in places for unit_id in part["unit_id"].to_list()], dtype=pl.Boolean)
    drawn = part.filter(has_vector)
    unit_ids = drawn["unit_id"].to_list()
    if unit_ids:
        matrix = np.ascontiguousarray(vectors.matrix[[places[unit_id] for unit_id in unit_ids]])
        for unit_id, pool in zip(unit_ids, rule(drawn, matrix), strict=True):
            yield _name_pool(unit_id, pool, unit_ids)
    for unit_id in part.filter(~has_vector)["unit_id"].to_list():
        yield _name_pool(unit_id, Pool(shortfalls=list(without_vector)), ())


def _name_pool(unit_id: str, pool: Pool, unit_ids: Sequence[str]) -> dict[str, Any]:
    return {
        "unit_id": unit_id,
        "negatives": [
            {
                "axis": place.axis,
                "rank": place.rank,
                "negative_unit_id": unit_ids[place.negative],
                "similarity": place.similarity,
            }
            for place in pool.places
        ],
        "shortfalls": [asdict(shortfall) for shortfall in pool.shortfalls],
    }


def _add_pool(rows: _Rows, state: dict[str, Any], named: dict[str, Any]) -> None:
    negatives, shortfalls = named["negatives"], named["shortfalls"]
    pool_id = content_id(
        "pool",
        {
            "unit_id": named["unit_id"],
            "settings_id": state["settings_id"],
            "negatives": [[row["axis"], row["rank"], row["negative_unit_id"]] for row in negatives],
            "shortfalls": [[row["axis"], row["n_wanted"], row["n_found"], row["reason"]] for row in shortfalls],
        },
    )
    n_negatives = len({row["negative_unit_id"] for row in negatives})
    rows.pools.append({**state, "unit_id": named["unit_id"], "pool_id": pool_id, "n_negatives": n_negatives})
    rows.negatives.extend({"pool_id": pool_id, "unit_id": named["unit_id"], **row} for row in negatives)
    rows.shortfalls.extend({"pool_id": pool_id, "unit_id": named["unit_id"], **row} for row in shortfalls)


def _to_output(rows: _Rows, *, n_waiting: int) -> StageOutput:
    filled: list[tuple[Table, list[dict[str, Any]]]] = [
        (POOLED_TEMPLATE, rows.pooled),
        (UNIT_POOL, rows.pools),
        (NEGATIVE, rows.negatives),
        (SHORTFALL, rows.shortfalls),
    ]
    return StageOutput(
        tables={table.name: table.frame(part).sort(list(table.key)) for table, part in filled},
        inputs=tuple(sorted({row["members_hash"] for row in rows.pooled})),
        summary={
            "templates_pooled": len(rows.pooled),
            "units_pooled": len(rows.pools),
            "negatives": len(rows.negatives),
            "shortfalls": len(rows.shortfalls),
            "units_without_negatives": sum(row["n_negatives"] == 0 for row in rows.pools),
            "templates_waiting_for_vectors": n_waiting,
        },
    )
