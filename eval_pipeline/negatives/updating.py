"""Pools of a template that gained, lost or changed members, from the pools it had before.

Whether a pair may stand together depends on its two members only, and so does its similarity. So a member that is as
it was needs another look only where its list lost somebody who may have had a successor, or where somebody new comes
before its last place. The result equals drawing everything again, byte for byte.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
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

NEGATIVE_COLUMNS = {
    "unit_id": pl.String,
    "axis": pl.String,
    "rank": pl.Int64,
    "negative_unit_id": pl.String,
    "similarity": pl.Float64,
}


@dataclass(frozen=True, kw_only=True)
class Before:
    """An earlier state of a template, in the rows of the present one.

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


def read_before(
    *, unit_ids: Sequence[str], states: Sequence[str], earlier: Mapping[str, str], negatives: pl.DataFrame,
    places: Mapping[str, int], is_lacking: Mask, k: int,
) -> Before:  # fmt: skip
    """Find the members of an earlier state among those of today.

    Args:
        unit_ids: (n,) members of today, ascending.
        states: (n,) what the rule reads of each of them, as a hash.
        earlier: the hashes of then by unit id, empty text for a member without a vector.
        negatives: negatives of then; `NEGATIVE_COLUMNS`.
        places: places by axis, see `siblings.places_of`.
        is_lacking: (n,) members that lack a facet.
        k: places per unit.
    """
    kept = np.array([bool(state) and earlier.get(name) == state for name, state in zip(unit_ids, states, strict=True)])
    numbers = pl.DataFrame({"unit_id": list(unit_ids), "row": np.arange(len(unit_ids)), "is_kept": kept})
    mine = numbers.filter("is_kept").select("unit_id", "row")
    found = negatives.join(mine, on="unit_id").join(
        mine.rename({"unit_id": "negative_unit_id", "row": "column"}), on="negative_unit_id", how="left"
    )
    lists: dict[str, NearestLists] = {}
    n_before, has_lost = np.zeros(len(unit_ids), dtype=np.int64), np.zeros(len(unit_ids), dtype=np.bool_)
    for axis, n_places in places.items():
        rows, ranks, columns, similarities = _columns_of(found.filter(pl.col("axis") == axis))
        is_theirs = is_lacking[rows] == (axis == APPEARANCE)  # what fills places of the axes is drawn again
        rows, ranks, columns = rows[is_theirs], ranks[is_theirs], columns[is_theirs]
        filled = no_lists(len(unit_ids), n_places)
        filled.columns[rows, ranks - 1] = columns
        filled.similarities[rows, ranks - 1] = np.where(columns == NONE, np.float32(0), similarities[is_theirs])
        lists[axis] = filled
        counts = np.bincount(rows, minlength=len(unit_ids))
        n_before += counts
        has_lost[rows[columns == NONE]] |= counts[rows[columns == NONE]] == n_places
    return Before(is_kept=kept, lists=lists, is_open=kept & (n_before < k), has_lost=has_lost)


def _columns_of(
    found: pl.DataFrame,
) -> tuple[Numbers, Numbers, Numbers, "np.ndarray[tuple[int], np.dtype[np.float32]]"]:
    return (
        found["row"].to_numpy(),
        found["rank"].to_numpy(),
        found["column"].fill_null(NONE).to_numpy(),
        found["similarity"].cast(pl.Float32).to_numpy(),
    )


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
