import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from eval_pipeline.corpus.images import count_frames, draw_frame, open_image, to_rgb
from eval_pipeline.corpus.pdfs import DrawnPage, PageRefused

CAPS = {"max_pixels": 12_000_000, "image_pixels": 150_000_000}


def draw(path: Path, index: int = 0, **caps: int) -> DrawnPage:
    with open_image(path, max_pixels=caps.get("image_pixels", CAPS["image_pixels"])) as image:
        return draw_frame(image, index=index, **{**CAPS, **caps})


def difference(first: Image.Image, second: Image.Image) -> np.ndarray[Any, Any]:
    return np.abs(np.asarray(first, dtype=int) - np.asarray(second, dtype=int))


def test_img_01_exif_orientation_is_applied(case_files: Path) -> None:
    turned, upright = draw(case_files / "IMG-01_exif6.jpg"), draw(case_files / "IMG-01_upright.png")
    assert turned.picture.size == upright.picture.size == (620, 420)
    assert difference(turned.picture, upright.picture).mean() < 3


def test_img_02_sixteen_bit_grey_is_scaled(case_files: Path) -> None:
    deep, twin = draw(case_files / "IMG-02_gray16.png"), draw(case_files / "IMG-02_gray8_twin.png")
    assert difference(deep.picture, twin.picture).max() < 2
    assert len(np.unique(np.asarray(deep.picture))) > 1
    assert deep.notes == ()


def test_img_03_cmyk_keeps_its_colours(case_files: Path) -> None:
    cmyk, twin = draw(case_files / "IMG-03_cmyk.jpg"), draw(case_files / "IMG-03_rgb_twin.png")
    assert cmyk.picture.mode == "RGB"
    means = [np.asarray(page.picture, dtype=float).mean(axis=(0, 1)) for page in (cmyk, twin)]
    assert np.abs(means[0] - means[1]).max() < 5


def test_img_05_the_limits_stay_on(case_files: Path) -> None:
    with pytest.raises(PageRefused) as caught:
        draw(case_files / "IMG-05_20000x20000_1bit.png")
    assert caught.value.reason == "too many pixels"
    assert Image.MAX_IMAGE_PIXELS is not None
    with pytest.raises(PageRefused, match="12000 x 9000 pixels, the limit is 1,000,000"):
        draw(case_files / "IMG-05_12000x9000_1bit.png", image_pixels=1_000_000)
    page = draw(case_files / "IMG-05_12000x9000_1bit.png", max_pixels=120_000)
    assert page.picture.size == (400, 300)
    assert page.notes == ("scaled from 12000 x 9000 pixels to stay within the pixel cap",)


def test_img_07_every_page_of_a_tiff_and_the_first_frame_of_a_gif(case_files: Path) -> None:
    with open_image(case_files / "IMG-07_three_pages.tif", max_pixels=10**8) as image:
        assert count_frames(image) == 3
        pages = [draw_frame(image, index=index, **CAPS).picture for index in (0, 1, 2)]
    assert len({page.tobytes() for page in pages}) == 3
    with open_image(case_files / "IMG-07_two_frames.gif", max_pixels=10**8) as image:
        assert count_frames(image) == 1
        assert draw_frame(image, index=0, **CAPS).notes == ("first of 2 frames",)


@pytest.mark.parametrize("mode", ["RGBA", "LA"])
def test_transparency_is_laid_on_white(mode: str) -> None:
    picture = to_rgb(Image.new("RGBA", (2, 2), (0, 0, 0, 0)).convert(mode))
    assert picture.getpixel((0, 0)) == (255, 255, 255)


def test_a_transparent_palette_colour_is_white() -> None:
    image = Image.new("P", (2, 2), 0)
    image.putpalette([10, 20, 30, 200, 0, 0])
    image.putpixel((1, 1), 1)
    image.info["transparency"] = 0
    picture = to_rgb(image)
    assert picture.getpixel((0, 0)) == (255, 255, 255)
    assert picture.getpixel((1, 1)) == (200, 0, 0)


def test_grey_of_unknown_depth_is_stretched_and_noted(tmp_path: Path) -> None:
    values = np.array([[0.0, 0.5], [1.0, np.nan]], dtype=np.float32)
    Image.fromarray(values).save(tmp_path / "f.tif")
    page = draw(tmp_path / "f.tif")
    assert [page.picture.getpixel((x, 0)) for x in (0, 1)] == [(0, 0, 0), (128, 128, 128)]
    assert page.notes[0].startswith("grey of unknown depth")


def test_a_cut_off_picture_is_refused(tmp_path: Path) -> None:
    data = io.BytesIO()
    Image.effect_noise((200, 200), 50).save(data, format="PNG")
    (tmp_path / "cut.png").write_bytes(data.getvalue()[:2000])
    (tmp_path / "head.png").write_bytes(data.getvalue()[:12])
    for name in ("cut.png", "head.png"):
        with pytest.raises(PageRefused) as caught:
            draw(tmp_path / name)
        assert caught.value.reason == "damaged file"
