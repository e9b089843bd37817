import numpy as np
import pytest

from eval_pipeline.metrics.validation.error_rate import (
    alarms_of_pair,
    cluster_names,
    draw_equal_clustered,
    draw_equal_grades,
    draw_equal_shares,
    false_alarms,
    prove_error_rate,
)


@pytest.mark.parametrize("draw", [draw_equal_shares, draw_equal_grades, draw_equal_clustered])
def test_equal_variants_are_equal(draw):
    rng = np.random.default_rng(0)
    means = np.array([draw(rng).mean(axis=0) for _ in range(100)])
    assert means.shape == (100, 10)
    assert np.ptp(means.mean(axis=0)) < 0.02


def test_one_alarm_is_counted_however_many_pairs_differ():
    def unequal(rng):
        return (rng.random((200, 3)) < [0.1, 0.5, 0.9]) * 1.0

    assert false_alarms(unequal, n_sets=5, seed=0) == 1.0


def test_clusters_that_stick_together_must_be_flipped_whole():
    """Tested singly, the same sets raise false alarms: this is what the resampling unit is for."""
    singly = false_alarms(draw_equal_clustered, n_sets=100, seed=0)
    assert singly > 0.1
    assert len(set(cluster_names(60))) == 60


def test_a_planted_difference_is_seen_more_often_than_none():
    assert alarms_of_pair(n_sets=200, seed=0, difference=0.1) > 0.75
    assert alarms_of_pair(n_sets=200, seed=0, difference=0.0) < 0.1


@pytest.mark.slow
def test_error_rate_in_full():
    proof = prove_error_rate(n_sets=1000)
    assert [line.what for line in proof.lines if not line.is_inside] == []
