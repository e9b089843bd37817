"""Pictures inside the page."""

import base64
import io

import pytest
from PIL import Image

from eval_pipeline.report.pictures import PictureBook
from eval_pipeline_tests.report.conftest import draw_page


def open_uri(uri):
    head, _, data = uri.partition(",")
    assert head == "data:image/webp;base64"
    return Image.open(io.BytesIO(base64.b64decode(data)))


def test_a_picture_is_made_small_and_keeps_its_shape(tmp_path):
    path = draw_page(tmp_path / "page.png", title="Revenue", bars=(10, 40))
    picture = PictureBook().show(path, width_px=200)
    assert (picture.width_px, picture.height_px) == (200, 283)
    assert open_uri(picture.uri).size == (200, 283)


def test_a_small_picture_keeps_its_size(tmp_path):
    path = draw_page(tmp_path / "page.png", title="", bars=(), size=(90, 120))
    assert PictureBook().show(path, width_px=200).width_px == 90


@pytest.mark.parametrize("name", ["100%25 sure #1?.png", 'Q3 "final" Δ.png', "a+b & c.png", "o'neil;x.png"])
def test_case_lab_05_any_file_name_shows(tmp_path, name):
    picture = PictureBook().show(draw_page(tmp_path / name, title=name, bars=(3,)), width_px=100)
    assert picture.reason == ""
    assert open_uri(picture.uri).width == 100


def test_case_img_01_a_turned_photo_is_upright(case_files):
    turned = PictureBook().show(case_files / "IMG-01_exif6.jpg", width_px=1000)
    upright = PictureBook().show(case_files / "IMG-01_upright.png", width_px=1000)
    assert (turned.width_px, turned.height_px) == (upright.width_px, upright.height_px)


def test_a_transparent_ground_is_white(tmp_path):
    Image.new("RGBA", (4, 4), (0, 0, 0, 0)).save(tmp_path / "page.png")
    assert open_uri(PictureBook().show(tmp_path / "page.png", width_px=10).uri).convert("RGB").getpixel((1, 1)) == (
        255,
        255,
        255,
    )


def test_what_cannot_be_shown_is_named(tmp_path):
    (tmp_path / "half.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    book = PictureBook()
    assert book.show(None, width_px=10).reason == "no picture of this page is stored"
    assert (
        book.show(tmp_path / "gone.webp", width_px=10).reason == "gone.webp is not on disk; run 'eval-pipeline doctor'"
    )
    assert book.show(tmp_path / "half.png", width_px=10).reason.startswith("half.png cannot be read as a picture")


def test_a_picture_is_made_once(tmp_path):
    path, book = draw_page(tmp_path / "page.png", title="", bars=()), PictureBook()
    assert book.show(path, width_px=50) is book.show(path, width_px=50)
