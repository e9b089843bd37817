"""Templates from groups: ids from founders, centroid, threshold."""

from collections.abc import Callable

import numpy as np
import pytest

from eval_pipeline.foundation.ids import set_id
from eval_pipeline.foundation.protocols import UnitVectors
from eval_pipeline.templates.founding import REACH, found_templates, measure_distances


def test_a_template_by_hand() -> None:
    angles = np.radians([-10, 10, 90])
    matrix = np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)
    space = UnitVectors(unit_ids=np.array(["u1", "u2", "u3"]), matrix=matrix, encoder_id="e")
    (made,) = found_templates(space=space, groups=np.array([0, 0, 1]), cut=0.02, min_members=2)
    assert made.template_id == set_id("tpl", ["u1", "u2"])
    assert made.centroid.tolist() == pytest.approx([1.0, 0.0])
    assert made.distances == pytest.approx((1 - np.cos(np.radians(10)),) * 2, abs=1e-6)
    assert made.exemplar_unit_id == "u1"
    assert made.threshold == pytest.approx(REACH * made.distances[0], abs=1e-6)
    (tight,) = found_templates(space=space, groups=np.array([0, 0, 1]), cut=0.2, min_members=2)
    assert tight.threshold == 0.1


def test_no_groups_make_no_templates(make_groups: Callable[..., UnitVectors]) -> None:
    assert found_templates(space=make_groups({}), groups=np.array([], dtype=np.int64), cut=0.2, min_members=1) == []


def test_distances_are_rounded_and_never_negative() -> None:
    one = np.array([[0.6, 0.8]], dtype=np.float32)
    assert measure_distances(one, one).tolist() == [[0.0]]
