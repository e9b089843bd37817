"""The state of a template: a hash over its members, so that only templates that changed are pooled again."""

import polars as pl

from eval_pipeline.foundation.ids import content_id

CODE_VERSION = "1"
SCHEMA = {"template_id": pl.String, "bucket": pl.String, "members_hash": pl.String, "n_units": pl.Int64}


def hash_members(members: pl.DataFrame) -> pl.DataFrame:
    """Hash the members of every template.

    Args:
        members: templates.member rows.

    Returns:
        One row per template: `template_id`, `bucket` (partition of the template), `members_hash` over (unit id,
        normalised facets, picture hash) of its members, `n_units`. Sorted by template; the input order does not matter.
    """
    rows = []
    columns = ["template_id", "template_bucket", "unit_id", "facets", "picture_hash"]
    ordered = members.select(columns).sort("template_id", "unit_id")
    for (template_id, bucket), part in ordered.group_by("template_id", "template_bucket", maintain_order=True):
        state = [list(row) for row in part.select("unit_id", "facets", "picture_hash").rows()]
        rows.append(
            {
                "template_id": template_id,
                "bucket": bucket,
                "members_hash": content_id("mem", [template_id, state]),
                "n_units": part.height,
            }
        )
    return pl.DataFrame(rows, schema=SCHEMA)
