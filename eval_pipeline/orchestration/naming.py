"""What a report, its templates and its pages are called."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from eval_pipeline.foundation.config import ProjectConfig
from eval_pipeline.foundation.ids import hash_unit
from eval_pipeline.foundation.settings import ProjectPaths
from eval_pipeline.orchestration.resources import Project
from eval_pipeline.report.template_names import NamedPage, name_templates

N_READ = 40
"""Pages of a template whose text is read for its name, drawn by hash."""


def title_of(paths: ProjectPaths, declared: ProjectConfig) -> str:
    """The declared name, else the folder's; either way with what the page is."""
    return f"{declared.name or paths.home.name}: evaluation of evidence retrieval"


def read_template_names(project: Project, members: pl.DataFrame) -> dict[str, str]:
    """Readable names by template id.

    Args:
        project: whose text layers are read.
        members: templates.member rows that may be shown; pages that an asker may not see must not be among them.
    """
    drawn = members.select("template_id", "unit_id", "text_hash", "facets").with_columns(
        place=pl.col("unit_id").map_elements(lambda unit_id: hash_unit(0, "name", unit_id), return_dtype=pl.Float64)
    )
    drawn = drawn.sort("template_id", "place", "unit_id").group_by("template_id", maintain_order=True).head(N_READ)
    texts = project.read("corpus/texts", frames={"wanted": drawn.select("text_hash").unique()})
    rows = drawn.join(texts, on="text_hash", how="left")
    pages = rows.select("template_id", "facets", pl.col("text").fill_null("")).iter_rows(named=True)
    return name_templates(NamedPage(**page) for page in pages)


def caption_of(unit: Mapping[str, Any], axes: Sequence[str]) -> str:
    """The facets of a unit on the declared axes in one line, or its place where it has none."""
    facets = json.loads(unit["facets"])
    told = [str(facets[name]) for name in axes if name in facets]
    return " · ".join(told) or source_of(unit)


def source_of(unit: Mapping[str, Any]) -> str:
    """File name and page."""
    return f"{unit['source_path'].rsplit('/', maxsplit=1)[-1]} p. {unit['page_number']}"
