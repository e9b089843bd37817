"""Groups of units that may stand against each other where the relation does not rest on templates."""

import json
from collections.abc import Mapping, Sequence

import polars as pl

from eval_pipeline.foundation.ids import Jsonable, content_id

CODE_VERSION = "1"
GROUP_COLUMNS = ("template_id", "template_version_id", "members_hash")


def facet_of(facets: Sequence[str], name: str) -> pl.Series:
    """(n,) values of a facet as text; null where it is missing or empty.

    Args:
        facets: (n,) normalised facets as canonical JSON objects.
        name: of the facet.
    """
    values = [json.loads(text).get(name) for text in facets]
    return pl.Series(name, [None if value in (None, "") else str(value) for value in values], dtype=pl.String)


def group_units(
    *, units: pl.DataFrame, keys: pl.Series, relation: str, state: Sequence[str], knowledge: Mapping[str, Jsonable]
) -> pl.DataFrame:
    """Put units into groups and give each group an id and a hash of its state.

    Args:
        units: unit_id and the columns of `state`.
        keys: (n,) what the members of a group share; units without one form a group of their own.
        relation: for whose negatives the groups are; takes part in the ids.
        state: columns that pools depend on.
        knowledge: what else is known of a unit that pools depend on, by unit id.

    Returns:
        The rows with `template_id` (the group), `template_version_id` (how groups are made) and `members_hash`.
    """
    version = content_id("grpv", {"relation": relation, "code_version": CODE_VERSION})
    names = {key: content_id("grp", [relation, key]) for key in keys.unique().to_list()}
    grouped = units.with_columns(template_id=pl.Series([names[key] for key in keys.to_list()], dtype=pl.String))
    hashes = {}
    for (group,), part in grouped.sort("unit_id").group_by("template_id", maintain_order=True):
        rows = [[*row, knowledge.get(row[0])] for row in part.select("unit_id", *state).rows()]
        hashes[str(group)] = content_id("mem", [str(group), rows])
    return grouped.with_columns(
        template_version_id=pl.lit(version, dtype=pl.String),
        members_hash=pl.col("template_id").replace_strict(hashes, return_dtype=pl.String),
    )
