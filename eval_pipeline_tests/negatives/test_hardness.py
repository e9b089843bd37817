"""Where negatives stand among all pages."""

from collections.abc import Callable

import numpy as np
import polars as pl
from hypothesis import given, settings
from hypothesis import strategies as st

from eval_pipeline.embeddings.index import search_exact
from eval_pipeline.embeddings.vectors import normalise_rows
from eval_pipeline.foundation.protocols import UnitVectors
from eval_pipeline.negatives.hardness import SCHEMA, measure_hardness


def negatives_of(gold: str, names: list[str]) -> pl.DataFrame:
    return pl.DataFrame(
        {
            "pool_id": "pool",
            "unit_id": gold,
            "axis": "period",
            "rank": list(range(1, len(names) + 1)),
            "negative_unit_id": names,
            "similarity": 0.5,
        },
        schema_overrides={"negative_unit_id": pl.String},
    )


@settings(max_examples=40, deadline=None)
@given(n=st.integers(2, 40), n_distinct=st.integers(1, 40), seed=st.integers(0, 99))
def test_ranks_equal_a_full_ranking_without_gold(n: int, n_distinct: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    distinct = normalise_rows(rng.normal(size=(n_distinct, 4)))
    ids = np.array([f"u{k:02d}" for k in range(n)])
    matrix = np.ascontiguousarray(distinct[rng.integers(0, n_distinct, n)])
    vectors = UnitVectors(unit_ids=ids, matrix=matrix, encoder_id="e")
    others = [name for name in ids.tolist() if name != "u00"]
    got = measure_hardness(negatives=negatives_of("u00", others), vectors=vectors)
    (ranking,) = search_exact(corpus=vectors, queries=vectors.matrix[:1], depth=n)
    expected = [unit.unit_id for unit in ranking if unit.unit_id != "u00"]
    assert got.sort("corpus_rank")["negative_unit_id"].to_list() == expected
    assert set(got["n_corpus"]) == {n - 1}


def test_units_without_vectors_are_left_out(on_a_circle: Callable[[dict[str, float]], UnitVectors]) -> None:
    vectors = on_a_circle({"gold": 0.0, "near": 5.0, "far": 80.0})
    got = measure_hardness(negatives=negatives_of("gold", ["far", "gone"]), vectors=vectors)
    assert got.select("negative_unit_id", "corpus_rank", "n_corpus").rows() == [("far", 2, 2)]
    assert measure_hardness(negatives=negatives_of("gone", ["far"]), vectors=vectors).schema == pl.Schema(SCHEMA)
