from eval_pipeline.demo.twelve import make_twelve
from eval_pipeline.foundation.config import load_project


def test_twelve_pages_with_small_pools(tmp_path):
    drawn = make_twelve(home=tmp_path, models=tmp_path / "none")
    config = load_project(tmp_path / "eval.yaml")
    assert drawn.n_pages == 12
    assert (config.negatives.k, config.negatives.random, config.negatives.min_negatives) == (3, 3, 2)
    assert not config.negatives.strict
