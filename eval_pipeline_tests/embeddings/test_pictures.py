"""Paper stays white, 16-bit grey stays grey, and what is no picture is None."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from eval_pipeline.embeddings.building import build_model
from eval_pipeline.embeddings.pictures import open_rgb, squash_picture
from eval_pipeline.embeddings.sources import find_source
from eval_pipeline.foundation.config import EncoderConfig


def test_transparent_paper_is_white(tmp_path: Path) -> None:
    Image.new("RGBA", (4, 4), (200, 0, 0, 0)).save(tmp_path / "a.png")
    picture = open_rgb(tmp_path / "a.png")
    assert picture is not None
    assert picture.getpixel((1, 1)) == (255, 255, 255)


def test_sixteen_bit_grey_is_scaled(tmp_path: Path) -> None:
    Image.fromarray(np.array([[0, 32768, 65535]], dtype=np.uint16)).save(tmp_path / "g.png")
    picture = open_rgb(tmp_path / "g.png")
    assert picture is not None
    assert [picture.getpixel((x, 0)) for x in range(3)] == [(0, 0, 0), (127, 127, 127), (255, 255, 255)]


@pytest.mark.parametrize("content", [b"", b"no picture", None])
def test_what_cannot_be_read_is_none(tmp_path: Path, content: bytes | None) -> None:
    if content is not None:
        (tmp_path / "x.png").write_bytes(content)
    assert open_rgb(tmp_path / "x.png") is None


def test_squashing_equals_the_transform_of_the_shipped_encoder(data_dir: Path, tmp_path: Path) -> None:
    noise = np.random.default_rng(0).integers(0, 256, (110, 85, 3), dtype=np.uint8)
    Image.fromarray(noise).resize((425, 550)).save(tmp_path / "page.png")
    picture = open_rgb(tmp_path / "page.png")
    assert picture is not None
    built = build_model(find_source(config=EncoderConfig(), home=data_dir), seed=0)
    tensor = built.transform(picture).numpy().transpose(1, 2, 0)
    pixels = (tensor * np.array(built.preprocess_cfg["std"]) + np.array(built.preprocess_cfg["mean"])) * 255
    np.testing.assert_array_equal(squash_picture(picture, 192), np.round(pixels).astype(np.uint8))
