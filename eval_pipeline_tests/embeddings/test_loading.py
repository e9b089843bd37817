"""A user's own encoder is loaded by name; so is any model of open_clip with a checkpoint of one's own."""

import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from eval_pipeline.embeddings.building import quiet_logging
from eval_pipeline.embeddings.loading import load_encoder
from eval_pipeline.embeddings.threads import import_open_clip, import_torch
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


STOCK = "ViT-S-32-alt"  # the smallest of open_clip's own


@pytest.fixture(scope="module")
def stock_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project folder with a checkpoint as open_clip's training writes it; the weights are random."""
    home = tmp_path_factory.mktemp("stock")
    torch, open_clip = import_torch(), import_open_clip()
    with quiet_logging(), torch.random.fork_rng(devices=[]):
        torch.manual_seed(4)
        model = open_clip.create_model(STOCK, load_weights=False)
    state = {f"module.{name}": value.half() for name, value in model.state_dict().items()}
    (home / "weights").mkdir()
    torch.save({"epoch": 3, "name": "a run", "state_dict": state}, home / "weights" / "epoch_3.pt")
    return home


@pytest.fixture
def no_network(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Every name that is looked up and every connection that is tried; none comes about."""
    tried: list[Any] = []

    def refuse(*arguments: Any, **_: Any) -> None:
        tried.append(arguments)
        raise OSError("no network in this test")

    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    monkeypatch.setattr(socket.socket, "connect", refuse)
    return tried


def test_any_model_of_open_clip_works_with_a_checkpoint_of_ones_own(
    stock_home: Path, no_network: list[Any], tmp_path: Path, make_page: Callable[..., Path]
) -> None:
    config = EncoderConfig(model=STOCK, checkpoint="weights/epoch_3.pt", batch_size=2)
    encoder = load_encoder(config=config, home=stock_home)
    assert (encoder.name, encoder.is_trained, encoder.dim) == (f"{STOCK} epoch_3", True, 256)
    pages = [make_page(tmp_path / f"{ink}.webp", ink=ink, bars=()) for ink in ("navy", "orange")]
    theirs = _as_open_clip_does(stock_home / "weights/epoch_3.pt", pages)
    np.testing.assert_allclose(encoder.encode_pictures(pages), theirs, atol=1e-6)
    assert float(np.abs(theirs[0] - theirs[1]).max()) > 1e-4  # header alone
    assert encoder.encode_texts(["revenue"]).matrix.shape == (1, 256)
    assert no_network == []


def _as_open_clip_does(checkpoint: Path, pages: list[Path]) -> Any:
    torch, open_clip = import_torch(), import_open_clip()
    with quiet_logging():
        model, _, transform = open_clip.create_model_and_transforms(
            STOCK, pretrained=str(checkpoint), precision="fp32", image_resize_mode="squash"
        )
    model.eval()
    with torch.inference_mode():
        rows = model.encode_image(torch.stack([transform(Image.open(page).convert("RGB")) for page in pages]))
        return torch.nn.functional.normalize(rows).numpy()


def test_a_checkpoint_of_another_model_is_refused(stock_home: Path) -> None:
    config = EncoderConfig(model="ViT-S-32", checkpoint="weights/epoch_3.pt")
    with pytest.raises(ConfigError, match=r"epoch_3\.pt does not fit the configuration of 'ViT-S-32'"):
        load_encoder(config=config, home=stock_home)


def test_a_repository_of_a_hub_is_not_taken_for_a_class(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="a run fetches no repositories"):
        load_encoder(config=EncoderConfig(model="hf-hub:laion/CLIP-ViT-B-32"), home=tmp_path)
