"""Where negatives stand among all pages."""

from collections.abc import Callable

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eval_pipeline.embeddings.index import search_exact
from eval_pipeline.embeddings.vectors import normalise_rows
from eval_pipeline.foundation.protocols import UnitVectors
from eval_pipeline.negatives import hardness
from eval_pipeline.negatives.hardness import HARDNESS, RANKED, measure_hardness, rank_pairs, summarise_hardness


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
@given(n=st.integers(2, 40), n_distinct=st.integers(1, 40), seed=st.integers(0, 99), size=st.integers(1, 45))
def test_ranks_equal_a_full_ranking_without_gold(n: int, n_distinct: int, seed: int, size: int) -> None:
    """The slow oracle: every page against every page, copies and block borders included."""
    rng = np.random.default_rng(seed)
    distinct = normalise_rows(rng.normal(size=(n_distinct, 4)))
    ids = rng.permutation(np.array([f"u{k:02d}" for k in range(n)]))
    matrix = np.ascontiguousarray(distinct[rng.integers(0, n_distinct, n)])
    vectors = UnitVectors(unit_ids=ids, matrix=matrix, encoder_id="e")
    pairs = [(gold, other) for gold in ids.tolist() for other in ids.tolist() if gold != other]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(hardness, "GOLD_BLOCK", size)
        patch.setattr(hardness, "PAGE_BLOCK", size)
        got = rank_pairs(
            pairs=pl.DataFrame(pairs, schema=["unit_id", "negative_unit_id"], orient="row"), vectors=vectors
        )
    rankings = search_exact(corpus=vectors, queries=matrix, depth=n)
    for gold, ranking in zip(ids.tolist(), rankings, strict=True):
        mine = got.filter(pl.col("unit_id") == gold).sort("corpus_rank")
        expected = [(unit.unit_id, unit.score) for unit in ranking if unit.unit_id != gold]
        assert mine.select("negative_unit_id", "similarity").rows() == expected
        assert mine["corpus_rank"].to_list() == list(range(1, n))
    assert set(got["n_corpus"]) == {n - 1}


def test_rows_keep_their_order_and_columns_and_a_wrong_similarity_is_replaced(
    on_a_circle: Callable[[dict[str, float]], UnitVectors],
) -> None:
    vectors = on_a_circle({"gold": 0.0, "near": 60.0, "far": 90.0, "between": 70.0})
    got = measure_hardness(negatives=negatives_of("gold", ["far", "near"]), vectors=vectors)
    assert got.select("pool_id", "axis", "rank", "negative_unit_id", "corpus_rank", "n_corpus").rows() == [
        ("pool", "period", 1, "far", 3, 3),
        ("pool", "period", 2, "near", 1, 3),
    ]
    np.testing.assert_allclose(got["similarity"].to_numpy(), [0.0, 0.5], atol=1e-6)


def test_units_without_vectors_are_left_out(on_a_circle: Callable[[dict[str, float]], UnitVectors]) -> None:
    vectors = on_a_circle({"gold": 0.0, "near": 5.0, "far": 80.0})
    got = measure_hardness(negatives=negatives_of("gold", ["far", "gone"]), vectors=vectors)
    assert got.select("negative_unit_id", "corpus_rank", "n_corpus").rows() == [("far", 2, 2)]
    none = measure_hardness(negatives=negatives_of("gone", ["far"]), vectors=vectors)
    assert none.is_empty()
    assert set(RANKED.schema) <= set(none.columns)
    assert rank_pairs(pairs=negatives_of("gold", ["gold"]), vectors=vectors).is_empty()


def test_hardness_by_axis_with_random_pages_beside_it() -> None:
    rows = [("q1", "period", rank, 200) for rank in (1, 2, 2, 3, 200)]
    rows += [("q2", "entity", 7, 200), ("q1", "random", 90, 200), ("q2", "random", 110, 200)]
    ranked = pl.DataFrame(rows, schema=["question_id", "axis", "corpus_rank", "n_corpus"], orient="row")
    assert summarise_hardness(ranked).rows() == [
        ("entity", 1, 1, 200, 7.0, 7, 7, 0.0),
        ("period", 1, 5, 200, 2.0, 1, 200, 0.6),  # the first 1 % of 200 pages: the first two
        ("random", 2, 2, 200, 100.0, 90, 110, 0.0),
    ]
    assert summarise_hardness(ranked.clear()).schema == pl.Schema(HARDNESS.schema)


@pytest.mark.parametrize(("n_corpus", "top_share"), [(40, 0.5), (100, 0.5), (101, 1.0)])
def test_the_top_holds_at_least_one_page(n_corpus: int, top_share: float) -> None:
    ranked = pl.DataFrame(
        {"question_id": "q", "axis": "period", "corpus_rank": [1, 2], "n_corpus": n_corpus},
        schema_overrides={"corpus_rank": pl.Int64, "n_corpus": pl.Int64},
    )
    assert summarise_hardness(ranked)["top_share"].to_list() == [top_share]
