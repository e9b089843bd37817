"""What reading a page yields."""

import dataclasses

import pytest

from eval_pipeline.judging.page_reading import read_page


def test_statements_are_parallel_and_frozen() -> None:
    (statement,) = read_page("2023 2024\nRevenue 4 5").statements
    assert len(statement.figures) == len(statement.periods) == 2
    with pytest.raises(dataclasses.FrozenInstanceError):
        statement.label = "other"  # type: ignore[misc]  # that is the point
