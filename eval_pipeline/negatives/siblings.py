"""Hard negatives of the members of one template, by the rule of MEASURES 1."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from eval_pipeline.foundation.protocols import Vectors
from eval_pipeline.negatives.facts import MISSING, REVISION_AXIS, Facts
from eval_pipeline.negatives.nearest import (
    NONE,
    Mask,
    NearestLists,
    Numbers,
    blocks_of,
    multiply_block,
    no_lists,
    pick_nearest,
)

APPEARANCE = "appearance"


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
    pictures: Numbers
    facts: Facts
    matrix: Vectors
    figures: Numbers | None = None

    @cached_property
    def _by_picture(self) -> tuple[Numbers, Numbers, Numbers]:
        """(n,) members by picture; (n,) where those of a member's picture begin there; (n,) how many they are."""
        _, inverse, counts = np.unique(self.pictures, return_inverse=True, return_counts=True)
        return np.argsort(inverse, kind="stable"), (np.cumsum(counts) - counts)[inverse], counts[inverse]

    def copies_of(self, rows: Numbers) -> tuple[Numbers, Numbers]:
        """Pairs of a place among rows and a member with the same picture; the row itself is one."""
        by_picture, starts, counts = self._by_picture
        n_same = counts[rows]
        places = np.repeat(np.arange(len(rows)), n_same)
        within = np.arange(len(places)) - (np.cumsum(n_same) - n_same)[places]
        return places, by_picture[starts[rows][places] + within]

    @cached_property
    def restatements(self) -> Numbers | None:
        """(n,) equal numbers for members that state the same figures of the same facts but for the revision.

        -1 for a member of which this is not known; None where `revision` is no axis.
        """
        if self.figures is None or REVISION_AXIS not in self.facts.axes:
            return None
        is_known = self.facts.is_described & (self.figures >= 0)
        return np.where(is_known, _number_pairs(self.facts.others_of(REVISION_AXIS), self.figures), MISSING)

    @cached_property
    def is_lacking(self) -> Mask:
        """(n,) True where a declared facet is missing, or none is declared: such a member takes part in no axis."""
        return ~self.facts.is_described if self.facts.axes else np.ones(len(self.unit_ids), dtype=np.bool_)


@dataclass(frozen=True, kw_only=True)
class Lists:
    """Negatives of all members of a template.

    Attributes:
        by_axis: lists by axis in declared order, and of members that lack a facet under `appearance`.
        backfill: lists that fill places which the axes leave open; None where that is not asked for.
    """

    by_axis: Mapping[str, NearestLists] = field(default_factory=dict)
    backfill: NearestLists | None = None

    @property
    def counts(self) -> Numbers:
        """(n,) negatives on the axes and by appearance, backfill left out."""
        total: Numbers = np.sum([lists.counts for lists in self.by_axis.values()], axis=0)
        return total


def split_places(k: int, axes: tuple[str, ...]) -> dict[str, int]:
    """Places per axis: k // n_axes each, the remainder one each in declared order; k=6 over three axes is 2 + 2 + 2."""
    share, rest = divmod(k, len(axes)) if axes else (0, 0)
    return {axis: share + (1 if place < rest else 0) for place, axis in enumerate(axes)}


def places_of(k: int, axes: tuple[str, ...]) -> dict[str, int]:
    """Places per list: those of the axes that have any, and k by appearance."""
    return {axis: places for axis, places in split_places(k, axes).items() if places} | {APPEARANCE: k}


def list_negatives(members: TemplateMembers, *, k: int, backfill: bool, rows: Numbers | None = None) -> Lists:
    """Negatives of members of a template.

    A described member (no declared facet missing) gets, per axis, the nearest siblings that are equal on every other
    axis and differ on this one. A member that lacks a facet is nobody's negative on an axis; it gets its nearest
    siblings as axis `appearance`. Copies (equal picture) are never negatives, nor are members with the same facts, nor
    another revision that states the same figures.

    Args:
        members: of one template.
        k: places per unit.
        backfill: whether places that the axes leave open go to the nearest described siblings of other facts.
        rows: members whose negatives are wanted, ascending; all by default. The lists of others stay empty.
    """
    n_members = len(members.unit_ids)
    wanted = np.arange(n_members) if rows is None else rows
    lists = Lists(
        by_axis={axis: no_lists(n_members, places) for axis, places in places_of(k, members.facts.axes).items()},
        backfill=no_lists(n_members, k) if backfill else None,
    )
    for block in blocks_of(len(wanted), n_members):
        _fill_block(members, wanted[block], lists, k)
    return lists


def _fill_block(members: TemplateMembers, rows: Numbers, lists: Lists, k: int) -> None:
    product = multiply_block(members.matrix, rows)
    lacking = members.is_lacking[rows]
    for axis, filled in lists.by_axis.items():
        is_theirs = lacking if axis == APPEARANCE else ~lacking
        if is_theirs.all():
            _fill(members, rows, product, axis, filled)
        elif is_theirs.any():
            _fill(members, rows[is_theirs], product[is_theirs], axis, filled)
    if lists.backfill is not None:
        _backfill_block(members, rows, product, lists, k)


def _fill(members: TemplateMembers, rows: Numbers, product: Vectors, axis: str, filled: NearestLists) -> None:
    masked = _mask(members, rows, product, axis)
    found = pick_nearest(matrix=members.matrix, masked=masked, rows=rows, places=filled.columns.shape[1])
    filled.columns[rows], filled.similarities[rows] = found.columns, found.similarities


def _mask(members: TemplateMembers, rows: Numbers, product: Vectors, axis: str) -> Vectors:
    """Products with -inf where a pair is not allowed; the products themselves where nobody needs them afterwards."""
    if axis == APPEARANCE:
        masked = product.copy() if members.facts.axes else product
    else:
        masked = np.where(differ_alone(members.facts, axis, rows), product, np.float32(-np.inf))
    return _bar_sameness(members, rows, masked)


def _bar_sameness(members: TemplateMembers, rows: Numbers, masked: Vectors) -> Vectors:
    """Put -inf, in place, where two members are copies or restate the same facts; a member and itself are such."""
    masked[members.copies_of(rows)] = -np.inf
    same = members.restatements
    if same is not None:
        masked[(same[rows, None] == same[None, :]) & (same[rows, None] != MISSING)] = -np.inf
    return masked


def allow_pairs(members: TemplateMembers, axis: str, rows: Numbers, columns: Numbers) -> Mask:
    """Whether a member may be a negative of another on an axis, or by `appearance`: what `list_negatives` goes by.

    Whether a pair is allowed depends on nothing but its two members.

    Args:
        members: of one template.
        axis: a declared axis; `appearance` is for rows that lack a facet.
        rows: (m,) members.
        columns: (m,) the other member of each pair.

    Returns:
        (m,).
    """
    allowed: Mask = members.pictures[rows] != members.pictures[columns]
    same = members.restatements
    if same is not None:
        allowed &= (same[rows] != same[columns]) | (same[rows] == MISSING)
    if axis != APPEARANCE:
        facts, described = members.facts, members.facts.is_described
        others, codes = facts.others_of(axis), facts.codes[:, facts.axes.index(axis)]
        allowed &= described[rows] & described[columns]
        allowed &= (others[rows] == others[columns]) & (codes[rows] != codes[columns])
    return allowed


def _number_pairs(one: Numbers, other: Numbers) -> Numbers:
    """(n,) equal numbers where both are equal."""
    _, inverse = np.unique(np.stack([one, other], axis=1), axis=0, return_inverse=True)
    return inverse.ravel().astype(np.int64)


def differ_alone(facts: Facts, axis: str, rows: Numbers) -> Mask:
    """(r, n) described pairs that are equal on every other axis and differ on this one."""
    described = facts.is_described
    others = np.where(described, facts.others_of(axis), MISSING)  # an undescribed column equals no described row
    codes = facts.codes[:, facts.axes.index(axis)]
    alone: Mask = (others[rows, None] == others[None, :]) & (codes[rows, None] != codes[None, :])
    return alone if described[rows].all() else alone & described[rows, None]


def _backfill_block(members: TemplateMembers, rows: Numbers, product: Vectors, lists: Lists, k: int) -> None:
    """Fill open places of described members with the nearest described siblings of other facts."""
    assert lists.backfill is not None
    described, same = members.facts.is_described, members.facts.all_of()
    open_places = np.where(described[rows], k - lists.counts[rows], 0)
    is_open = open_places > 0
    if not members.facts.axes or not is_open.any():
        return
    rows, open_places = rows[is_open], open_places[is_open]
    allowed = (same[rows, None] != same[None, :]) & described[None, :]
    for taken in lists.by_axis.values():
        place, spot = np.nonzero(taken.columns[rows] != NONE)
        allowed[place, taken.columns[rows[place], spot]] = False
    masked = _bar_sameness(members, rows, np.where(allowed, product[is_open], np.float32(-np.inf)))
    found = pick_nearest(matrix=members.matrix, masked=masked, rows=rows, places=k)
    is_kept = np.arange(k)[None, :] < open_places[:, None]
    lists.backfill.columns[rows] = np.where(is_kept, found.columns, NONE)
    lists.backfill.similarities[rows] = np.where(is_kept, found.similarities, np.float32(0))


def iterate_lists(lists: Lists) -> Iterator[tuple[str, NearestLists]]:
    """Axis and its lists, in declared order; backfill comes as `appearance` after the axes."""
    yield from lists.by_axis.items()
    if lists.backfill is not None:
        yield APPEARANCE, lists.backfill
