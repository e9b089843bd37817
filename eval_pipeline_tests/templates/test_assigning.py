"""The nearest template within its threshold; ties to the first in order."""

import numpy as np

from eval_pipeline.foundation.protocols import UnitVectors
from eval_pipeline.templates.assigning import find_nearest

CENTROIDS = np.array([[1, 0], [0, 1]], dtype=np.float32)


def space_of(degrees: list[float]) -> UnitVectors:
    angles = np.radians(degrees)
    matrix = np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)
    return UnitVectors(unit_ids=np.array([f"u{d}" for d in degrees]), matrix=matrix, encoder_id="e")


def test_thresholds_belong_to_their_templates() -> None:
    nearest = find_nearest(space=space_of([10, 45, 80]), centroids=CENTROIDS, thresholds=np.array([0.01, 0.02]))
    assert nearest.templates.tolist() == [0, 0, 1]  # 45 degrees is a tie
    assert nearest.is_within.tolist() == [False, False, True]  # 1 - cos(10 degrees) = 0.0152


def test_without_templates_nobody_is_near() -> None:
    nearest = find_nearest(space=space_of([10]), centroids=CENTROIDS[:0], thresholds=np.array([]))
    assert nearest.templates.tolist() == [-1]
    assert nearest.is_within.tolist() == [False]
