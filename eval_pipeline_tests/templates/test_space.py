"""Feature families side by side, each with its share."""

from collections.abc import Callable

import pytest

from eval_pipeline.foundation.errors import ConfigError
from eval_pipeline.foundation.protocols import UnitVectors
from eval_pipeline.templates.space import join_features


def test_the_joined_cosine_is_the_mean_of_the_cosines_by_their_shares(make_groups: Callable[..., UnitVectors]) -> None:
    one, two = make_groups({"a": 3, "b": 2}), make_groups({"b": 2, "a": 2}, seed=4, dim=5, spread=0.5)
    joined = join_features(
        vectors={"layout": one, "encoder": two}, features=("layout", "encoder"), unit_ids=["b01", "a00", "a02", "gone"]
    )
    assert joined.unit_ids.tolist() == ["a00", "b01"]  # a02 has no encoder vector
    parts = [vectors.rows_of(["a00", "b01"]) for vectors in (one, two)]
    expected = 0.95 * (parts[0][0] @ parts[0][1]) + 0.05 * (parts[1][0] @ parts[1][1])
    assert float(joined.matrix[0] @ joined.matrix[1]) == pytest.approx(float(expected), abs=1e-6)


def test_no_features_are_refused() -> None:
    with pytest.raises(ConfigError, match="none declared"):
        join_features(vectors={}, features=(), unit_ids=[])
