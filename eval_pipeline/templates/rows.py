"""Rows of the template tables, from what a round made."""

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from eval_pipeline.foundation.ids import bucket_of, canonical_json
from eval_pipeline.foundation.outputs import StageOutput
from eval_pipeline.foundation.tables.templates import (
    TEMPLATE,
    TEMPLATE_ASSIGNMENT,
    TEMPLATE_SUCCESSION,
    TEMPLATE_VERSION,
)
from eval_pipeline.templates.founding import Founded


def template_rows(
    founded: Sequence[Founded], *, version_id: str, sequence: int, known: Mapping[str, int] | None = None
) -> pl.DataFrame:
    """templates.template rows of templates that were founded in a round.

    Args:
        founded: templates.
        version_id: version that they belong to.
        sequence: of the batch after which they were founded.
        known: sequence at which ids that were carried over first appeared.
    """
    return TEMPLATE.frame(
        {
            "template_version_id": version_id,
            "template_id": template.template_id,
            "bucket": bucket_of(template.template_id),
            "announced_sequence": (known or {}).get(template.template_id, sequence),
            "n_founders": len(template.unit_ids),
            "exemplar_unit_id": template.exemplar_unit_id,
            "centroid": canonical_json([round(float(value), 6) for value in template.centroid.tolist()]),
            "threshold": template.threshold,
        }
        for template in founded
    )


def founder_rows(founded: Sequence[Founded], *, state: str) -> list[dict[str, Any]]:
    """Assignments of founders, without version and round."""
    return [
        {"unit_id": unit_id, "template_id": template.template_id, "state": state, "distance": distance}
        for template in founded
        for unit_id, distance in zip(template.unit_ids, template.distances, strict=True)
    ]


def to_output(
    *,
    versions: pl.DataFrame,
    templates: pl.DataFrame,
    assignments: pl.DataFrame,
    inputs: Sequence[str],
    fates: pl.DataFrame | None = None,
) -> StageOutput:
    """The tables, sorted by their keys, with counts for people; fates are those of a clustering that had a parent."""
    counts = dict(assignments.group_by("state").len().rows())
    told = TEMPLATE_SUCCESSION.empty() if fates is None else fates
    kinds = dict(told.group_by("kind").len().rows())
    return StageOutput(
        tables={
            TEMPLATE_VERSION.name: versions,
            TEMPLATE.name: templates.sort(list(TEMPLATE.key)),
            TEMPLATE_ASSIGNMENT.name: assignments.sort(list(TEMPLATE_ASSIGNMENT.key)),
            TEMPLATE_SUCCESSION.name: told.sort(list(TEMPLATE_SUCCESSION.key)),
        },
        inputs=tuple(sorted(inputs)),
        summary={
            "templates_announced": templates.height - kinds.get("kept", 0),
            **{f"templates_{kind}": kinds[kind] for kind in ("kept", "merged", "split", "retired") if kind in kinds},
            "units_founding": counts.get("founding", 0),
            "units_assigned": counts.get("assigned", 0),
            "units_new": counts.get("new", 0),
            "units_buffered": counts.get("buffered", 0),
        },
    )
