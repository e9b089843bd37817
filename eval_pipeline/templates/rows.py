"""Rows of the template tables, from what a round made."""

from collections.abc import Sequence
from typing import Any

import polars as pl

from eval_pipeline.foundation.ids import bucket_of, canonical_json
from eval_pipeline.foundation.outputs import StageOutput
from eval_pipeline.foundation.tables.templates import TEMPLATE, TEMPLATE_ASSIGNMENT, TEMPLATE_VERSION
from eval_pipeline.templates.founding import Founded


def template_rows(founded: Sequence[Founded], *, version_id: str, sequence: int) -> pl.DataFrame:
    """templates.template rows of templates that were founded in a round."""
    return TEMPLATE.frame(
        {
            "template_version_id": version_id,
            "template_id": template.template_id,
            "bucket": bucket_of(template.template_id),
            "announced_sequence": sequence,
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
    *, versions: pl.DataFrame, templates: pl.DataFrame, assignments: pl.DataFrame, inputs: Sequence[str]
) -> StageOutput:
    """The three tables, sorted by their keys, with counts for people."""
    counts = dict(assignments.group_by("state").len().rows())
    return StageOutput(
        tables={
            TEMPLATE_VERSION.name: versions,
            TEMPLATE.name: templates.sort(list(TEMPLATE.key)),
            TEMPLATE_ASSIGNMENT.name: assignments.sort(list(TEMPLATE_ASSIGNMENT.key)),
        },
        inputs=tuple(sorted(inputs)),
        summary={
            "templates_announced": templates.height,
            "units_founding": counts.get("founding", 0),
            "units_assigned": counts.get("assigned", 0),
            "units_new": counts.get("new", 0),
            "units_buffered": counts.get("buffered", 0),
        },
    )
