"""The layout signature sees where things stand, not their colour."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from eval_pipeline.embeddings.layout import LayoutEncoder
from eval_pipeline.foundation.errors import InputError

MakePage = Callable[..., Path]


def test_other_colours_are_near_and_another_layout_is_far(tmp_path: Path, make_page: MakePage) -> None:
    paths = [
        make_page(tmp_path / "a.webp", ink="navy"),
        make_page(tmp_path / "b.webp", ink="darkgreen", title="Margin"),
        make_page(tmp_path / "c.webp", bars=()),
    ]
    rows = LayoutEncoder().encode_pictures(paths)
    assert rows.shape == (3, 3970)
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1.0, atol=1e-6)
    assert float(rows[0] @ rows[1]) > 0.9
    assert float(rows[0] @ rows[2]) < 0.75


def test_blank_pages_look_alike_and_an_unreadable_one_has_no_row(tmp_path: Path) -> None:
    Image.new("RGB", (50, 70), "white").save(tmp_path / "a.png")
    Image.new("RGB", (80, 90), "white").save(tmp_path / "b.png")
    (tmp_path / "c.png").write_bytes(b"broken")
    rows = LayoutEncoder().encode_pictures([tmp_path / "a.png", tmp_path / "c.png", tmp_path / "b.png"])
    assert float(rows[0] @ rows[2]) == pytest.approx(1.0)
    assert np.isnan(rows[1]).all()


def test_it_has_no_text_side_and_one_id() -> None:
    assert LayoutEncoder().encoder_id == LayoutEncoder().encoder_id
    with pytest.raises(InputError, match="pictures only"):
        LayoutEncoder().encode_texts(["a"])


def test_a_table_with_more_rows_is_another_layout_and_each_half_has_half_of_the_length(tmp_path: Path) -> None:
    def draw(name: str, *, n_rows: int) -> Path:
        picture = Image.new("L", (256, 256), 255)
        for row in range(n_rows):
            for stroke in range(20):
                x, y = 40 + 8 * stroke, 40 + 8 * row
                picture.paste(0, (x, y, x + 2, y + 4))
        picture.save(tmp_path / name)
        return tmp_path / name

    paths = [draw("a.png", n_rows=16), draw("b.png", n_rows=20)]
    rows = LayoutEncoder().encode_pictures(paths).astype(np.float64)
    half = rows.shape[1] // 2
    np.testing.assert_allclose(np.linalg.norm(rows[:, :half], axis=1), np.sqrt(0.5), atol=1e-6)
    np.testing.assert_allclose(np.linalg.norm(rows[:, half:], axis=1), np.sqrt(0.5), atol=1e-6)
    assert float(rows[0] @ rows[1]) < 0.95
