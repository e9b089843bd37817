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
from eval_pipeline.negatives.nearest import (
    NONE,
    Mask,
    NearestLists,
    Numbers,
    blocks_of,
    multiply_block,
    no_lists,
    rank_pairs,
)
from eval_pipeline.negatives.siblings import (
    APPEARANCE,
    Lists,
    TemplateMembers,
    allow_pairs,
    list_negatives,
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
        axes: names of axes.
        axis: (m,) place in `axes` of each negative that a kept member had.
        rows: (m,) whose negative it was.
        ranks: (m,) 1-based.
        columns: (m,) the negative; -1 where it left or changed.
        similarities: (m,) float32.
    """

    is_kept: Mask
    axes: tuple[str, ...]
    axis: Numbers
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
    axes = before.negatives["axis"].unique().sort()
    places = pl.DataFrame({"axis": axes, "place": np.arange(len(axes))}, schema={"axis": pl.String, "place": pl.Int64})
    had = (
        before.negatives.join(kept.select("pool_id", "template_id", "row"), on="pool_id")
        .join(
            kept.select("template_id", negative_unit_id="unit_id", column="row"),
            on=["template_id", "negative_unit_id"],
            how="left",
        )
        .join(places, on="axis")
        .select(
            "template_id",
            "place",
            "row",
            "rank",
            pl.col("column").fill_null(NONE),
            pl.col("similarity").cast(pl.Float32),
        )
    )
    by_template = had.partition_by("template_id", as_dict=True)
    nothing = had.clear()
    return {
        str(key[0]): _to_earlier(part["is_kept"].to_numpy(), tuple(axes), by_template.get(key, nothing))
        for key, part in numbered.select("template_id", "is_kept").partition_by("template_id", as_dict=True).items()
        if part["is_kept"].any()
    }


def _to_earlier(is_kept: Mask, axes: tuple[str, ...], had: pl.DataFrame) -> Earlier:
    return Earlier(
        is_kept=is_kept,
        axes=axes,
        axis=had["place"].to_numpy(),
        rows=had["row"].to_numpy(),
        ranks=had["rank"].to_numpy(),
        columns=had["column"].to_numpy(),
        similarities=had["similarity"].to_numpy(),
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
        place = earlier.axes.index(axis) if axis in earlier.axes else NONE
        mine = (earlier.axis == place) & (is_lacking[earlier.rows] == (axis == APPEARANCE))
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
    newcomers = members.matrix[gained].T
    for block in blocks_of(len(rows), len(gained)):
        product = multiply_block(members.matrix, rows[block], newcomers)
        for axis, new in lists.by_axis.items():
            is_theirs = members.is_lacking[rows[block]] == (axis == APPEARANCE)
            if is_theirs.any():
                _update(
                    members,
                    axis=axis,
                    rows=rows[block][is_theirs],
                    gained=gained,
                    product=product if is_theirs.all() else product[is_theirs],
                    old=before.lists[axis],
                    new=new,
                )
    return lists, int(anew.sum())


def _update(
    members: TemplateMembers,
    *,
    axis: str,
    rows: Numbers,
    gained: Numbers,
    product: Vectors,
    old: NearestLists,
    new: NearestLists,
) -> None:
    """Lists of kept rows: those they had, and with the newcomers where one comes before the last place."""
    columns, similarities = old.columns[rows], old.similarities[rows]
    new.columns[rows], new.similarities[rows] = columns, similarities
    last = np.where(columns.min(axis=1) == NONE, np.float32(-1), similarities[:, -1])
    come, which = np.nonzero(product >= (last - np.float32(2 * SLACK))[:, None])
    is_allowed = allow_pairs(members, axis, rows[come], gained[which])
    come, which = come[is_allowed], gained[which[is_allowed]]
    is_touched = ((columns[:, :-1] == NONE) & (columns[:, 1:] != NONE)).any(axis=1)  # somebody left
    is_touched[come] = True
    touched = np.flatnonzero(is_touched)
    near, spots = np.nonzero(columns[touched] != NONE)
    place = np.concatenate([near, np.searchsorted(touched, come)])
    order = np.argsort(place, kind="stable")
    merged = rank_pairs(
        rows=place[order],
        columns=np.concatenate([columns[touched[near], spots], which])[order],
        similarities=np.concatenate(
            [similarities[touched[near], spots], score_rows(members.matrix, rows[come], which)]
        )[order],
        n_rows=len(touched),
        places=columns.shape[1],
    )
    new.columns[rows[touched]], new.similarities[rows[touched]] = merged.columns, merged.similarities
