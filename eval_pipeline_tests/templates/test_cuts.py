"""The cut without truth: never coarser than its bound, silhouette against the definition spelled out."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eval_pipeline.foundation.protocols import UnitVectors
from eval_pipeline.templates.cuts import LAYOUT_COARSEST, choose_cut, coarsest_cut, measure_silhouette
from eval_pipeline.templates.grouping import grow_tree

Groups = Callable[..., UnitVectors]


def silhouette_by_definition(distances: np.ndarray, groups: list[int], alone_at: float) -> float:
    values = []
    for i, own in enumerate(groups):
        mates = [j for j, g in enumerate(groups) if g == own and j != i]
        if not mates:
            values.append(0.0)
            continue
        a = float(np.mean([distances[i, j] for j in mates]))
        others = [
            float(np.mean([distances[i, j] for j, g in enumerate(groups) if g == other]))
            for other in set(groups) - {own}
        ]
        b = min(others, default=alone_at)
        values.append((b - a) / max(a, b) if max(a, b) > 0 else 0.0)
    return float(np.mean(values))


@settings(max_examples=50, deadline=None)
@given(labels=st.lists(st.integers(0, 3), min_size=2, max_size=12), seed=st.integers(0, 99))
def test_silhouette_equals_its_definition(labels: list[int], seed: int) -> None:
    groups = np.unique(labels, return_inverse=True)[1].astype(np.int64)
    points = np.random.default_rng(seed).normal(size=(len(labels), 2))
    distances = np.linalg.norm(points[:, None] - points[None], axis=2)
    got = measure_silhouette(distances, groups, np.ones(len(groups), dtype=np.int64), alone_at=0.7)
    assert got == pytest.approx(silhouette_by_definition(distances, groups.tolist(), 0.7))


def test_the_cut_stays_below_its_bound_and_parts_the_groups(make_groups: Groups) -> None:
    tree = grow_tree(make_groups({"a": 6, "b": 6, "c": 6}).matrix, seed=0)
    cut = choose_cut(tree, features=("layout",))
    assert LAYOUT_COARSEST / 3 <= cut <= LAYOUT_COARSEST
    assert len(set(tree.cut_units(cut))) == 3


def test_an_encoder_is_cut_relative_to_its_own_spread(make_groups: Groups) -> None:
    squeezed = make_groups({"a": 6, "b": 6}).matrix + np.float32(20.0)  # as untrained encoders do: all pages are near
    squeezed /= np.linalg.norm(squeezed, axis=1, keepdims=True)
    tree = grow_tree(np.ascontiguousarray(squeezed), seed=0)
    cut = choose_cut(tree, features=("encoder",))
    assert cut < 0.01
    assert len(set(tree.cut_units(cut))) == 2


def test_bounds_of_joined_features_are_averaged_and_tiny_trees_have_a_cut(make_groups: Groups) -> None:
    distances = np.array([[0.0, 0.5], [0.5, 0.0]])
    assert coarsest_cut(distances, ("layout", "encoder")) == pytest.approx((LAYOUT_COARSEST + 0.4 * 0.5) / 2)
    assert choose_cut(grow_tree(make_groups({"a": 1}).matrix, seed=0), features=("layout",)) == LAYOUT_COARSEST
    assert choose_cut(grow_tree(make_groups({"a": 1}).matrix, seed=0), features=("encoder",)) == 0.0
