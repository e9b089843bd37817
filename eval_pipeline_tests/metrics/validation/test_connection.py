"""The connection with 60 templates; the whole of it is `eval-pipeline validate`."""

import pytest

from eval_pipeline.metrics.validation.connection import NAIVE, SIBLINGS, SKILLS, prove_connection, trace_family


@pytest.fixture(scope="module")
def family():
    return trace_family(seed=1, n_templates=60)


def test_only_the_figure_among_siblings_moves(family):
    points, n_short = family
    naive, ours = [p.naive.estimate for p in points], [p.siblings.estimate for p in points]
    assert [p.skill for p in points] == list(SKILLS)
    assert n_short == 0
    assert ours == sorted(ours)
    assert ours[0] == pytest.approx(1 / 11, abs=0.08)
    assert ours[-1] == 1.0
    assert min(naive) > 0.88


def test_a_figure_is_what_the_arenas_and_measures_say(family):
    point = family[0][5]
    assert (NAIVE, SIBLINGS) == (("random", "top@1"), ("siblings", "sufficient@1"))
    assert (point.naive.measure, point.siblings.measure) == ("top@1", "sufficient@1")
    assert point.siblings.n_scored == point.siblings.n_questions == 120
    assert point.siblings.interval.method == "wilson"
    assert set(point.siblings.rows["n_candidates"]) == {11}


def test_telling_apart_follows_its_closed_form(family):
    """Of 10 siblings each is confused with chance 1 - s; the answer is first among them: E[1 / (1 + B(10, 1 - s))]."""
    for point in family[0]:
        miss = 1 - point.skill
        expected = 1.0 if miss == 0 else (1 - (1 - miss) ** 11) / (11 * miss)
        assert point.siblings.estimate == pytest.approx(expected, abs=0.12)


def test_a_family_that_moves_in_the_naive_test_is_outside(family):
    points, n_short = family
    assert prove_connection(points, n_short).lines[1].is_inside
    turned = [type(p)(skill=p.skill, naive=p.siblings, siblings=p.naive) for p in points]
    proof = prove_connection(turned, 3)
    assert [line.is_inside for line in proof.lines[:2]] == [False, False]
    assert not proof.lines[-1].is_inside


@pytest.mark.slow
def test_connection_in_full():
    assert prove_connection(*trace_family()).holds
