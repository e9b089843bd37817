from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from eval_pipeline.corpus.pictures import MAX_SIDE_PX, fit_scale, hash_picture, store_picture
from eval_pipeline.foundation.files import FileStore


def a_picture(width: int = 7, height: int = 5) -> Image.Image:
    values = np.random.default_rng(0).integers(0, 256, (height, width, 3), dtype=np.uint8)
    return Image.fromarray(values)


def test_the_stored_picture_has_the_same_pixels_and_hash(tmp_path: Path) -> None:
    picture = a_picture()
    name = hash_picture(picture)
    relative = store_picture(store=FileStore(home=tmp_path), picture=picture, picture_hash=name)
    assert relative == f"derived/pictures/{name[:2]}/{name}.webp"
    with Image.open(tmp_path / relative) as stored:
        assert stored.format == "WEBP"
        assert hash_picture(stored.convert("RGB")) == name


def test_the_hash_covers_size_and_pixels() -> None:
    ground = Image.new("RGB", (4, 6))
    assert hash_picture(ground) != hash_picture(Image.new("RGB", (6, 4)))
    other = ground.copy()
    other.putpixel((3, 5), (0, 0, 1))
    assert hash_picture(ground) != hash_picture(other)


def test_a_picture_that_is_there_is_not_written_again(tmp_path: Path) -> None:
    store = FileStore(home=tmp_path)
    relative = store_picture(store=store, picture=a_picture(), picture_hash="ab")
    (tmp_path / relative).write_bytes(b"kept")
    assert store_picture(store=store, picture=a_picture(), picture_hash="ab") == relative
    assert (tmp_path / relative).read_bytes() == b"kept"


@given(st.floats(1, 1e6), st.floats(1, 1e6), st.floats(0.1, 10), st.integers(1000, 10**8))
def test_fit_scale_keeps_both_caps(width: float, height: float, scale: float, cap: int) -> None:
    fitted = fit_scale(width=width, height=height, scale=scale, max_pixels=cap)
    assert 0 < fitted <= scale
    assert width * height * fitted**2 <= cap * (1 + 1e-9)
    assert max(width, height) * fitted <= MAX_SIDE_PX * (1 + 1e-9)


def test_fit_scale_leaves_a_page_that_fits() -> None:
    assert fit_scale(width=612, height=792, scale=100 / 72, max_pixels=12_000_000) == pytest.approx(100 / 72)
