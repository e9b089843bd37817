"""Chance of drawing none."""

import numpy as np
import pytest
from scipy.stats import hypergeom

from eval_pipeline.metrics.measures.measure import Measure, chance_none
from eval_pipeline.metrics.measures.top import KIND


def test_chance_of_none_is_hypergeometric():
    candidates, wanted = np.array([7.0, 7.0, 20.0, 3.0, 5.0]), np.array([1.0, 3.0, 4.0, 0.0, 5.0])
    for k in (1, 3, 5):
        expected = [hypergeom.pmf(0, n, w, min(k, n)) for n, w in zip(candidates, wanted, strict=True)]
        assert chance_none(k, candidates, wanted) == pytest.approx(expected)


def test_worked_value():
    assert chance_none(5, np.array([7.0]), np.array([1.0]))[0] == pytest.approx(2 / 7)


def test_a_measure_prints_its_name():
    assert str(Measure(kind=KIND, cut=5)) == "top@5"
