"""Pools of a template that gained, lost or changed members, from the pools it had before.

Whether a pair may stand together depends on its two members only, and so does its similarity. So a member that is as
it was needs another look only where its list lost somebody who may have had a successor, or where somebody new comes
before its last place. The result equals drawing everything again, byte for byte.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from eval_pipeline.embeddings.index import SLACK, score_rows
from eval_pipeline.foundation.protocols import Vectors
from eval_pipeline.negatives.nearest import NONE, Mask, NearestLists, Numbers, no_lists, rank_pairs
from eval_pipeline.negatives.siblings import (
    APPEARANCE,
    Lists,
    TemplateMembers,
    allow,
    list_negatives,
    places_of,
)


@dataclass(frozen=True, kw_only=True)
class PooledBefore:
    """Pools of an earlier state of templates, under the same settings.

    Attributes:
        units: template_id, unit_id, state_hash, pool_id; one earlier state per template.
        negatives: of these pools: pool_id, axis, rank, negative_unit_id, similarity.
    """

    units: pl.DataFrame
    negatives: pl.DataFrame


NOTHING_BEFORE = PooledBefore(
    units=pl.DataFrame(schema=dict.fromkeys(("template_id", "unit_id", "state_hash", "pool_id"), pl.String)),
    negatives=pl.DataFrame(
        schema={
            "pool_id": pl.String,
            "axis": pl.String,
            "rank": pl.Int64,
            "negative_unit_id": pl.String,
            "similarity": pl.Float64,
        }
    ),
)


@dataclass(frozen=True, kw_only=True)
class Earlier:
    """What members of a template had in an earlier state, by their rows of today.

    Attributes:
        is_kept: (n,) members that were there and are as they were.
        axes: (m,) axis of each negative that a kept member had.
        rows: (m,) whose negative it was.
        ranks: (m,) 1-based.
        columns: (m,) the negative; -1 where it left or changed.
        similarities: (m,) float32.
    """

    is_kept: Mask
    axes: npt.NDArray[np.str_]
    rows: Numbers
    ranks: Numbers
    columns: Numbers
    similarities: npt.NDArray[np.float32]


def find_earlier(members: pl.DataFrame, before: PooledBefore) -> dict[str, Earlier]:
    """Find the members of earlier states among those of today, for all templates at once.

    Args:
        members: template_id, unit_id, state_hash; members that have a vector, of whole templates.
        before: pools of earlier states.

    Returns:
        By template, where at least one member is as it was.
    """
    then = before.units.select("template_id", "unit_id", "pool_id", then="state_hash")
    numbered = (
        members.select("template_id", "unit_id", "state_hash")
        .sort("template_id", "unit_id")
        .with_columns(row=pl.int_range(pl.len(), dtype=pl.Int64).over("template_id"))
        .join(then, on=["template_id", "unit_id"], how="left", maintain_order="left")
        .with_columns(
            is_kept=((pl.col("then") == pl.col("state_hash")) & (pl.col("then") != "")).fill_null(value=False)
        )
    )
    kept = numbered.filter("is_kept")
    had = before.negatives.join(kept.select("pool_id", "template_id", "row"), on="pool_id").join(
        kept.select("template_id", negative_unit_id="unit_id", column="row"),
        on=["template_id", "negative_unit_id"],
        how="left",
    )
    by_template = had.partition_by("template_id", as_dict=True)
    nothing = had.clear()
    return {
        str(key[0]): _to_earlier(part["is_kept"].to_numpy(), by_template.get(key, nothing))
        for key, part in numbered.partition_by("template_id", as_dict=True).items()
        if part["is_kept"].any()
    }


def _to_earlier(is_kept: Mask, had: pl.DataFrame) -> Earlier:
    return Earlier(
        is_kept=is_kept,
        axes=had["axis"].to_numpy(),
        rows=had["row"].to_numpy(),
        ranks=had["rank"].to_numpy(),
        columns=had["column"].fill_null(NONE).to_numpy(),
        similarities=had["similarity"].cast(pl.Float32).to_numpy(),
    )


@dataclass(frozen=True, kw_only=True)
class Before:
    """An earlier state of a template, as lists.

    Attributes:
        is_kept: (n,) members that were there and are as they were.
        lists: what kept members had, without those who left or changed; by axis.
        is_open: (n,) kept members whose negatives were fewer than k.
        has_lost: (n,) kept members of whom a list that was full lost somebody.
    """

    is_kept: Mask
    lists: Mapping[str, NearestLists]
    is_open: Mask
    has_lost: Mask


def read_before(earlier: Earlier, *, places: Mapping[str, int], is_lacking: Mask, k: int) -> Before:
    """Lists of an earlier state.

    Args:
        earlier: of one template.
        places: places by axis, see `siblings.places_of`.
        is_lacking: (n,) members that lack a facet.
        k: places per unit.
    """
    n_members = len(earlier.is_kept)
    lists: dict[str, NearestLists] = {}
    n_before, has_lost = np.zeros(n_members, dtype=np.int64), np.zeros(n_members, dtype=np.bool_)
    for axis, n_places in places.items():
        # What filled places that the axes left open stands under `appearance` too; it is drawn again.
        mine = (earlier.axes == axis) & (is_lacking[earlier.rows] == (axis == APPEARANCE))
        rows, ranks, columns = earlier.rows[mine], earlier.ranks[mine], earlier.columns[mine]
        filled = no_lists(n_members, n_places)
        filled.columns[rows, ranks - 1] = columns
        filled.similarities[rows, ranks - 1] = np.where(columns == NONE, np.float32(0), earlier.similarities[mine])
        lists[axis] = filled
        counts = np.bincount(rows, minlength=n_members)
        n_before += counts
        left = rows[columns == NONE]
        has_lost[left] |= counts[left] == n_places
    return Before(is_kept=earlier.is_kept, lists=lists, is_open=earlier.is_kept & (n_before < k), has_lost=has_lost)


def update_negatives(members: TemplateMembers, before: Before, *, k: int, backfill: bool) -> tuple[Lists, int]:
    """Negatives of all members, and for how many they were drawn anew.

    Args:
        members: of one template, as they are today.
        before: an earlier state of it.
        k: places per unit.
        backfill: see `siblings.list_negatives`; members with open places are then drawn anew.
    """
    anew = ~before.is_kept | before.has_lost | (before.is_open & backfill)
    lists = list_negatives(members, k=k, backfill=backfill, rows=np.flatnonzero(anew))
    rows, gained = np.flatnonzero(~anew), np.flatnonzero(~before.is_kept)
    product = members.matrix[rows] @ members.matrix[gained].T
    for axis in places_of(k, members.facts.axes):
        is_theirs = members.is_lacking[rows] == (axis == APPEARANCE)
        allowed = allow(members, axis, rows[is_theirs], gained)
        proposed = np.where(allowed, product[is_theirs], np.float32(-np.inf))
        merged = _merge(members.matrix, rows[is_theirs], gained, proposed, before.lists[axis])
        lists.by_axis[axis].columns[rows[is_theirs]] = merged.columns
        lists.by_axis[axis].similarities[rows[is_theirs]] = merged.similarities
    return lists, int(anew.sum())


def _merge(matrix: Vectors, rows: Numbers, gained: Numbers, proposed: Vectors, old: NearestLists) -> NearestLists:
    """Lists of the given rows with those who come before the last place; proposed is -inf where not allowed."""
    places = old.columns.shape[1]
    near, spots = np.nonzero(old.columns[rows] != NONE)
    last = np.where(old.counts[rows] == places, old.similarities[rows, -1], np.float32(-1))
    come, which = np.nonzero(proposed >= last[:, None] - 2 * SLACK)
    columns = np.concatenate([old.columns[rows[near], spots], gained[which]])
    scores = np.concatenate([old.similarities[rows[near], spots], score_rows(matrix, rows[come], gained[which])])
    place = np.concatenate([near, come])
    order = np.lexsort((columns, place))
    return rank_pairs(
        rows=place[order], columns=columns[order], similarities=scores[order], n_rows=len(rows), places=places
    )
