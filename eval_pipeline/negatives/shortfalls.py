"""Why places of a pool stay open, in words."""

from collections.abc import Iterator

import numpy as np

from eval_pipeline.negatives.nearest import Numbers
from eval_pipeline.negatives.places import Shortfall
from eval_pipeline.negatives.siblings import APPEARANCE, Lists, TemplateMembers, differ_alone, split_places

NO_SIBLING = "no sibling"
ALL_COPIES = "all are copies"
SAME_FIGURES = "all are copies or state the same figures"
NONE_DIFFERS = "no sibling differs on this axis alone"
NO_FURTHER = "no further sibling differs on this axis alone"
NO_VECTOR = "no vector"


def tell_shortfalls(members: TemplateMembers, lists: Lists, *, k: int) -> Iterator[tuple[int, Shortfall]]:
    """Row of a member, and what its pool lacks.

    A described member has one per axis with an open place. A member that lacks a facet always has one, which names the
    facet.

    Args:
        members: of one template.
        lists: their negatives.
        k: places per unit.
    """
    is_lacking = members.is_lacking
    for axis, places in split_places(k, members.facts.axes).items():
        if not places:
            continue
        counts, n_differ = lists.by_axis[axis].counts, _count_differing(members, axis)
        for row in np.flatnonzero(~is_lacking & (counts < places)).tolist():
            reason = _explain(members, row, axis, n_found=int(counts[row]), n_differ=int(n_differ[row]))
            yield row, Shortfall(axis=axis, n_wanted=places, n_found=int(counts[row]), reason=reason)
    counts = lists.by_axis[APPEARANCE].counts
    for row in np.flatnonzero(is_lacking).tolist():
        yield row, _missing_facets(members, row, k, int(counts[row]))


def _count_differing(members: TemplateMembers, axis: str) -> Numbers:
    """(n,) described members that differ from each described member on this axis alone; 0 for the others."""
    described = members.facts.is_described
    alike, equal = members.facts.others_of(axis), members.facts.all_of()
    in_group = np.bincount(alike[described], minlength=alike.max(initial=0) + 1)
    the_same = np.bincount(equal[described], minlength=equal.max(initial=0) + 1)
    return np.where(described, in_group[alike] - the_same[equal], 0)


def _explain(members: TemplateMembers, row: int, axis: str, *, n_found: int, n_differ: int) -> str:
    if len(members.unit_ids) == 1:
        return NO_SIBLING
    if n_found:
        return NO_FURTHER
    if n_differ == 0:
        return NONE_DIFFERS
    differs = differ_alone(members.facts, axis, np.array([row]))[0]
    return SAME_FIGURES if (differs & (members.pictures != members.pictures[row])).any() else ALL_COPIES


def _missing_facets(members: TemplateMembers, row: int, k: int, n_found: int) -> Shortfall:
    missing = members.facts.missing_of(row)
    reasons = [f"missing facet {', '.join(missing)}"] if missing else ["no declared axis"]
    if n_found < k:
        reasons.append(NO_SIBLING if len(members.unit_ids) == 1 else "no further sibling")
    return Shortfall(axis=APPEARANCE, n_wanted=k, n_found=n_found, reason="; ".join(reasons))


def reasons_without_vector(axes: tuple[str, ...], k: int) -> list[Shortfall]:
    """Shortfalls of a unit that has a template but no vector to measure nearness with."""
    places = split_places(k, axes) or {APPEARANCE: k}
    return [
        Shortfall(axis=axis, n_wanted=wanted, n_found=0, reason=NO_VECTOR) for axis, wanted in places.items() if wanted
    ]
