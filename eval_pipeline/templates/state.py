"""What is known of templates before a round: the version in force, its templates, who is in them."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from eval_pipeline.foundation.config import TemplatesConfig
from eval_pipeline.foundation.errors import LineageError
from eval_pipeline.foundation.ids import content_id
from eval_pipeline.foundation.protocols import Vectors

CODE_VERSION = "1"


@dataclass(frozen=True, kw_only=True)
class TemplateState:
    """Templates in force.

    Attributes:
        version: the templates.template_version row in force.
        templates: templates.template rows of that version.
        assignments: templates.template_assignment rows in force of that version: one per unit, the highest round.
    """

    version: Mapping[str, Any]
    templates: pl.DataFrame
    assignments: pl.DataFrame

    @property
    def template_version_id(self) -> str:
        """Version in force."""
        return str(self.version["template_version_id"])

    @property
    def cut(self) -> float:
        """Cosine distance at which groups were cut when the version was made; buffered units are cut at the same.

        Raises:
            LineageError: the version row does not say.
        """
        settings = json.loads(self.version["settings"])
        if "cut_used" not in settings:
            message = (
                f"template version {self.template_version_id} has no cut_used; run 'eval-pipeline doctor --repair'"
            )
            raise LineageError(message)
        return float(settings["cut_used"])

    @property
    def known_unit_ids(self) -> set[str]:
        """Units that a round has already decided on, the buffered ones too."""
        return set(self.assignments["unit_id"].to_list())

    @property
    def buffered_unit_ids(self) -> set[str]:
        """Units that wait in the buffer."""
        return set(self.assignments.filter(pl.col("state") == "buffered")["unit_id"].to_list())

    @property
    def last_rounds(self) -> dict[str, int]:
        """Round in which each known unit was last decided on."""
        return dict(self.assignments.select("unit_id", "round").iter_rows())


def read_centroids(templates: pl.DataFrame) -> Vectors:
    """(n_templates, dim) float32 centroids, in the order of the rows."""
    rows = [json.loads(text) for text in templates["centroid"].to_list()]
    return np.array(rows, dtype=np.float32)


def settings_id_of(config: TemplatesConfig, encoder_ids: Mapping[str, str]) -> str:
    """Id of everything that a clustering depends on besides its units.

    Args:
        config: features, cut, min_members, seed.
        encoder_ids: encoder by feature (`layout`, `encoder`); only declared features count.
    """
    return content_id("tset", settings_of(config, encoder_ids))


def settings_of(config: TemplatesConfig, encoder_ids: Mapping[str, str]) -> dict[str, Any]:
    """The settings that `settings_id_of` hashes, for the version row."""
    return {
        "features": list(config.features),
        "encoder_ids": {feature: encoder_ids[feature] for feature in config.features},
        "cut": config.cut,
        "min_members": config.min_members,
        "seed": config.seed,
        "code_version": CODE_VERSION,
    }
