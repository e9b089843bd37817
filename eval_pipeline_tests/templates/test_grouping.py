"""Groups by average link, and the capped fine split below it."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from eval_pipeline.embeddings.vectors import normalise_rows
from eval_pipeline.foundation.protocols import UnitVectors
from eval_pipeline.templates import grouping
from eval_pipeline.templates.grouping import grow_tree

Groups = Callable[..., UnitVectors]


def test_clu_01_few_and_equal_pages(case_files: Path) -> None:
    three = normalise_rows(np.load(case_files / "CLU-01_three_vectors.npy"))
    equal = normalise_rows(np.load(case_files / "CLU-01_five_identical.npy"))
    assert set(grow_tree(three, seed=0).cut_units(0.0)) <= {0, 1, 2}
    assert grow_tree(equal, seed=0).cut_units(0.1).tolist() == [0] * 5
    assert grow_tree(equal[:1], seed=0).cut_units(0.1).tolist() == [0]


def test_average_link_by_hand() -> None:
    # angles 0, 20 and 70 degrees: 1 - cos(20) = 0.06; the third is 1 - (cos 70 + cos 50) / 2 = 0.51 from the two
    angles = np.radians([0, 20, 70])
    matrix = normalise_rows(np.stack([np.cos(angles), np.sin(angles)], axis=1))
    tree = grow_tree(matrix, seed=0)
    assert tree.merges[:, 2].tolist() == pytest.approx([0.0603, 0.5076], abs=1e-3)
    assert tree.cut_units(0.05).tolist() == [0, 1, 2]
    assert tree.cut_units(0.5).tolist() == [0, 0, 1]
    assert tree.cut_units(0.51).tolist() == [0, 0, 0]


def test_many_units_are_split_finely_first(make_groups: Groups, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grouping, "MAX_LEAVES", 20)
    space = make_groups({"a": 30, "b": 30, "c": 30})
    tree = grow_tree(space.matrix, seed=0)
    assert len(tree.distances) <= 20
    assert int(tree.n_units_of.sum()) == 90
    assert tree.cut_units(0.25).tolist() == [0] * 30 + [1] * 30 + [2] * 30


def test_very_many_units_are_split_by_a_sample_of_them(make_groups: Groups, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grouping, "MAX_LEAVES", 6)
    monkeypatch.setattr(grouping, "SAMPLE_PER_LEAF", 5)
    monkeypatch.setattr(grouping, "BLOCK_ROWS", 7)
    space = make_groups({"a": 30, "b": 30, "c": 30})
    tree = grow_tree(space.matrix, seed=0)
    assert int(tree.n_units_of.sum()) == 90
    assert tree.cut_units(0.25).tolist() == [0] * 30 + [1] * 30 + [2] * 30
    assert grow_tree(space.matrix, seed=0).leaf_of.tolist() == tree.leaf_of.tolist()
