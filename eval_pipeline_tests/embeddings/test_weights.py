"""Weights are written in half precision, say what they fit, and come back."""

import shutil
from pathlib import Path

import pytest
from safetensors import safe_open

from eval_pipeline.embeddings.building import build_model
from eval_pipeline.embeddings.loading import load_encoder
from eval_pipeline.embeddings.sources import find_source
from eval_pipeline.embeddings.threads import import_torch
from eval_pipeline.embeddings.weights import save_weights
from eval_pipeline.foundation.config import EncoderConfig


@pytest.fixture
def home(tmp_path: Path, data_dir: Path) -> Path:
    shutil.copytree(data_dir / "models" / "page-clip", tmp_path / "models" / "page-clip")
    for weights in (tmp_path / "models" / "page-clip").glob("*.safetensors"):
        weights.unlink()
    return tmp_path


def test_saved_weights_are_found_loaded_and_make_the_model_trained(home: Path) -> None:
    torch = import_torch()
    before = load_encoder(config=EncoderConfig(), home=home)
    source = find_source(config=EncoderConfig(), home=home)
    built = build_model(source, seed=5)
    path = save_weights(built=built, source=source, folder=home / "models/page-clip", notes={"steps": "3"})
    first = path.read_bytes()
    assert len(first) < 8_000_000
    with safe_open(path, framework="numpy") as file:
        assert file.metadata() == {"format": "pt", "quick_gelu": "false", "steps": "3"}
        assert {file.get_slice(name).get_dtype() for name in file.keys()} == {"F16", "I64"}  # noqa: SIM118
    found = find_source(config=EncoderConfig(), home=home)
    assert found.weights == path
    assert found.weights_quick_gelu is False
    loaded = build_model(found, seed=0).model.state_dict()
    for name, value in built.model.state_dict().items():
        assert torch.equal(loaded[name], value.half().float() if value.is_floating_point() else value), name
    after = load_encoder(config=EncoderConfig(), home=home)
    assert after.is_trained
    assert not before.is_trained
    assert after.encoder_id != before.encoder_id
    assert "untrained" not in after.name
    save_weights(built=built, source=source, folder=home / "models/page-clip", notes={"steps": "3"})
    assert path.read_bytes() == first
