"""Where models come from: what is refused, and what the message tells the user to do."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from eval_pipeline.embeddings.sources import find_source
from eval_pipeline.embeddings.threads import import_open_clip
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
        ({"model": "vit-b32"}, "no open_clip model, did you mean 'ViT-B-32'"),
        ({"model": "RN50", "pretrained": "nope"}, "its tags: openai"),
        ({"model": "ViT-B-32", "pretrained": "laion2b_s34b_b79"}, "did you mean 'laion2b_s34b_b79k'"),
        ({"model": "hf-hub:laion/CLIP-ViT-B-32"}, "a run fetches no repositories.*'local-dir:PATH'"),
        ({"model": "roberta-ViT-B-32"}, "roberta-base of the Hugging Face hub, and nothing is fetched"),
        ({"model": "ViT-B-16-SigLIP"}, "nothing is fetched that was not asked for"),
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


@pytest.mark.parametrize("name", ["w.safetensors", "models/page-clip/open_clip_model.safetensors"])
def test_a_file_that_is_no_safetensors_file_is_named(home: Path, name: str) -> None:
    (home / name).write_text("version https://git-lfs.github.com/spec/v1")
    with pytest.raises(ConfigError, match=r"is no readable safetensors file .* copy it again"):
        find_source(config=EncoderConfig(checkpoint=name if name == "w.safetensors" else None), home=home)


def test_a_text_tower_from_the_hub_is_refused_in_a_model_directory_too(home: Path) -> None:
    file = home / "models/page-clip/open_clip_config.json"
    content = json.loads(file.read_text())
    content["model_cfg"]["text_cfg"]["hf_model_name"] = "roberta-base"
    file.write_text(json.dumps(content))
    with pytest.raises(ConfigError, match="made from roberta-base of the Hugging Face hub"):
        find_source(config=EncoderConfig(), home=home)


@pytest.fixture
def fetched(home: Path, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What is asked of the hub, which is not reached: it answers with a file that was there before."""
    asked: list[Any] = []
    (home / "fetched.pt").write_bytes(b"weights")

    def download(tag: Any, *_: Any, **__: Any) -> str:
        asked.append(tag)
        return str(home / "fetched.pt")

    monkeypatch.setattr(import_open_clip(), "download_pretrained", download)
    return asked


def test_weights_are_fetched_for_a_tag_and_for_nothing_else(home: Path, fetched: list[Any]) -> None:
    (home / "own.pt").write_bytes(b"weights")
    for declared in ({}, {"model": "ViT-B-32"}, {"model": "ViT-B-32", "checkpoint": "own.pt"}):
        find_source(config=EncoderConfig(**declared), home=home)
    assert fetched == []
    source = find_source(config=EncoderConfig(model="ViT-B-32-quickgelu", pretrained="openai"), home=home)
    assert [tag["quick_gelu"] for tag in fetched] == [True]
    assert source.weights == home / "fetched.pt"
    assert source.preprocess_cfg["resize_mode"] == "squash"


def test_a_hub_that_is_not_there_tells_the_way_round_it(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def download(*_: Any, **__: Any) -> str:
        raise OSError("no route to host")

    monkeypatch.setattr(import_open_clip(), "download_pretrained", download)
    with pytest.raises(ConfigError, match=r"could not be fetched \(no route to host\).*under encoder\.checkpoint"):
        find_source(config=EncoderConfig(model="ViT-B-32-quickgelu", pretrained="openai"), home=home)
