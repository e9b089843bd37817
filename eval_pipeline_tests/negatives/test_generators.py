"""Generators are found by relation; every relation has one."""

import pytest

from eval_pipeline.foundation.errors import UnknownName
from eval_pipeline.negatives import instance, localization, pools, semantic, transformed_copy
from eval_pipeline.negatives.generators import GENERATORS, find_generator
from eval_pipeline.tasks.relations.registry import RELATIONS


def test_every_relation_has_its_generator() -> None:
    assert set(GENERATORS) == set(RELATIONS)
    assert find_generator("evidence") is pools.draw_hard_negatives
    assert find_generator("transformed_copy") is transformed_copy.draw_hard_negatives
    assert find_generator("instance") is instance.draw_hard_negatives
    assert find_generator("semantic") is semantic.draw_hard_negatives
    assert find_generator("localization") is localization.draw_hard_negatives


def test_a_relation_without_generator_is_named() -> None:
    with pytest.raises(
        UnknownName, match="no generator draws negatives for the relation 'hearsay'; there are: evidence"
    ):
        find_generator("hearsay")
