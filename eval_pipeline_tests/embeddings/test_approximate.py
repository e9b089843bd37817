import numpy as np
import pytest

from eval_pipeline.embeddings.approximate import ApproximateIndex, Hnsw, IvfPq
from eval_pipeline.embeddings.index import search_exact
from eval_pipeline.foundation.errors import InputError
from eval_pipeline.foundation.protocols import UnitVectors

GOOD = Hnsw(m=32, ef_construction=80, ef_search=200)
CODES = IvfPq(n_lists=8, n_probes=4, n_parts=4, n_bits=6)


def some_vectors(n: int, seed: int = 0, dim: int = 16) -> UnitVectors:
    matrix = np.random.default_rng(seed).normal(size=(n, dim))
    matrix /= np.linalg.norm(matrix, axis=1, keepdims=True)
    names = np.array([f"u{place:04d}" for place in range(n)])
    return UnitVectors(unit_ids=names, matrix=np.ascontiguousarray(matrix, dtype=np.float32), encoder_id="enc")


@pytest.mark.parametrize("parameters", [GOOD, Hnsw(m=2, ef_construction=1, ef_search=1), CODES])
def test_found_units_have_the_scores_of_exact_search_and_its_order(parameters: Hnsw | IvfPq) -> None:
    corpus, queries = some_vectors(300), some_vectors(5, seed=1).matrix
    exact = search_exact(corpus=corpus, queries=queries, depth=300)
    for found, every in zip(ApproximateIndex(corpus, parameters).search(queries, 20), exact, strict=True):
        names = {unit.unit_id for unit in found}
        assert found == [unit for unit in every if unit.unit_id in names]
        assert len(names) == len(found) <= 20


def test_a_good_graph_finds_all_and_a_poor_one_does_not() -> None:
    corpus, queries = some_vectors(600), some_vectors(10, seed=1).matrix
    exact = [{unit.unit_id for unit in found} for found in search_exact(corpus=corpus, queries=queries, depth=20)]

    def recall(parameters: Hnsw) -> float:
        lists = ApproximateIndex(corpus, parameters).search(queries, 20)
        shares = [len(best & {unit.unit_id for unit in found}) / 20 for best, found in zip(exact, lists, strict=True)]
        return sum(shares) / len(shares)

    assert recall(GOOD) == 1.0
    assert recall(Hnsw(m=2, ef_construction=1, ef_search=1)) < 0.9


@pytest.mark.parametrize("parameters", [Hnsw(m=4, ef_construction=4, ef_search=4), CODES])
def test_the_order_of_arrival_changes_nothing(parameters: Hnsw | IvfPq) -> None:
    corpus, queries = some_vectors(300), some_vectors(5, seed=1).matrix
    turned = np.random.default_rng(3).permutation(300)
    other = UnitVectors(unit_ids=corpus.unit_ids[turned], matrix=corpus.matrix[turned], encoder_id="enc")
    mine, theirs = ApproximateIndex(corpus, parameters), ApproximateIndex(other, parameters)
    assert mine.search(queries, 20) == theirs.search(queries, 20)


def test_fewer_units_than_asked_for_leave_no_gap() -> None:
    lists = ApproximateIndex(some_vectors(3), GOOD).search(some_vectors(1, seed=1).matrix, 10)
    assert [len(found) for found in lists] == [3]
    assert ApproximateIndex(some_vectors(0), GOOD).search(some_vectors(2, seed=1).matrix, 10) == [[], []]


def test_too_few_vectors_for_codes_and_a_wrong_number_of_parts_are_told() -> None:
    with pytest.raises(InputError, match="needs 256 vectors, the corpus has 60"):
        ApproximateIndex(some_vectors(60), IvfPq(n_lists=8, n_bits=8, n_parts=4))
    with pytest.raises(InputError, match="n_parts 5 does not divide the 16 dimensions"):
        ApproximateIndex(some_vectors(60), IvfPq(n_lists=2, n_bits=2, n_parts=5))
