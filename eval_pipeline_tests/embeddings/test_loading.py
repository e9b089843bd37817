"""A user's own encoder is loaded by name."""

from pathlib import Path

import pytest

from eval_pipeline.embeddings.loading import load_encoder
from eval_pipeline.foundation.config import EncoderConfig
from eval_pipeline.foundation.errors import ConfigError


def test_a_class_of_ones_own_is_given_config_and_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "own_encoder_module.py").write_text(
        "class Own:\n    def __init__(self, *, config, home):\n        self.encoder_id = config.model\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    made = load_encoder(config=EncoderConfig(model="own_encoder_module:Own"), home=tmp_path)
    assert made.encoder_id == "own_encoder_module:Own"


def test_a_class_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"encoder\.model: cannot load 'no_such_module:Own'"):
        load_encoder(config=EncoderConfig(model="no_such_module:Own"), home=tmp_path)
