"""Assign new units to the nearest template, if it is near enough."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from eval_pipeline.foundation.protocols import UnitVectors, Vectors
from eval_pipeline.templates.founding import measure_distances

CODE_VERSION = "1"
BLOCK_ROWS = 4096


@dataclass(frozen=True, kw_only=True)
class Nearest:
    """The nearest template of each unit.

    Attributes:
        templates: (n,) row of the nearest template; the first of equally near ones; -1 without any template.
        distances: (n,) cosine distance to its centroid; NaN without any template, and never stored as such.
        is_within: (n,) whether the distance is within the template's threshold.
    """

    templates: npt.NDArray[np.int64]
    distances: npt.NDArray[np.float64]
    is_within: npt.NDArray[np.bool_]


def find_nearest(*, space: UnitVectors, centroids: Vectors, thresholds: npt.NDArray[np.float64]) -> Nearest:
    """Compare units with the centroids of templates.

    Args:
        space: new units in the clustering space.
        centroids: (n_templates, dim), in order of template id.
        thresholds: (n_templates,) largest distance at which a unit is assigned.
    """
    n_units = len(space.unit_ids)
    if len(centroids) == 0 or n_units == 0:
        return Nearest(
            templates=np.full(n_units, -1, dtype=np.int64),
            distances=np.full(n_units, np.nan),
            is_within=np.zeros(n_units, dtype=np.bool_),
        )
    blocks = [
        measure_distances(space.matrix[start : start + BLOCK_ROWS], centroids)
        for start in range(0, n_units, BLOCK_ROWS)
    ]
    templates = np.concatenate([block.argmin(axis=1) for block in blocks]).astype(np.int64)
    distances = np.concatenate([block.min(axis=1) for block in blocks])
    return Nearest(templates=templates, distances=distances, is_within=distances <= thresholds[templates])
