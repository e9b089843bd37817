"""Comparison of variants: refused across denominators; effect, interval, tests, discordant questions."""

import numpy as np
import polars as pl
import pytest

from eval_pipeline.foundation.errors import InputError
from eval_pipeline.metrics.comparing import Scores, compare_all, find_detectable
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
    assert (first.mean_one, first.mean_other, first.difference, first.n, first.n_alike) == (1.0, 0.5, 0.5, 12, 6)
    assert first.one_better == first.discordant == tuple(f"q{place:03d}" for place in range(6, 12))
    assert first.other_better == ()
    assert first.interval.method == "bca"
    assert 0 < first.interval.low < 0.5 < first.interval.high < 1
    assert first.p_value == pytest.approx(2 / 64)
    assert first.p_holm == pytest.approx(min(1, 2 * first.p_value))
    assert found[1].interval.method == "constant"
    assert found[1].difference == 0.5


def test_the_interval_of_a_difference_is_that_of_the_columns_difference():
    rng = np.random.default_rng(2)
    left, right = (rng.random(80) < 0.7) * 1.0, (rng.random(80) < 0.5) * 1.0
    (found,) = compare_all({"a": scores_of("a", left), "b": scores_of("b", right)}, level=0.95, resamples=4000, seed=1)
    by_hand = [rng.choice(left - right, 80).mean() for _ in range(4000)]
    assert (found.interval.low, found.interval.high) == pytest.approx(np.quantile(by_hand, [0.025, 0.975]), abs=0.02)
    assert len(found.one_better) - len(found.other_better) == round(80 * found.difference)


def test_clusters_replace_mcnemar():
    clusters = pl.DataFrame({"question_id": [f"q{n:03d}" for n in range(4)], "cluster": ["a", "a", "b", "b"]})
    pair = {
        "a": scores_of("a", [1, 1, 1, 1], clusters=clusters),
        "b": scores_of("b", [0, 0, 0, 0], clusters=clusters),
    }
    (found,) = compare_all(pair, level=0.95, resamples=100, seed=1)
    assert (found.test, found.p_value, found.interval.method) == ("sign-flip", 0.5, "too_few_clusters")


def test_a_question_without_a_cluster_is_named():
    clusters = pl.DataFrame({"question_id": ["q000"], "cluster": ["a"]})
    pair = {name: scores_of(name, [1, 0], clusters=clusters) for name in "ab"}
    with pytest.raises(InputError, match="question q001 is in no cluster"):
        compare_all(pair, level=0.95, resamples=100, seed=1)


def test_one_variant_or_no_question_gives_no_comparison():
    assert compare_all({"a": scores_of("a", [1])}, level=0.95, resamples=100, seed=1) == []
    assert compare_all({}, level=0.95, resamples=100, seed=1) == []
    none = {name: scores_of(name, []) for name in "ab"}
    assert compare_all(none, level=0.95, resamples=100, seed=1) == []


def test_what_could_be_detected_stands_beside_the_difference():
    left = np.repeat([1.0, 0.0], 100)
    right = np.concatenate([left[:80], 1 - left[80:120], left[120:]])
    exact = find_detectable(left, right, clusters=None)
    assert (exact.difference, exact.discordance, exact.method) == (0.092, 0.2, "mcnemar")
    clustered = find_detectable(left, right, clusters=np.arange(200).astype(np.str_))
    differences = left - right
    assert clustered.method == "normal"
    assert clustered.difference == pytest.approx(2.8016 * differences.std(ddof=1) / np.sqrt(200), rel=1e-3)
    whole = find_detectable(left, right, clusters=np.repeat(np.arange(50), 4).astype(np.str_))
    assert whole.difference > 1.9 * clustered.difference


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
