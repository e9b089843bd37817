"""The stage for the relation `evidence`: hard negatives of every member of the given templates."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import polars as pl

from eval_pipeline.foundation.config import NegativesConfig
from eval_pipeline.foundation.ids import content_id
from eval_pipeline.foundation.outputs import StageOutput
from eval_pipeline.foundation.protocols import UnitVectors
from eval_pipeline.foundation.tables.negatives import NEGATIVE, POOLED_TEMPLATE, SHORTFALL, UNIT_POOL
from eval_pipeline.negatives.facts import read_facts
from eval_pipeline.negatives.siblings import Pool, TemplateMembers, pool_members, reasons_without_vector

CODE_VERSION = "2"


def settings_id_of(axes: tuple[str, ...], config: NegativesConfig, encoder_id: str) -> str:
    """Id of everything but the template's members that a pool depends on: axes in order, k, backfill, encoder, code."""
    return content_id(
        "pset",
        {
            "axes": list(axes),
            "k": config.k,
            "backfill": config.backfill,
            "encoder_id": encoder_id,
            "code_version": CODE_VERSION,
        },
    )


def draw_hard_negatives(
    *,
    members: pl.DataFrame,
    vectors: UnitVectors,
    refused: Collection[str],
    axes: tuple[str, ...],
    config: NegativesConfig,
) -> StageOutput:
    """Draw the hard negatives of every member of the given templates (MEASURES 1).

    A template waits while a member has neither a vector nor a refusal: its pools would be kept under a state that says
    nothing of vectors, and no later run would draw them again.

    Args:
        members: templates.member columns and `members_hash`; all members of each template that is to be pooled.
        vectors: encoder vectors of the corpus as far as they were made.
        refused: picture hashes that the encoder refused; their members get a pool that says so and are nobody's
            negative.
        axes: declared axes, in order; the remainder of k goes to the first ones.
        config: k and backfill.

    Returns:
        Rows of negatives.pooled_template, unit_pool, negative and shortfall. Every unit of a template that does not
        wait has a pool row, every axis with an open place a shortfall row. Same members and settings give the same
        rows, whatever the input order. The summary counts the templates that wait.
    """
    settings_id = settings_id_of(axes, config, vectors.encoder_id)
    places = {unit_id: row for row, unit_id in enumerate(vectors.unit_ids.tolist())}
    rows = _Rows(pooled=[], pools=[], negatives=[], shortfalls=[])
    ordered = members.sort("template_id", "unit_id")
    n_waiting = 0
    for (template_id,), part in ordered.group_by("template_id", maintain_order=True):
        if _waits(part, places, refused):
            n_waiting += 1
            continue
        first = part.row(0, named=True)
        rows.pooled.append(
            {
                "template_id": template_id,
                "members_hash": first["members_hash"],
                "settings_id": settings_id,
                "n_units": part.height,
            }
        )
        for named in _pool_template(part, vectors, places, axes, config):
            _add_pool(rows, first, settings_id, named)
    return _to_output(rows, n_waiting=n_waiting)


def _waits(part: pl.DataFrame, places: Mapping[str, int], refused: Collection[str]) -> bool:
    pairs = part.select("unit_id", "picture_hash").iter_rows()
    return any(unit_id not in places and picture not in refused for unit_id, picture in pairs)


@dataclass(frozen=True, kw_only=True)
class _Rows:
    pooled: list[dict[str, Any]]
    pools: list[dict[str, Any]]
    negatives: list[dict[str, Any]]
    shortfalls: list[dict[str, Any]]


def _pool_template(
    part: pl.DataFrame, vectors: UnitVectors, places: dict[str, int], axes: tuple[str, ...], config: NegativesConfig
) -> Iterator[dict[str, Any]]:
    """Pools of one template as unit id, lists of negatives and lists of shortfalls, all by name."""
    has_vector = [unit_id in places for unit_id in part["unit_id"].to_list()]
    drawn = part.filter(pl.Series(has_vector, dtype=pl.Boolean))
    unit_ids = tuple(drawn["unit_id"].to_list())
    if unit_ids:
        members = TemplateMembers(
            unit_ids=unit_ids,
            pictures=drawn["picture_hash"].rank("dense").cast(pl.Int64).to_numpy(),
            facts=read_facts(drawn["facets"].to_list(), axes),
            matrix=np.ascontiguousarray(vectors.matrix[[places[unit_id] for unit_id in unit_ids]]),
        )
        pools = pool_members(members, k=config.k, backfill=config.backfill == "nearest")
        for unit_id, pool in zip(unit_ids, pools, strict=True):
            yield _name_pool(unit_id, pool, unit_ids)
    for unit_id in part.filter(~pl.Series(has_vector, dtype=pl.Boolean))["unit_id"].to_list():
        yield _name_pool(unit_id, Pool(shortfalls=reasons_without_vector(axes, config.k)), ())


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


def _add_pool(rows: _Rows, first: dict[str, Any], settings_id: str, named: dict[str, Any]) -> None:
    negatives, shortfalls = named["negatives"], named["shortfalls"]
    pool_id = content_id(
        "pool",
        {
            "unit_id": named["unit_id"],
            "settings_id": settings_id,
            "negatives": [[row["axis"], row["rank"], row["negative_unit_id"]] for row in negatives],
            "shortfalls": [[row["axis"], row["n_wanted"], row["n_found"], row["reason"]] for row in shortfalls],
        },
    )
    rows.pools.append(
        {
            "unit_id": named["unit_id"],
            "template_id": first["template_id"],
            "template_version_id": first["template_version_id"],
            "members_hash": first["members_hash"],
            "settings_id": settings_id,
            "pool_id": pool_id,
            "n_negatives": len({row["negative_unit_id"] for row in negatives}),
        }
    )
    rows.negatives.extend({"pool_id": pool_id, "unit_id": named["unit_id"], **row} for row in negatives)
    rows.shortfalls.extend({"pool_id": pool_id, "unit_id": named["unit_id"], **row} for row in shortfalls)


def _to_output(rows: _Rows, *, n_waiting: int) -> StageOutput:
    """Tables sorted by their keys, so that the order of the input leaves no trace."""
    filled = [
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
