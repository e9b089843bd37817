"""Fine splits: capped, without empty groups, and calm about equal rows."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from eval_pipeline.embeddings.kmeans import number_groups, split_spherical
from eval_pipeline.embeddings.vectors import normalise_rows
from eval_pipeline.foundation.errors import LineageError
from eval_pipeline.foundation.protocols import UnitVectors


def test_clu_01_fewer_pages_than_clusters_and_equal_pages(case_files: Path) -> None:
    three = normalise_rows(np.load(case_files / "CLU-01_three_vectors.npy"))
    equal = normalise_rows(np.load(case_files / "CLU-01_five_identical.npy"))
    assert sorted(split_spherical(three, n_groups=8, seed=0)) == [0, 1, 2]
    assert split_spherical(equal, n_groups=3, seed=0).tolist() == [0] * 5


def test_far_groups_are_found_and_numbered_by_first_appearance() -> None:
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 4, 80)
    matrix = normalise_rows(np.eye(4)[truth] + rng.normal(scale=0.05, size=(80, 4)))
    groups = split_spherical(matrix, n_groups=4, seed=3)
    np.testing.assert_array_equal(groups, number_groups(truth))
    np.testing.assert_array_equal(groups, split_spherical(matrix, n_groups=4, seed=3))


def test_rows_that_are_no_directions_are_refused(make_vectors: Callable[..., UnitVectors]) -> None:
    matrix = make_vectors(4).matrix.copy()
    matrix[2] = np.nan
    with pytest.raises(LineageError, match="first row 2"):
        split_spherical(matrix, n_groups=2, seed=0)
