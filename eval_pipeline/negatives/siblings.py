"""Hard negatives of the members of one template, by the rule of MEASURES 1."""

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from eval_pipeline.foundation.protocols import Vectors
from eval_pipeline.negatives.facts import MISSING, REVISION_AXIS, Facts
from eval_pipeline.negatives.nearest import NearestPairs, blocks_of, multiply_block, pick_nearest

APPEARANCE = "appearance"
NO_SIBLING = "no sibling"
ALL_COPIES = "all are copies"
SAME_FIGURES = "all are copies or state the same figures"
NONE_DIFFERS = "no sibling differs on this axis alone"
NO_FURTHER = "no further sibling differs on this axis alone"
NO_VECTOR = "no vector"


@dataclass(frozen=True, kw_only=True)
class TemplateMembers:
    """Members of one template that have a vector, in order of unit id.

    Attributes:
        unit_ids: (n,) ids.
        pictures: (n,) equal numbers for equal pictures.
        facts: declared facets.
        matrix: (n, dim) float32 of unit length.
        figures: (n,) equal numbers for equal figures on the page, -1 where they are not known; None where they do not
            matter, as `revision` is no axis.
    """

    unit_ids: tuple[str, ...]
    pictures: npt.NDArray[np.int64]
    facts: Facts
    matrix: Vectors
    figures: npt.NDArray[np.int64] | None = None


@dataclass(frozen=True, kw_only=True)
class Place:
    """One negative of a unit.

    Attributes:
        axis: axis on which the two differ, or `appearance`.
        rank: 1-based within the axis.
        negative: row of the sibling.
        similarity: cosine similarity.
    """

    axis: str
    rank: int
    negative: int
    similarity: float


@dataclass(frozen=True, kw_only=True)
class Shortfall:
    """Places of an axis that no sibling fills, or the facet for whose lack the axes were set aside.

    Attributes:
        axis: axis, or `appearance`.
        n_wanted: places.
        n_found: negatives found.
        reason: why.
    """

    axis: str
    n_wanted: int
    n_found: int
    reason: str


@dataclass(frozen=True, kw_only=True)
class Pool:
    """Negatives and shortfalls of one unit, both in declared order of axes.

    Attributes:
        places: negatives by axis, then rank.
        shortfalls: one per axis that is short.
    """

    places: list[Place] = field(default_factory=list)
    shortfalls: list[Shortfall] = field(default_factory=list)


def split_places(k: int, axes: tuple[str, ...]) -> dict[str, int]:
    """Places per axis: k // n_axes each, the remainder one each in declared order; k=6 over three axes is 2 + 2 + 2."""
    share, rest = divmod(k, len(axes)) if axes else (0, 0)
    return {axis: share + (1 if place < rest else 0) for place, axis in enumerate(axes)}


def pool_members(members: TemplateMembers, *, k: int, backfill: bool) -> list[Pool]:
    """Pools of all members of a template.

    A described member (no declared facet missing) gets, per axis, the nearest siblings that are equal on every other
    axis and differ on this one. A member that lacks a facet is nobody's negative on an axis; it gets its nearest
    siblings as axis `appearance`, and the facet is named. Copies (equal picture) are never negatives, nor are members
    with the same facts, nor another revision that states the same figures.

    Args:
        members: of one template.
        k: places per unit.
        backfill: whether places that the axes leave open go to the nearest siblings, recorded as `appearance`.

    Returns:
        One pool per member, in the order of the members.
    """
    pools = [Pool() for _ in members.unit_ids]
    for block in blocks_of(len(members.unit_ids)):
        product = multiply_block(members.matrix, block)
        _pool_block(members, block, product, k, pools)
        if backfill:
            _backfill_block(members, block, product, k, pools)
    return pools


def _pool_block(members: TemplateMembers, block: slice, product: Vectors, k: int, pools: list[Pool]) -> None:
    axes = members.facts.axes
    described = members.facts.is_described
    distinct = _distinct(members, block)
    for axis, places in split_places(k, axes).items():
        if places == 0:
            continue
        differs = _differs_alone(members.facts, axis, block)
        found = pick_nearest(
            matrix=members.matrix, product=product, block=block, allowed=differs & distinct, places=places
        )
        counts = _append(pools, found, axis, block)
        for row in np.flatnonzero(described[block] & (counts < places)).tolist():
            reason = _explain(members, block.start + row, int(counts[row]), differs[row])
            pools[block.start + row].shortfalls.append(
                Shortfall(axis=axis, n_wanted=places, n_found=int(counts[row]), reason=reason)
            )
    if axes and described[block].all():
        return
    lacking = np.ones_like(described[block]) if not axes else ~described[block]
    allowed = distinct & lacking[:, None]
    found = pick_nearest(matrix=members.matrix, product=product, block=block, allowed=allowed, places=k)
    counts = _append(pools, found, APPEARANCE, block)
    for row in np.flatnonzero(lacking).tolist():
        pools[block.start + row].shortfalls.extend(_missing_facets(members, block.start + row, k, int(counts[row])))


def _distinct(members: TemplateMembers, block: slice) -> npt.NDArray[np.bool_]:
    """Pairs that are neither copies nor the same facts restated; the pair of a member with itself is none."""
    distinct: npt.NDArray[np.bool_] = members.pictures[block, None] != members.pictures[None, :]
    if members.figures is None or REVISION_AXIS not in members.facts.axes:
        return distinct
    is_known = members.facts.is_described & (members.figures >= 0)
    same = np.where(is_known, _number_pairs(members.facts.others_of(REVISION_AXIS), members.figures), MISSING)
    restated: npt.NDArray[np.bool_] = (same[block, None] == same[None, :]) & is_known[block, None]
    return distinct & ~restated


def _number_pairs(one: npt.NDArray[np.int64], other: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """(n,) equal numbers where both are equal."""
    _, inverse = np.unique(np.stack([one, other], axis=1), axis=0, return_inverse=True)
    return inverse.ravel().astype(np.int64)


def _differs_alone(facts: Facts, axis: str, block: slice) -> npt.NDArray[np.bool_]:
    others, codes = facts.others_of(axis), facts.codes[:, facts.axes.index(axis)]
    described = facts.is_described
    alone: npt.NDArray[np.bool_] = (
        (others[block, None] == others[None, :])
        & (codes[block, None] != codes[None, :])
        & described[block, None]
        & described[None, :]
    )
    return alone


def _append(pools: list[Pool], found: NearestPairs, axis: str, block: slice) -> npt.NDArray[np.int64]:
    for row, column, rank, similarity in zip(
        found.rows.tolist(), found.columns.tolist(), found.ranks.tolist(), found.similarities.tolist(), strict=True
    ):
        pools[row].places.append(Place(axis=axis, rank=rank, negative=column, similarity=similarity))
    return np.bincount(found.rows - block.start, minlength=block.stop - block.start)


def _explain(members: TemplateMembers, row: int, n_found: int, differs: npt.NDArray[np.bool_]) -> str:
    if len(members.unit_ids) == 1:
        return NO_SIBLING
    if n_found:
        return NO_FURTHER
    if not differs.any():
        return NONE_DIFFERS
    return SAME_FIGURES if (differs & (members.pictures != members.pictures[row])).any() else ALL_COPIES


def _missing_facets(members: TemplateMembers, row: int, k: int, n_found: int) -> Iterator[Shortfall]:
    missing = members.facts.missing_of(row)
    reasons = [f"missing facet {', '.join(missing)}"] if missing else ["no declared axis"]
    if n_found < k:
        reasons.append(NO_SIBLING if len(members.unit_ids) == 1 else "no further sibling")
    yield Shortfall(axis=APPEARANCE, n_wanted=k, n_found=n_found, reason="; ".join(reasons))


def _backfill_block(members: TemplateMembers, block: slice, product: Vectors, k: int, pools: list[Pool]) -> None:
    """Fill open places of described members with the nearest described siblings of other facts."""
    described, same = members.facts.is_described, members.facts.all_of()
    open_places = np.array(
        [k - len(pool.places) if described[block.start + row] else 0 for row, pool in enumerate(pools[block])]
    )
    if not members.facts.axes or not (open_places > 0).any():
        return
    allowed = _distinct(members, block) & (same[block, None] != same[None, :]) & described[None, :]
    allowed &= (open_places > 0)[:, None]
    for row, pool in enumerate(pools[block]):
        allowed[row, [place.negative for place in pool.places]] = False
    found = pick_nearest(matrix=members.matrix, product=product, block=block, allowed=allowed, places=k)
    kept = found.ranks <= open_places[found.rows - block.start]
    _append(
        pools,
        NearestPairs(
            rows=found.rows[kept],
            columns=found.columns[kept],
            ranks=found.ranks[kept],
            similarities=found.similarities[kept],
        ),
        APPEARANCE,
        block,
    )


def reasons_without_vector(axes: tuple[str, ...], k: int) -> list[Shortfall]:
    """Shortfalls of a unit that has a template but no vector to measure nearness with."""
    places = split_places(k, axes) or {APPEARANCE: k}
    return [
        Shortfall(axis=axis, n_wanted=wanted, n_found=0, reason=NO_VECTOR) for axis, wanted in places.items() if wanted
    ]
