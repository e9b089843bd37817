"""Paired tests: exact where they can be, never 0, never NaN; refused across denominators."""

import numpy as np
import polars as pl
import pytest
from scipy.stats import permutation_test

from eval_pipeline.foundation.errors import InputError
from eval_pipeline.metrics.comparing import Scores, compare_all, correct_holm, mcnemar_p, share_values, sign_flip_p
from eval_pipeline.metrics.denominators import Denominator


def a_denominator(**changes):
    parts = {
        "question_set_id": "qset_1",
        "n": 3,
        "arena_id": "arenas_1",
        "batch_id": "batch_1",
        "label_snapshot_id": "labels_1",
        "contract_id": "ctr_1",
    }
    return Denominator(**{**parts, **changes})


def scores_of(name, values, **changes):
    questions = [f"q{place:03d}" for place in range(len(values))]
    frame = pl.DataFrame({"question_id": questions, "value": [float(value) for value in values]})
    return Scores(name=name, values=frame, denominator=a_denominator(), **changes)


def test_mcnemar_worked_values():
    assert mcnemar_p(np.array([1.0] * 5), np.array([0.0] * 5)) == pytest.approx(0.0625)
    assert mcnemar_p(np.array([1.0, 0.0]), np.array([1.0, 0.0])) == 1.0
    assert mcnemar_p(np.array([1.0, 0.0]), np.array([0.0, 1.0])) == 1.0


def test_convention_29_three_equal_differences_give_a_quarter():
    assert sign_flip_p(np.array([0.1, 0.1, 0.1]), clusters=None, resamples=1000, seed=0) == 0.25


def test_convention_28_identical_systems_give_one_not_nan():
    assert sign_flip_p(np.zeros(20), clusters=None, resamples=1000, seed=0) == 1.0


def test_conventions_26_and_27_p_is_never_zero_and_the_seed_has_an_effect():
    differences = np.full(200, 0.2)
    assert sign_flip_p(differences, clusters=None, resamples=1000, seed=1) == pytest.approx(1 / 1001)
    noisy = np.random.default_rng(0).normal(0.05, 1, 100)
    found = [sign_flip_p(noisy, clusters=None, resamples=1000, seed=seed) for seed in (42, 42, 42, 43)]
    assert found[0] == found[1] == found[2] != found[3]


def test_small_sign_flips_are_scipys_exact_ones():
    differences = np.random.default_rng(3).normal(0.3, 1, 9)
    theirs = permutation_test(
        (differences,), np.mean, permutation_type="samples", n_resamples=np.inf, alternative="two-sided"
    )
    ours = sign_flip_p(differences, clusters=None, resamples=10, seed=0)
    assert ours == pytest.approx(theirs.pvalue, abs=1e-12)


def test_whole_clusters_flip():
    differences = np.array([0.1] * 6)
    clusters = np.array(["a", "a", "b", "b", "c", "c"])
    assert sign_flip_p(differences, clusters=clusters, resamples=100, seed=0) == 0.25
    assert sign_flip_p(differences, clusters=None, resamples=100, seed=0) == 2 / 64


def test_holm_worked_value_and_order():
    assert correct_holm(np.array([0.01, 0.04, 0.03])) == pytest.approx([0.03, 0.06, 0.06])
    assert correct_holm(np.array([0.6, 0.7])) == pytest.approx([1.0, 1.0])
    assert correct_holm(np.array([])).tolist() == []


def test_every_pair_is_compared_and_corrected():
    ones = {
        "a": scores_of("a", [1] * 12),
        "b": scores_of("b", [1] * 6 + [0] * 6),
        "c": scores_of("c", [0.5] * 12),
    }
    found = compare_all(ones, level=0.95, resamples=500, seed=1)
    assert [(pair.one, pair.other, pair.test) for pair in found] == [
        ("a", "b", "mcnemar"),
        ("a", "c", "sign-flip"),
        ("b", "c", "sign-flip"),
    ]
    first = found[0]
    assert (first.difference, first.n, first.n_alike) == (0.5, 12, 6)
    assert first.discordant == tuple(f"q{place:03d}" for place in range(6, 12))
    assert first.interval.method == "bca"
    assert 0 < first.interval.low < 0.5 < first.interval.high < 1
    assert first.p_value == pytest.approx(2 / 64)
    assert first.p_holm == pytest.approx(min(1, 2 * first.p_value))
    assert found[1].interval.method == "constant"


def test_clusters_replace_mcnemar():
    clusters = pl.DataFrame({"question_id": [f"q{n:03d}" for n in range(4)], "cluster": ["a", "a", "b", "b"]})
    pair = {
        "a": scores_of("a", [1, 1, 1, 1], clusters=clusters),
        "b": scores_of("b", [0, 0, 0, 0], clusters=clusters),
    }
    (found,) = compare_all(pair, level=0.95, resamples=100, seed=1)
    assert (found.test, found.p_value, found.interval.method) == ("sign-flip", 0.5, "too_few_clusters")


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"label_snapshot_id": "labels_2"}, r"the label snapshot \(labels_1 and labels_2\)"),
        ({"arena_id": "arenas_2"}, "the arena"),
        ({"n": 4, "question_set_id": "qset_2"}, "the questions with a value .*; the number of questions"),
        ({"batch_id": "batch_2"}, "the corpus snapshot"),
        ({"contract_id": "ctr_2"}, "the contract"),
    ],
)
def test_different_denominators_are_refused_and_the_difference_named(changes, says):
    other = scores_of("b", [1, 0, 1])
    moved = Scores(name="b", values=other.values, denominator=a_denominator(**changes))
    with pytest.raises(InputError, match=says):
        compare_all({"a": scores_of("a", [1, 1, 1]), "b": moved}, level=0.95, resamples=100, seed=0)


def test_the_shared_questions_can_be_named():
    assert share_values({"a": scores_of("a", [1, 1, 1]), "b": scores_of("b", [1, 1])}) == ("q000", "q001")
    assert share_values({}) == ()
