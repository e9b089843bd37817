"""Where models come from: what is refused, and what the message tells the user to do."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from eval_pipeline.embeddings.sources import find_source
from eval_pipeline.foundation.config import EncoderConfig
from eval_pipeline.foundation.errors import ConfigError


@pytest.fixture
def home(tmp_path: Path, data_dir: Path) -> Path:
    shutil.copytree(data_dir / "models" / "page-clip", tmp_path / "models" / "page-clip")
    for weights in (tmp_path / "models" / "page-clip").glob("*.safetensors"):
        weights.unlink()
    return tmp_path


def test_a_model_directory_brings_its_vocabulary_and_keeps_the_whole_page(home: Path) -> None:
    source = find_source(config=EncoderConfig(), home=home)
    assert source.bpe_path == home / "models/page-clip/bpe.txt.gz"
    assert source.preprocess_cfg["resize_mode"] == "squash"
    assert source.weights is None
    assert source.quick_gelu is False


def test_emb_06_a_tag_trained_with_another_activation_is_refused_before_it_is_fetched(home: Path) -> None:
    with pytest.raises(ConfigError, match="ViT-B-32-quickgelu") as caught:
        find_source(config=EncoderConfig(model="ViT-B-32", pretrained="openai"), home=home)
    assert caught.value.key == "encoder.model"


@pytest.mark.parametrize("spelling", ["named", "metadata"])
def test_emb_06_a_file_that_says_its_activation_is_refused_by_another_model(home: Path, spelling: str) -> None:
    import numpy as np
    from safetensors.numpy import save_file

    name = "vit_b_32-quickgelu.safetensors" if spelling == "named" else "w.safetensors"
    metadata = {"quick_gelu": "true"} if spelling == "metadata" else None
    save_file({"x": np.zeros(1, np.float32)}, home / name, metadata=metadata)
    with pytest.raises(ConfigError, match="trained with QuickGELU, but 'page-clip' is built with GELU"):
        find_source(config=EncoderConfig(checkpoint=name), home=home)


@pytest.mark.parametrize(
    ("declared", "said"),
    [
        ({"model": "local-dir:models/none"}, "copy a model directory"),
        ({"model": "local-dir:../outside"}, "climbs out"),
        ({"pretrained": "openai"}, "brings its own weights"),
        ({"checkpoint": "w.safetensors"}, "w.safetensors is not a file"),
        ({"model": "ViT-Z"}, "no open_clip model"),
        ({"model": "RN50", "pretrained": "nope"}, "its tags: openai"),
        ({"model": "RN50", "pretrained": "openai", "checkpoint": "x.pt"}, "not both"),
    ],
)
def test_a_wrong_declaration_is_named(home: Path, declared: dict[str, Any], said: str) -> None:
    with pytest.raises(ConfigError, match=said) as caught:
        find_source(config=EncoderConfig(**declared), home=home)
    assert str(caught.value).startswith("eval.yaml: encoder.")


@pytest.mark.parametrize("content", ["{", "[]", json.dumps({"model_cfg": {"embed_dim": 4}})])
def test_a_broken_configuration_is_named(home: Path, content: str) -> None:
    (home / "models/page-clip/open_clip_config.json").write_text(content)
    with pytest.raises(ConfigError, match=r"open_clip_config\.json"):
        find_source(config=EncoderConfig(), home=home)


def test_a_page_is_never_cropped(home: Path) -> None:
    file = home / "models/page-clip/open_clip_config.json"
    content = json.loads(file.read_text())
    content["preprocess_cfg"]["resize_mode"] = "shortest"
    file.write_text(json.dumps(content))
    assert find_source(config=EncoderConfig(), home=home).preprocess_cfg["resize_mode"] == "squash"
    assert find_source(config=EncoderConfig(model="RN50"), home=home).preprocess_cfg["resize_mode"] == "squash"
