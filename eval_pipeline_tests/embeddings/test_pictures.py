"""Paper stays white, 16-bit grey stays grey, and what is no picture is None."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from eval_pipeline.embeddings.pictures import open_rgb


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
