"""Negatives for the relation `instance`: other objects of the same type.

The views of an object are the units that name it in a facet. A unit that names no object may show the very one, so it
stands against nobody.
"""

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from eval_pipeline.foundation.config import NegativesConfig
from eval_pipeline.foundation.ids import content_id
from eval_pipeline.foundation.outputs import StageOutput
from eval_pipeline.foundation.protocols import UnitVectors, Vectors
from eval_pipeline.negatives.drawing import draw_by_group, refused_units
from eval_pipeline.negatives.grouping import facet_of, group_units
from eval_pipeline.negatives.one_axis import Reasons, fill_pools, rank_allowed, without_vector
from eval_pipeline.negatives.places import Pools

CODE_VERSION = "2"
AXIS = "object"
REASONS = Reasons(
    alone="no other object of this type",
    none="no other object of this type",
    no_further="no further object of this type",
)


@dataclass(frozen=True, kw_only=True)
class ObjectFacets:
    """Facets that tell objects apart.

    Attributes:
        type: facet whose value objects of one type share.
        object: facet whose value all views of one object share, and no other view has.
    """

    type: str = "type"
    object: str = "object"


def settings_id_of(config: NegativesConfig, facets: ObjectFacets, encoder_id: str) -> str:
    """Id of everything but the group's members that a pool depends on: facets, k, encoder, code."""
    return content_id(
        "pset",
        {
            "relation": "instance",
            "type": facets.type,
            "object": facets.object,
            "k": config.k,
            "encoder_id": encoder_id,
            "code_version": CODE_VERSION,
        },
    )


def draw_hard_negatives(
    *,
    units: pl.DataFrame,
    vectors: UnitVectors,
    refused: Collection[str],
    config: NegativesConfig,
    facets: ObjectFacets | None = None,
) -> StageOutput:
    """Draw the k most confusable other objects of the same type, each by its nearest view.

    Never a negative: another view of the same object; a picture that is a view of it under another name as well (equal
    pictures cannot show two objects, so the metadata err); a unit without object or type. One view stands for an
    object, so that k places are k objects; places are not filled from elsewhere (`backfill` has no meaning here).

    Args:
        units: corpus.unit_in_force rows; all units of each type that is to be pooled.
        vectors: by any encoder of pictures.
        refused: picture hashes that the encoder refused.
        config: k.
        facets: names of the facets; `type` and `object` without them.

    Returns:
        As `drawing.draw_by_group`: axis `object`; the group in `template_id` is the type. A unit without facets has a
        shortfall that names them. Same units and settings give the same rows, whatever the input order.
    """
    named = facets or ObjectFacets()
    described = units.with_columns(
        facet_of(units["facets"].to_list(), named.type).alias("type_value"),
        facet_of(units["facets"].to_list(), named.object).alias("object_value"),
    )
    members = group_units(
        units=described,
        keys=described["type_value"],
        relation="instance",
        state=("facets", "picture_hash"),
        knowledge={},
    )
    return draw_by_group(
        members=members,
        vectors=vectors,
        refused=refused_units(members, refused),
        settings_id=settings_id_of(config, named, vectors.encoder_id),
        rule=lambda part, matrix: _pool_type(part, matrix, config.k, named),
        without_vector=without_vector(AXIS, config.k),
    )


def _pool_type(part: pl.DataFrame, matrix: Vectors, k: int, named: ObjectFacets) -> Pools:
    known = (part["object_value"].is_not_null() & part["type_value"].is_not_null()).to_numpy()
    objects = _number(part["object_value"])
    shows = _pictures_by_object(objects, _number(part["picture_hash"]), known)

    def allow(block: slice) -> npt.NDArray[np.bool_]:
        pictures = _number(part["picture_hash"])
        apart = objects[block, None] != objects[None, :]
        is_view = shows[objects[block]][:, pictures] | shows[objects][:, pictures[block]].T
        allowed: npt.NDArray[np.bool_] = apart & ~is_view & known[block, None] & known[None, :]
        return allowed

    n_views = int(np.bincount(objects[known]).max()) if known.any() else 1
    nearest = rank_allowed(matrix=matrix, allow=allow, places=k * n_views)
    views = [_nearest_views(found, objects) for found in nearest]
    reasons = [
        REASONS if is_known else _missing(row, named)
        for is_known, row in zip(known.tolist(), part.iter_rows(named=True), strict=True)
    ]
    return fill_pools(views, axis=AXIS, k=k, reasons=reasons)


def _nearest_views(found: list[tuple[int, float]], objects: npt.NDArray[np.int64]) -> list[tuple[int, float]]:
    """The first of the given views of each object, in the given order."""
    views: dict[int, tuple[int, float]] = {}
    for column, similarity in found:
        views.setdefault(int(objects[column]), (column, similarity))
    return list(views.values())


def _number(values: pl.Series) -> npt.NDArray[np.int64]:
    """(n,) 0, 1, 2, ... for equal values; a missing value is a value of its own."""
    return values.fill_null("").rank("dense").cast(pl.Int64).to_numpy() - 1


def _pictures_by_object(
    objects: npt.NDArray[np.int64], pictures: npt.NDArray[np.int64], known: npt.NDArray[np.bool_]
) -> npt.NDArray[np.bool_]:
    """(n_objects, n_pictures) True where a picture is declared to show an object."""
    shows = np.zeros((objects.max() + 1, pictures.max() + 1), dtype=np.bool_)
    shows[objects[known], pictures[known]] = True
    return shows


def _missing(row: dict[str, object], named: ObjectFacets) -> str:
    missing = [name for name, column in ((named.type, "type_value"), (named.object, "object_value")) if not row[column]]
    return f"missing facet {', '.join(missing)}"
