"""The space in which units are grouped: the declared feature families side by side, each with its share."""

from collections.abc import Mapping, Sequence

import numpy as np

from eval_pipeline.foundation.errors import ConfigError
from eval_pipeline.foundation.ids import content_id
from eval_pipeline.foundation.protocols import UnitVectors
from eval_pipeline.templates.cuts import share_of


def join_features(
    *, vectors: Mapping[str, UnitVectors], features: tuple[str, ...], unit_ids: Sequence[str]
) -> UnitVectors:
    """Join feature families into one unit vector per unit.

    Args:
        vectors: by feature.
        features: families to join, each scaled to its share of the squared length (see `cuts.SHARES`).
        unit_ids: units wanted.

    Returns:
        Units that have every feature, sorted by id; the cosine of two rows is the mean of the families' cosines
        by their shares.

    Raises:
        ConfigError: a declared feature has no vectors.
    """
    missing = [feature for feature in features if feature not in vectors]
    if missing or not features:
        message = f"eval.yaml: templates.features: {missing or 'none declared'}; vectors exist for {sorted(vectors)}"
        raise ConfigError(message, path="eval.yaml", key="templates.features")
    common = set(unit_ids)
    for feature in features:
        common &= set(vectors[feature].unit_ids.tolist())
    ordered = sorted(common)
    parts = [
        vectors[feature].rows_of(ordered) * np.sqrt(share_of(feature, features))
        if ordered
        else np.empty((0, 1), np.float32)
        for feature in features
    ]
    joined = np.concatenate(parts, axis=1)
    return UnitVectors(
        unit_ids=np.array(ordered, dtype=np.str_),
        matrix=np.ascontiguousarray(joined, dtype=np.float32),
        encoder_id=content_id("space", [vectors[feature].encoder_id for feature in features]),
    )
