"""Chains of near pages; wide chains are split, strays gathered among themselves only."""

from collections.abc import Sequence

import numpy as np
import pytest

from eval_pipeline.templates.chaining import Reach, group_units, mean_inside
from eval_pipeline.templates.grouping import MergeTree, link


def a_tree(places: Sequence[float], n_units_of: Sequence[int] | None = None) -> MergeTree:
    """Leaves on a line; their distance is the difference of their places."""
    distances = np.round(np.abs(np.subtract.outer(np.array(places), np.array(places))), 6)
    sizes = np.array(n_units_of or [1] * len(places), dtype=np.int64)
    return MergeTree(
        leaf_of=np.repeat(np.arange(len(places)), sizes),
        distances=distances,
        n_units_of=sizes,
        merges=link(distances, method="average"),
    )


def test_a_chain_holds_what_average_link_would_split() -> None:
    tree = a_tree([0.0, 0.1, 0.2, 0.3, 0.6, 0.61, 0.62])
    assert group_units(tree, reach=Reach(step=0.12, widest=0.25)).tolist() == [0, 0, 0, 0, 1, 1, 1]
    assert group_units(tree, reach=Reach(step=0.12)).tolist() == [0, 0, 1, 1, 2, 2, 2]  # average link, as declared


def test_a_chain_without_an_end_is_split() -> None:
    tree = a_tree([place / 10 for place in range(10)])
    groups = group_units(tree, reach=Reach(step=0.12, widest=0.25))
    assert len(set(groups)) > 1
    for group in set(groups):
        assert mean_inside(tree.distances, np.flatnonzero(groups == group)) <= 0.25


def test_strays_are_gathered_with_each_other_and_never_with_a_settled_group() -> None:
    tree = a_tree([0.0, 0.01, 0.02, 0.2, 0.4])
    assert group_units(tree, reach=Reach(step=0.1, widest=0.25)).tolist() == [0, 0, 0, 1, 1]
    far = a_tree([0.0, 0.01, 0.02, 0.2, 0.5])
    assert group_units(far, reach=Reach(step=0.1, widest=0.25)).tolist() == [0, 0, 0, 1, 2]


def test_pairs_are_settled_and_not_merged_with_each_other() -> None:
    """Three statements in two reports each are three templates, though none has a third page."""
    tree = a_tree([0.0, 0.01, 0.2, 0.21, 0.4, 0.41])
    assert group_units(tree, reach=Reach(step=0.1, widest=0.25)).tolist() == [0, 0, 1, 1, 2, 2]


def test_a_leaf_of_many_units_is_no_stray() -> None:
    tree = a_tree([0.0, 0.2], [3, 1])
    assert group_units(tree, reach=Reach(step=0.1, widest=0.25)).tolist() == [0, 0, 0, 1]


def test_mean_inside_by_hand() -> None:
    assert mean_inside(a_tree([0.0, 0.1, 0.3]).distances, np.arange(3)) == pytest.approx(0.2)


def test_one_unit_is_one_group() -> None:
    assert group_units(a_tree([0.0]), reach=Reach(step=0.1, widest=0.25)).tolist() == [0]
