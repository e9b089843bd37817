"""What a random order would score."""

import polars as pl
import pytest

from eval_pipeline.metrics.chance import chance_of
from eval_pipeline.metrics.names import parse_measure


def test_worked_values_of_one_in_seven():
    questions = pl.DataFrame(
        {"question_id": ["q"], "n_candidates": [7], "n_relevant": [1], "n_supporting": [2], "n_gold": [1]}
    )
    expected = {
        "top@1": 1 / 7,
        "top@5": 5 / 7,
        "sufficient@1": 1 / 7,
        "supporting_only@1": 2 / 7,
        "neither@1": 4 / 7,
        "neither@5": 0.0,
        "sufficient@9": 1.0,
        "precision@2": 1 / 7,
        "recall@2": 2 / 7,
        "ap@5": None,
        "judged@5": None,
    }
    found = chance_of([parse_measure(name) for name in expected], questions)
    assert dict(found.select("measure", "chance").iter_rows()) == {
        name: None if value is None else pytest.approx(value) for name, value in expected.items()
    }


def test_an_arena_of_unknown_size_has_no_chance():
    questions = pl.DataFrame(
        {"question_id": ["q"], "n_candidates": [None], "n_relevant": [1], "n_supporting": [0], "n_gold": [1]},
        schema_overrides={"n_candidates": pl.Int64},
    )
    assert chance_of([parse_measure("top@1")], questions).height == 0
