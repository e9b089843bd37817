"""Which new template takes over which old id when all units are clustered again, and what became of every template.

Ids are matched by members: the one-to-one matching that leaves most units under the id they had. A pair is matched only
where the members they share are more than half of either's; below that, an id would move to a group that has little to
do with it. Units that arrived in the meantime, and pages that left the corpus, have no say.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl
from scipy.optimize import linear_sum_assignment

from eval_pipeline.foundation.ids import bucket_of, canonical_json, content_id
from eval_pipeline.foundation.tables.templates import TEMPLATE_SUCCESSION
from eval_pipeline.templates.founding import Founded
from eval_pipeline.templates.state import TemplateState

CODE_VERSION = "1"
PLACED = {"unit_id": pl.String, "template_id": pl.String}
"""Schema of where units stand: one row per unit; `template_id` is null while it waits in the buffer."""


@dataclass(frozen=True, kw_only=True)
class _Overlap:
    """How old and new groups overlap.

    Attributes:
        shared: columns old, new, n: pairs with at least one member in common.
        n_old: members of each old template that are still in the corpus.
        n_new: members of each new group, arrivals too.
        n_known: those of them that the old version had placed or buffered.
    """

    shared: pl.DataFrame
    n_old: Mapping[str, int]
    n_new: Mapping[str, int]
    n_known: Mapping[str, int]

    def is_majority(self, old: str, new: str, n: int) -> bool:
        """Whether n shared members are more than half of the old template's, or of the new group's known ones."""
        return 2 * n > min(self.n_old[old], self.n_known[new])


def _measure_overlap(before: pl.DataFrame, after: pl.DataFrame) -> _Overlap:
    both = before.join(after, on="unit_id", suffix="_new").rename({"template_id": "old", "template_id_new": "new"})
    shared = both.drop_nulls().group_by("old", "new").agg(n=pl.len().cast(pl.Int64)).sort("old", "new")
    return _Overlap(
        shared=shared,
        n_old=_count(before, "template_id"),
        n_new=_count(after, "template_id"),
        n_known=_count(both, "new"),
    )


def _count(frame: pl.DataFrame, column: str) -> dict[str, int]:
    return dict(frame.drop_nulls(column).group_by(column).len().iter_rows())


def carry_ids(*, before: pl.DataFrame, after: pl.DataFrame) -> dict[str, str]:
    """Decide which new group takes over which old template id.

    Args:
        before: columns unit_id, template_id: where units that are still in the corpus stood; null in the buffer.
        after: the same for the new groups, each under an id of its own (the hash of its founders).

    Returns:
        Old id by new group; groups without a successor's claim are left out. As many units as any one-to-one matching
        allows keep their id. Among equally good matchings smaller ids go together; the order of rows and the numbers of
        groups leave no trace.

    Source: assignment problem, Kuhn 1955, doi:10.1002/nav.3800020109; by scipy, per connected part of the overlaps.
    """
    overlap = _measure_overlap(before, after)
    pairs = {(old, new): n for old, new, n in overlap.shared.iter_rows() if overlap.is_majority(old, new, n)}
    carried: dict[str, str] = {}
    for part in _parts(sorted(pairs)):
        carried.update(_match({pair: pairs[pair] for pair in part}))
    return carried


def _parts(pairs: Sequence[tuple[str, str]]) -> list[list[tuple[str, str]]]:
    """Pairs that hang together through a template or a group, so that each part can be matched alone."""
    root: dict[tuple[str, str], tuple[str, str]] = {}

    def find(node: tuple[str, str]) -> tuple[str, str]:
        while root.setdefault(node, node) != node:
            root[node] = root[root[node]]
            node = root[node]
        return node

    for old, new in pairs:
        first, second = sorted([find(("old", old)), find(("new", new))])
        root[second] = first
    parts: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for old, new in pairs:
        parts.setdefault(find(("old", old)), []).append((old, new))
    return list(parts.values())


def _match(pairs: Mapping[tuple[str, str], int]) -> dict[str, str]:
    """Old id by new group: most shared members in all; ties go by the places of both ids in their order."""
    olds, news = sorted({old for old, _ in pairs}), sorted({new for _, new in pairs})
    unit = len(olds) * len(news) * min(len(olds), len(news)) + 1  # one shared member outweighs all places together
    weights = np.zeros((len(olds), len(news)))
    for (old, new), n in pairs.items():
        row, column = olds.index(old), news.index(new)
        weights[row, column] = n * unit + (len(olds) - row) * (len(news) - column)
    rows, columns = linear_sum_assignment(weights, maximize=True)
    matched = [(olds[row], news[column]) for row, column in zip(rows.tolist(), columns.tolist(), strict=True)]
    return {new: old for old, new in matched if (old, new) in pairs}


@dataclass(frozen=True, kw_only=True)
class Succession:
    """Groups under the ids that they have from now on.

    Attributes:
        founded: the templates, sorted by id.
        announced: sequence in which each id of the version before first appeared.
        fates: see `tell_fates`; None without a version before.
    """

    founded: list[Founded]
    announced: Mapping[str, int]
    fates: pl.DataFrame | None


def succeed(
    founded: Sequence[Founded], *, state: TemplateState | None, present: Sequence[str], version_id: str
) -> Succession:
    """Let new groups take over the ids of the version before, and tell what became of every template.

    Args:
        founded: groups under ids of their own.
        state: the version before; None before the first clustering: then every group keeps its own id.
        present: units that are still in the corpus.
        version_id: the new version.
    """
    if state is None:
        return Succession(founded=list(founded), announced={}, fates=None)
    before = state.standing(present)
    carried = carry_ids(before=before, after=_standing_of(founded))
    carriers = [replace(item, template_id=carried[item.template_id]) for item in founded if item.template_id in carried]
    others = [item for item in founded if item.template_id not in carried]
    others = with_free_ids(others, taken=set(state.announced), version_id=version_id)
    named = sorted([*carriers, *others], key=lambda item: item.template_id)
    fates = tell_fates(
        before=before,
        after=_standing_of(named),
        version_id=version_id,
        parent_version_id=state.template_version_id,
        known=state.announced,
    )
    return Succession(founded=named, announced=state.announced, fates=fates)


def tell_return(*, newest: TemplateState, state: TemplateState, present: Sequence[str]) -> pl.DataFrame:
    """Say what becomes of templates when declared settings return to those of an earlier version.

    That version is in force again as it was, with its ids; it is a row already, so nothing is written, and what changed
    is told from the two versions. Units that only one of them has decided on have no say.

    Args:
        newest: the version made last, under other settings.
        state: the version in force again.
        present: units that are in the corpus.

    Returns:
        Rows as of `tell_fates`, from the newest version to the one in force.
    """
    both = sorted(set(present) & newest.known_unit_ids & state.known_unit_ids)
    return tell_fates(
        before=newest.standing(both),
        after=state.standing(both),
        version_id=state.template_version_id,
        parent_version_id=newest.template_version_id,
        known=newest.announced,
    )


def with_free_ids(founded: Sequence[Founded], *, taken: set[str], version_id: str) -> list[Founded]:
    """Groups, where the id of one (the hash of its founders) is taken under one that hashes the version, too.

    An id can be taken by another group: it was carried over while members came and went. It never means two templates
    of one version, and an old id never comes to mean a group that has little to do with it.
    """
    return [
        replace(item, template_id=content_id("tpl", [item.template_id, version_id]))
        if item.template_id in taken
        else item
        for item in founded
    ]


def _standing_of(founded: Sequence[Founded]) -> pl.DataFrame:
    rows = [(unit_id, item.template_id) for item in founded for unit_id in item.unit_ids]
    return pl.DataFrame(rows, schema=PLACED, orient="row")


def tell_fates(
    *,
    before: pl.DataFrame,
    after: pl.DataFrame,
    version_id: str,
    parent_version_id: str,
    known: Collection[str] = (),
) -> pl.DataFrame:
    """Say what became of every template of the old version, and where every one of the new version comes from.

    Args:
        before: columns unit_id, template_id of the old version: units still in the corpus; null in the buffer.
        after: the same of the new version, under its final ids.
        version_id: the new version.
        parent_version_id: the old one.
        known: ids of the old version, those whose pages have all left the corpus among them: they are retired.

    Returns:
        templates.template_succession rows, one per template of either version, sorted by id. `kept`: the id is in
        both. `merged`: the id is gone and most of its members are in one new template. `split`: the id is new and most
        of its known members come from one old template. `retired` and `new`: neither. A row is touched unless exactly
        the same units are members before and after.
    """
    overlap = _measure_overlap(before, after)
    came = _most_first(overlap.shared, by="new", other="old")
    went = _most_first(overlap.shared, by="old", other="new")
    rows = []
    for template_id in sorted({*known, *overlap.n_old, *overlap.n_new}):
        kind, related, n_shared = _fate(template_id, overlap, came, went)
        n_before, n_after = overlap.n_old.get(template_id, 0), overlap.n_new.get(template_id, 0)
        rows.append(
            {
                "template_version_id": version_id,
                "template_id": template_id,
                "parent_version_id": parent_version_id,
                "bucket": bucket_of(template_id),
                "kind": kind,
                "related_template_id": related,
                "n_before": n_before,
                "n_after": n_after,
                "n_shared": n_shared,
                "parent_template_ids": canonical_json([name for name, _ in came.get(template_id, [])]),
                "child_template_ids": canonical_json([name for name, _ in went.get(template_id, [])]),
                "is_touched": not n_before == n_after == n_shared,
            }
        )
    return TEMPLATE_SUCCESSION.frame(rows)


Shares = Mapping[str, list[tuple[str, int]]]


def _most_first(shared: pl.DataFrame, *, by: str, other: str) -> Shares:
    """Other sides of each template's overlaps, with the number of shared members; most first, then by id."""
    found: dict[str, list[tuple[str, int]]] = {}
    for row in shared.sort("n", other, descending=[True, False]).iter_rows(named=True):
        found.setdefault(row[by], []).append((row[other], row["n"]))
    return found


def _fate(template_id: str, overlap: _Overlap, came: Shares, went: Shares) -> tuple[str, str | None, int]:
    """Kind of fate, the template it is about, and members shared with that one."""
    if template_id in overlap.n_old and template_id in overlap.n_new:
        return "kept", template_id, dict(went.get(template_id, [])).get(template_id, 0)
    if template_id not in overlap.n_new:
        related, n = went.get(template_id, [(None, 0)])[0]
        is_most = 2 * n > overlap.n_old.get(template_id, 0)
        return ("merged", related, n) if is_most else ("retired", None, 0)
    related, n = came.get(template_id, [(None, 0)])[0]
    is_most = 2 * n > overlap.n_known.get(template_id, 0)
    return ("split", related, n) if is_most else ("new", None, 0)
