"""How near pages of one template are, without truth: inside its bounds, repeatable, indices against the definition."""

from collections.abc import Callable
from itertools import combinations
from pathlib import Path

import numpy as np
import pypdfium2 as pdfium
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eval_pipeline.embeddings.layout import LayoutEncoder
from eval_pipeline.foundation.protocols import UnitVectors
from eval_pipeline.templates.chaining import group_units
from eval_pipeline.templates.cuts import (
    LAYOUT_STEPS,
    LAYOUT_WIDEST,
    LONGEST_FACTOR,
    adjusted_rand,
    choose_reach,
    measure_repeatability,
    measure_spread,
    share_of,
)
from eval_pipeline.templates.grouping import grow_tree

Groups = Callable[..., UnitVectors]


def rand_by_definition(one: list[int], other: list[int]) -> float:
    pairs = list(combinations(range(len(one)), 2))
    first = [one[i] == one[j] for i, j in pairs]
    second = [other[i] == other[j] for i, j in pairs]
    both = sum(a and b for a, b in zip(first, second, strict=True))
    expected = sum(first) * sum(second) / len(pairs)
    most = (sum(first) + sum(second)) / 2
    return 1.0 if most == expected else (both - expected) / (most - expected)


@settings(max_examples=50, deadline=None)
@given(pairs=st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=2, max_size=12))
def test_the_rand_index_equals_its_definition(pairs: list[tuple[int, int]]) -> None:
    one, other = ([pair[side] for pair in pairs] for side in (0, 1))
    got = adjusted_rand(np.array(one, dtype=np.int64), np.array(other, dtype=np.int64))
    assert got == pytest.approx(rand_by_definition(one, other))


def test_the_rand_index_by_hand() -> None:
    halves, third = np.array([0, 0, 1, 1]), np.array([0, 0, 1, 2])
    assert adjusted_rand(halves, halves) == 1.0
    # of 6 pairs one is together in both; by chance 2 * 1 / 6; at most (2 + 1) / 2
    assert adjusted_rand(halves, third) == pytest.approx((1 - 1 / 3) / (1.5 - 1 / 3))
    assert adjusted_rand(np.zeros(3, np.int64), np.zeros(3, np.int64)) == 1.0


@pytest.mark.parametrize("n", [6, 40])
def test_the_step_stays_between_its_bounds_and_parts_the_groups(make_groups: Groups, n: int) -> None:
    tree = grow_tree(make_groups({"a": n, "b": n, "c": n}).matrix, seed=0)
    reach = choose_reach(tree, features=("layout",), seed=0)
    assert LAYOUT_STEPS[0] <= reach.step <= LONGEST_FACTOR * LAYOUT_STEPS[1]
    assert reach.widest == LAYOUT_WIDEST
    assert group_units(tree, reach=reach).tolist() == [0] * n + [1] * n + [2] * n


def test_a_step_that_breaks_chains_by_chance_is_not_repeatable() -> None:
    places = np.concatenate([np.arange(20) / 10, 10 + np.arange(20) / 10])  # two paths of steps of 0.1
    distances = np.abs(np.subtract.outer(places, places))
    scores = measure_repeatability(distances, steps=np.array([0.11, 1.5]), seed=0)
    assert scores[0] < 0.5  # in a half, every other step is 0.2 and more
    assert scores[1] == 1.0
    assert scores.tolist() == measure_repeatability(distances, steps=np.array([0.11, 1.5]), seed=0).tolist()


def test_an_encoder_is_measured_by_its_own_spread(make_groups: Groups) -> None:
    squeezed = make_groups({"a": 6, "b": 6}, spread=0.001).matrix + np.float32(20.0)  # untrained: all pages are near
    squeezed /= np.linalg.norm(squeezed, axis=1, keepdims=True)
    tree = grow_tree(np.ascontiguousarray(squeezed), seed=0)
    reach = choose_reach(tree, features=("encoder",), seed=0)
    assert 0 < reach.step < 0.01 * measure_spread(tree.distances) * 2
    assert len(set(group_units(tree, reach=reach))) >= 2


def test_beside_the_layout_an_encoder_weighs_little_and_tiny_trees_have_a_step(make_groups: Groups) -> None:
    assert share_of("layout", ("layout",)) == share_of("encoder", ("encoder",)) == 1.0
    assert share_of("encoder", ("layout", "encoder")) == pytest.approx(0.05)
    alone = grow_tree(make_groups({"a": 1}).matrix, seed=0)
    assert choose_reach(alone, features=("layout",), seed=0).step == pytest.approx(LONGEST_FACTOR * LAYOUT_STEPS[1])
    assert choose_reach(alone, features=("encoder",), seed=0).step == 0.0
    equal = grow_tree(make_groups({"a": 5}, spread=0.0).matrix, seed=0)
    assert choose_reach(equal, features=("encoder",), seed=0).step == 0.0


@pytest.mark.shared
def test_statements_of_one_company_over_five_years_fall_into_few_pure_groups(sample_dir: Path, tmp_path: Path) -> None:
    """Among the pages around them; the design changed once in the five years, so two groups are as few as there are."""
    statements = {2017: (37, 38, 40), 2018: (36, 37, 39), 2019: (37, 38, 40), 2020: (38, 39, 41), 2021: (36, 37, 39)}
    kinds, paths = [], []
    for year, numbers in statements.items():
        filing = pdfium.PdfDocument(sample_dir / "pdfs" / f"AMAZON_{year}_10K.pdf")
        for number in range(31, 47):
            kinds.append(numbers.index(number) if number in numbers else None)
            paths.append(tmp_path / f"{year}-{number}.png")
            filing[number - 1].render(scale=100 / 72).to_pil().save(paths[-1], compress_level=1)
    tree = grow_tree(LayoutEncoder().encode_pictures(paths), seed=0)
    groups = group_units(tree, reach=choose_reach(tree, features=("layout",), seed=0))
    for kind, name in enumerate(("cash flow", "income", "balance sheet")):
        mine = {group for group, each in zip(groups, kinds, strict=True) if each == kind}
        assert len(mine) <= 2, name
        assert {each for group, each in zip(groups, kinds, strict=True) if group in mine} == {kind}, name
