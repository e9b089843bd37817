"""The stage: a first clustering, then assignment of what is new; what fits nowhere waits, and is announced."""

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from eval_pipeline.foundation.config import TemplatesConfig
from eval_pipeline.foundation.ids import canonical_json, content_id
from eval_pipeline.foundation.outputs import StageOutput
from eval_pipeline.foundation.protocols import UnitVectors
from eval_pipeline.foundation.tables.templates import ALL, TEMPLATE_ASSIGNMENT, TEMPLATE_VERSION
from eval_pipeline.templates.assigning import find_nearest
from eval_pipeline.templates.chaining import Reach, group_units
from eval_pipeline.templates.cuts import choose_reach
from eval_pipeline.templates.founding import found_templates
from eval_pipeline.templates.grouping import grow_tree
from eval_pipeline.templates.rows import founder_rows, template_rows, to_output
from eval_pipeline.templates.space import join_features
from eval_pipeline.templates.state import TemplateState, read_centroids, settings_id_of, settings_of
from eval_pipeline.templates.succession import succeed, with_free_ids

CODE_VERSION = "3"


def assign_templates(
    *,
    units: pl.DataFrame,
    vectors: Mapping[str, UnitVectors],
    state: TemplateState | None,
    config: TemplatesConfig,
    sequence: int,
    recluster: bool = False,
) -> StageOutput:
    """Give every unit in force a template, or a place in the buffer.

    Without a state, or when the settings differ from those of the state, all units are clustered and a new version is
    made, in which templates keep the ids of the version before as far as they keep its members, and every template of
    either has a recorded fate (see `succession`). Otherwise units not seen before go to the nearest template within its
    threshold; the others join the buffer, which is clustered on its own: a group of `min_members` or more is announced
    as a new template.

    Args:
        units: corpus.unit_in_force rows.
        vectors: by feature (`layout`, `encoder`). A unit without a vector of a declared feature gets no row.
        state: what is in force, or None.
        config: features, cut, min_members, seed, epoch.
        sequence: of the batch after which this is decided.
        recluster: cluster everything under the same settings, too, unless the version in force was made from exactly
            these units: asked twice, it adds nothing.

    Returns:
        New rows of templates.template_version, template, template_assignment and template_succession; all empty when
        nothing is new.
        The order of the input does not matter.
    """
    space = join_features(vectors=vectors, features=config.features, unit_ids=units["unit_id"].to_list())
    encoder_ids: dict[str, str] = {feature: vectors[feature].encoder_id for feature in config.features}
    settings_id = settings_id_of(config, encoder_ids)
    again = recluster and state is not None and not _is_made_from(state, settings_id, space)
    if state is None or state.version["settings_id"] != settings_id or again:
        return _cluster_all(space, state, config, encoder_ids, sequence, present=units["unit_id"].to_list())
    return _assign_new(space, state, config, sequence)


def _cluster_all(
    space: UnitVectors,
    state: TemplateState | None,
    config: TemplatesConfig,
    encoder_ids: Mapping[str, str],
    sequence: int,
    *,
    present: Sequence[str],
) -> StageOutput:
    if len(space.unit_ids) == 0:
        return _nothing()
    tree = grow_tree(space.matrix, seed=config.seed)
    if config.cut == "auto":
        reach = choose_reach(tree, features=config.features, seed=config.seed)
    else:
        reach = Reach(step=config.cut)
    groups = group_units(tree, reach=reach)
    founded = found_templates(space=space, groups=groups, cut=reach.step, min_members=config.min_members)
    version = _version_row(space, state, config, encoder_ids, reach)
    version_id = str(version["template_version_id"])
    named = succeed(founded, state=state, present=present, version_id=version_id)
    rows = founder_rows(named.founded, state="founding")
    placed = {row["unit_id"] for row in rows}
    templates = template_rows(named.founded, version_id=version_id, sequence=sequence, known=named.announced)
    rows += _buffer_rows(_without(space, placed), templates)
    return to_output(
        versions=TEMPLATE_VERSION.frame([version]),
        templates=templates,
        assignments=_stamp(rows, version_id, dict.fromkeys(space.unit_ids.tolist(), sequence)),
        inputs=[settings_id_of(config, encoder_ids), *space.unit_ids.tolist()],
        fates=named.fates,
    )


def _is_made_from(state: TemplateState, settings_id: str, space: UnitVectors) -> bool:
    """Whether the version in force is what clustering these units would make again."""
    same = _version_id(state.version["parent_version_id"], settings_id, space)
    return state.template_version_id == same


def _version_id(parent: str | None, settings_id: str, space: UnitVectors) -> str:
    return content_id("tver", [parent, settings_id, space.unit_ids.tolist()])


def _version_row(
    space: UnitVectors,
    state: TemplateState | None,
    config: TemplatesConfig,
    encoder_ids: Mapping[str, str],
    reach: Reach,
) -> dict[str, Any]:
    settings_id = settings_id_of(config, encoder_ids)
    parent = state.template_version_id if state else None
    return {
        "template_version_id": _version_id(parent, settings_id, space),
        "parent_version_id": parent,
        "sequence": int(state.version["sequence"]) + 1 if state else 1,
        "settings_id": settings_id,
        "settings": canonical_json(
            {**settings_of(config, encoder_ids), "cut_used": round(reach.step, 6), "widest_used": reach.widest}
        ),
        "reason": state.reason_to_recluster(settings_of(config, encoder_ids)) if state else "first clustering",
    }


def _assign_new(space: UnitVectors, state: TemplateState, config: TemplatesConfig, sequence: int) -> StageOutput:
    arrived = _without(space, state.known_unit_ids)
    if len(arrived.unit_ids) == 0:
        return _nothing()
    templates = state.templates.sort("template_id")
    nearest = find_nearest(
        space=arrived, centroids=read_centroids(templates), thresholds=templates["threshold"].to_numpy()
    )
    names = templates["template_id"].to_list()
    assigned = [
        {"unit_id": unit_id, "template_id": names[template], "state": "assigned", "distance": distance}
        for unit_id, template, distance, is_within in zip(
            arrived.unit_ids.tolist(),
            nearest.templates.tolist(),
            nearest.distances.tolist(),
            nearest.is_within.tolist(),
            strict=True,
        )
        if is_within
    ]
    rejected = _without(arrived, {row["unit_id"] for row in assigned})
    return _work_buffer(
        space=space, rejected=rejected, assigned=assigned, state=state, config=config, sequence=sequence
    )


def _work_buffer(
    *,
    space: UnitVectors,
    rejected: UnitVectors,
    assigned: list[dict[str, Any]],
    state: TemplateState,
    config: TemplatesConfig,
    sequence: int,
) -> StageOutput:
    """Cluster what waits, announce groups that are large enough, keep the rest waiting."""
    waiting = set(rejected.unit_ids.tolist()) | state.buffered_unit_ids
    buffer = _without(space, set(space.unit_ids.tolist()) - waiting)
    founded = []
    if len(rejected.unit_ids):
        groups = group_units(grow_tree(buffer.matrix, seed=config.seed), reach=state.reach)
        founded = found_templates(space=buffer, groups=groups, cut=state.reach.step, min_members=config.min_members)
    version_id = state.template_version_id
    founded = with_free_ids(founded, taken=set(state.templates["template_id"]), version_id=version_id)
    announced = template_rows(founded, version_id=version_id, sequence=sequence)
    rows = assigned + founder_rows(founded, state="new")
    placed = {row["unit_id"] for row in rows}
    rows += _buffer_rows(_without(rejected, placed), pl.concat([state.templates, announced]))
    last = state.last_rounds
    rounds = {row["unit_id"]: max(sequence, last.get(row["unit_id"], 0) + 1) for row in rows}
    return to_output(
        versions=TEMPLATE_VERSION.empty(),
        templates=announced,
        assignments=_stamp(rows, version_id, rounds),
        inputs=[version_id, *(row["unit_id"] for row in rows)],
    )


def _buffer_rows(waiting: UnitVectors, templates: pl.DataFrame) -> list[dict[str, Any]]:
    ordered = templates.sort("template_id")
    nearest = find_nearest(space=waiting, centroids=read_centroids(ordered), thresholds=ordered["threshold"].to_numpy())
    return [
        {
            "unit_id": unit_id,
            "template_id": None,
            "state": "buffered",
            "distance": None if template < 0 else distance,
        }
        for unit_id, template, distance in zip(
            waiting.unit_ids.tolist(), nearest.templates.tolist(), nearest.distances.tolist(), strict=True
        )
    ]


def _stamp(rows: list[dict[str, Any]], version_id: str, rounds: Mapping[str, int]) -> pl.DataFrame:
    return TEMPLATE_ASSIGNMENT.frame(
        {"template_version_id": version_id, "round": rounds[row["unit_id"]], **row} for row in rows
    )


def _without(space: UnitVectors, unit_ids: set[str]) -> UnitVectors:
    keep = [row for row, unit_id in enumerate(space.unit_ids.tolist()) if unit_id not in unit_ids]
    return UnitVectors(unit_ids=space.unit_ids[keep], matrix=space.matrix[keep], encoder_id=space.encoder_id)


def _nothing() -> StageOutput:
    return StageOutput(tables={table.name: table.empty() for table in ALL})
