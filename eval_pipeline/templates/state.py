"""What is known of templates before a round: the version in force, its templates, who is in them."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from eval_pipeline.foundation.config import TemplatesConfig
from eval_pipeline.foundation.errors import LineageError
from eval_pipeline.foundation.ids import content_id
from eval_pipeline.foundation.protocols import Vectors
from eval_pipeline.templates.chaining import Reach

CODE_VERSION = "3"


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
    def reach(self) -> Reach:
        """How near units of one template were when the version was made; buffered units are grouped the same way.

        Raises:
            LineageError: the version row does not say.
        """
        settings = json.loads(self.version["settings"])
        if "cut_used" not in settings:
            message = (
                f"template version {self.template_version_id} has no cut_used; run 'eval-pipeline doctor --repair'"
            )
            raise LineageError(message)
        widest = settings.get("widest_used")
        return Reach(step=float(settings["cut_used"]), widest=None if widest is None else float(widest))

    @property
    def known_unit_ids(self) -> set[str]:
        """Units that a round has already decided on, the buffered ones too."""
        return set(self.assignments["unit_id"].to_list())

    @property
    def buffered_unit_ids(self) -> set[str]:
        """Units that wait in the buffer."""
        return set(self.assignments.filter(pl.col("state") == "buffered")["unit_id"].to_list())

    @property
    def announced(self) -> dict[str, int]:
        """Sequence of the batch in which each template first appeared."""
        return dict(self.templates.select("template_id", "announced_sequence").iter_rows())

    def standing(self, present: Sequence[str]) -> pl.DataFrame:
        """Columns unit_id, template_id (null in the buffer) of the units among the given ones, sorted by unit."""
        placed = self.assignments.select("unit_id", "template_id").sort("unit_id")
        return placed.filter(pl.col("unit_id").is_in(sorted(present)))

    def reason_to_recluster(self, settings: Mapping[str, Any]) -> str:
        """Why a version under given settings is made after this one: what differs, or that it was asked for."""
        mine = json.loads(self.version["settings"])
        differs = sorted(name for name, value in settings.items() if mine.get(name) != json.loads(json.dumps(value)))
        return f"new settings: {', '.join(differs)}" if differs else "asked for again"

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
        config: features, cut, min_members, seed, epoch.
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
        "epoch": config.epoch,
        "code_version": CODE_VERSION,
    }
