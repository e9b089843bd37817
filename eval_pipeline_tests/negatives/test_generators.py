"""Generators are found by relation."""

import pytest

from eval_pipeline.foundation.errors import UnknownName
from eval_pipeline.negatives.generators import find_generator
from eval_pipeline.negatives.pools import draw_hard_negatives


def test_evidence_is_drawn_from_siblings() -> None:
    assert find_generator("evidence") is draw_hard_negatives


def test_a_relation_without_generator_is_named() -> None:
    with pytest.raises(
        UnknownName, match="no generator draws negatives for the relation 'hearsay'; there are: evidence"
    ):
        find_generator("hearsay")
