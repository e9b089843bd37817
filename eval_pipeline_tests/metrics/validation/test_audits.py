import numpy as np
import pytest

from eval_pipeline.metrics.validation.audits import draw_labelled, prove_audit


@pytest.mark.parametrize("is_lenient", [False, True])
def test_the_model_agrees_in_84_of_100_pairs(is_lenient):
    rng = np.random.default_rng(0)
    sets = [draw_labelled(rng, k=1, share=0.6, is_lenient=is_lenient) for _ in range(50)]
    assert np.mean([(one.truth == one.guess).mean() for one in sets]) == pytest.approx(0.84, abs=0.01)
    assert np.mean([one.truth.mean() for one in sets]) == pytest.approx(0.6, abs=0.01)


def test_five_units_err_more_often_than_one():
    found = draw_labelled(np.random.default_rng(0), k=5, share=0.2)
    assert (found.truth == found.guess).mean() < 0.84
    assert found.truth.mean() == pytest.approx(1 - 0.8**5, abs=0.05)


def test_quick_lines_are_inside():
    proof = prove_audit(n_sets=100, seed=1)
    assert [line.what for line in proof.lines if not line.is_inside] == []
    widths = [line.value for line in proof.lines if "width" in line.what]
    assert max(widths) < 0.95


@pytest.mark.slow
def test_audit_in_full():
    proof = prove_audit(n_sets=1000)
    assert [line.what for line in proof.lines if not line.is_inside] == []
