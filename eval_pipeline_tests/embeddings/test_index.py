"""Exact search against brute force, with ties, copies and depths beyond the corpus."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eval_pipeline.embeddings.index import score_pairs, score_rows, score_units, search_exact
from eval_pipeline.embeddings.vectors import accept_vectors, normalise_rows
from eval_pipeline.foundation.errors import LineageError
from eval_pipeline.foundation.protocols import RankedUnit, UnitVectors


def brute_force(corpus: UnitVectors, query: np.ndarray, depth: int) -> list[tuple[str, float]]:
    scores = [
        float(np.float32(sum(float(a) * float(b) for a, b in zip(row, query, strict=True)))) for row in corpus.matrix
    ]
    pairs = sorted(zip(corpus.unit_ids.tolist(), scores, strict=True), key=lambda pair: (-pair[1], pair[0]))
    return pairs[:depth]


def as_pairs(ranking: list[RankedUnit]) -> list[tuple[str, float]]:
    return [(unit.unit_id, unit.score) for unit in ranking]


def test_emb_05_scores_that_half_precision_would_tie_are_ordered(case_files: Path) -> None:
    docs, query = np.load(case_files / "EMB-05_near_tied_docs.npy"), np.load(case_files / "EMB-05_query.npy")
    corpus = accept_vectors(unit_ids=["1", "2", "3", "4"], matrix=docs, encoder_id="e").vectors
    (ranking,) = search_exact(corpus=corpus, queries=normalise_rows(query.reshape(1, -1)), depth=4)
    assert [unit.unit_id for unit in ranking] == ["4", "3", "2", "1"]


def test_idx_02_raw_vectors_are_ordered_by_cosine_and_refused_unscaled(case_files: Path) -> None:
    raw = np.load(case_files / "IDX-02_float64_fortran_unnormalised.npy")
    query = normalise_rows(np.load(case_files / "IDX-02_query.npy").reshape(1, -1))
    accepted = accept_vectors(unit_ids=["1", "2", "3", "4"], matrix=raw, encoder_id="e").vectors
    assert [unit.unit_id for unit in search_exact(corpus=accepted, queries=query, depth=9)[0]] == ["1", "2", "3", "4"]
    unscaled = UnitVectors(unit_ids=accepted.unit_ids, matrix=raw.astype(np.float32, order="C"), encoder_id="e")
    with pytest.raises(LineageError, match="unit length"):
        search_exact(corpus=unscaled, queries=query, depth=2)
    wide = UnitVectors(unit_ids=accepted.unit_ids, matrix=raw, encoder_id="e")
    with pytest.raises(LineageError, match="float32"):
        search_exact(corpus=wide, queries=query, depth=2)


@settings(max_examples=40, deadline=None)
@given(n=st.integers(1, 60), depth=st.integers(1, 70), seed=st.integers(0, 999), n_distinct=st.integers(1, 60))
def test_search_equals_brute_force_with_copies(n: int, depth: int, seed: int, n_distinct: int) -> None:
    rng = np.random.default_rng(seed)
    distinct = normalise_rows(rng.normal(size=(n_distinct, 6)))
    matrix = np.ascontiguousarray(distinct[rng.integers(0, n_distinct, n)])
    ids = rng.permutation([f"u{row:03d}" for row in range(n)])
    corpus = UnitVectors(unit_ids=ids, matrix=matrix, encoder_id="e")
    queries = normalise_rows(rng.normal(size=(3, 6)))
    found = search_exact(corpus=corpus, queries=queries, depth=depth)
    assert [as_pairs(ranking) for ranking in found] == [brute_force(corpus, query, depth) for query in queries]


def test_many_copies_at_the_last_place_fall_to_the_smallest_ids(make_vectors: Callable[..., UnitVectors]) -> None:
    one = make_vectors(1).matrix
    ids = np.array([f"u{row:03d}" for row in range(200)][::-1])
    corpus = UnitVectors(unit_ids=ids, matrix=np.repeat(one, 200, axis=0), encoder_id="e")
    (ranking,) = search_exact(corpus=corpus, queries=one, depth=3)
    assert [unit.unit_id for unit in ranking] == ["u000", "u001", "u002"]


def test_scores_on_demand_equal_those_of_the_search(make_vectors: Callable[..., UnitVectors]) -> None:
    corpus = make_vectors(30)
    query = make_vectors(1, seed=5).matrix
    (ranking,) = search_exact(corpus=corpus, queries=query, depth=30)
    wanted = [unit.unit_id for unit in ranking][::-1]
    assert score_units(corpus=corpus, query=query[0], unit_ids=wanted) == dict(as_pairs(ranking))
    assert score_units(corpus=corpus, query=query[0], unit_ids=[]) == {}
    with pytest.raises(KeyError, match="gone"):
        score_units(corpus=corpus, query=query[0], unit_ids=["gone"])


def test_nothing_to_search_and_other_dimensions(make_vectors: Callable[..., UnitVectors]) -> None:
    empty = UnitVectors(unit_ids=np.array([], dtype=np.str_), matrix=np.empty((0, 16), np.float32), encoder_id="e")
    assert search_exact(corpus=empty, queries=make_vectors(2).matrix, depth=5) == [[], []]
    assert search_exact(corpus=make_vectors(3), queries=make_vectors(2).matrix, depth=0) == [[], []]
    with pytest.raises(LineageError, match="16 dimensions, queries 8"):
        search_exact(corpus=make_vectors(3), queries=make_vectors(2, dim=8).matrix, depth=1)


def test_a_score_does_not_depend_on_its_neighbours(make_vectors: Callable[..., UnitVectors]) -> None:
    left, right = make_vectors(50).matrix, make_vectors(50, seed=1).matrix
    together = score_pairs(left, right)
    alone = np.concatenate([score_pairs(left[row : row + 1], right[row : row + 1]) for row in range(50)])
    np.testing.assert_array_equal(together, alone)


@settings(max_examples=40, deadline=None)
@given(n=st.integers(1, 40), dim=st.sampled_from([2, 5, 16, 33, 128, 512]), seed=st.integers(0, 99))
def test_a_score_of_two_rows_depends_on_these_two_only(n: int, dim: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    matrix = normalise_rows(rng.normal(size=(n, dim)))
    left, right = rng.integers(0, n, size=50), rng.integers(0, n, size=50)
    scores = score_rows(matrix, left, right)
    np.testing.assert_allclose(scores, score_pairs(matrix[left], matrix[right]), atol=1e-6)
    assert scores.tolist() == score_rows(matrix, right, left).tolist()
    order = rng.permutation(n)
    moved, place = np.ascontiguousarray(matrix[order]), np.argsort(order)
    alone = [score_rows(moved, place[left[k : k + 1]], place[right[k : k + 1]])[0] for k in range(50)]
    assert scores.tolist() == alone


def test_no_pairs_have_no_scores() -> None:
    nobody = np.zeros(0, dtype=np.int64)
    assert len(score_rows(np.ones((1, 2), dtype=np.float32), nobody, nobody)) == 0
