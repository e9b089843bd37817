import io
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from reportlab.pdfgen.canvas import Canvas

from eval_pipeline.corpus.pdfs import DrawnPage, PageRefused, draw_pdf_page, find_damage, open_pdf


def draw_all(path: Path, dpi: int = 72, max_pixels: int = 12_000_000) -> list[DrawnPage | str]:
    document = open_pdf(path)
    pages: list[DrawnPage | str] = []
    for index in range(len(document)):
        try:
            pages.append(draw_pdf_page(document, index=index, dpi=dpi, max_pixels=max_pixels))
        except PageRefused as refused:
            pages.append(refused.reason)
    document.close()
    return pages


def test_ing_01_pages_without_area_are_refused_and_the_others_keep_their_numbers(case_files: Path) -> None:
    pages = draw_all(case_files / "ING-01_zero_size_pages.pdf")
    assert [page if isinstance(page, str) else page.text for page in pages] == [
        *("PAGE-1", "page has no area", "PAGE-3", "page has no area", "PAGE-5")
    ]


def test_ing_02_giant_pages_are_scaled_down_before_they_are_drawn(case_files: Path) -> None:
    pages = draw_all(case_files / "ING-02_giant_pages.pdf", dpi=100, max_pixels=1_000_000)
    drawn = [page for page in pages if isinstance(page, DrawnPage)]
    assert [page.text for page in drawn] == ["PAGE-1", "GIANT-2", "STRIP-3", "USERUNIT-4", "PAGE-5"]
    for page in drawn:
        assert page.picture.width * page.picture.height <= 1_020_000
        assert page.dpi is not None
    assert [bool(page.notes) for page in drawn] == [False, True, True, False, False]
    assert drawn[1].picture.size == (1000, 1000)
    assert drawn[1].dpi == pytest.approx(5.0)


def test_ing_03_a_user_password_is_refused_and_an_owner_password_is_not(case_files: Path) -> None:
    with pytest.raises(PageRefused) as caught:
        open_pdf(case_files / "ING-03_user_password.pdf")
    assert caught.value.reason == "password required"
    pages = draw_all(case_files / "ING-03_owner_only.pdf")
    assert [page.text for page in pages if isinstance(page, DrawnPage)] == ["LOCKED-1", "LOCKED-2"]


def test_ing_05_picture_and_text_are_what_a_viewer_shows(case_files: Path) -> None:
    pages = [page for page in draw_all(case_files / "ING-05_rotate_and_cropbox.pdf") if isinstance(page, DrawnPage)]
    assert [page.picture.size for page in pages] == [(612, 792), (792, 612), (792, 612), (612, 396)]
    assert ["ROT-90" in pages[1].text, "ROT-270" in pages[2].text] == [True, True]
    assert pages[3].text == ""
    assert np.asarray(pages[3].picture).min() == 255
    assert np.asarray(pages[0].picture).min() < 100


def test_text_inside_the_crop_box_stays_and_text_outside_goes(tmp_path: Path) -> None:
    data = io.BytesIO()
    canvas = Canvas(data, pagesize=(200, 200), cropBox=(0, 0, 200, 100))
    canvas.drawString(20, 150, "outside the crop")
    canvas.drawString(20, 50, "inside the crop")
    canvas.drawString(20, 400, "off the page")
    canvas.save()
    (tmp_path / "crop.pdf").write_bytes(data.getvalue())
    pages = draw_all(tmp_path / "crop.pdf")
    assert [page.text for page in pages if isinstance(page, DrawnPage)] == ["inside the crop"]


def test_a_filled_in_form_field_is_pictured(tmp_path: Path) -> None:
    data = io.BytesIO()
    canvas = Canvas(data, pagesize=(200, 100))
    canvas.drawString(10, 80, "label")
    canvas.acroForm.textfield(name="a", value="FILLED 123", x=10, y=20, width=150, height=30, borderWidth=0)
    canvas.showPage()
    canvas.save()
    (tmp_path / "form.pdf").write_bytes(data.getvalue())
    page = draw_all(tmp_path / "form.pdf")[0]
    assert isinstance(page, DrawnPage)
    assert (np.asarray(page.picture)[50:80] < 100).any()
    assert page.text == "label"


@pytest.mark.parametrize("share", [0.02, 0.3, 0.6])
def test_a_truncated_file_is_refused_or_noted(tmp_path: Path, case_files: Path, share: float) -> None:
    data = (case_files / "ING-08_400_pages.pdf").read_bytes()
    path = tmp_path / "cut.pdf"
    path.write_bytes(data[: int(len(data) * share)])
    try:
        open_pdf(path).close()
    except PageRefused as refused:
        assert refused.reason in {"damaged file", "no pages"}  # noqa: PT017 (either outcome is honest)
    assert find_damage(path, "pdf") == ["the end of the file is missing: it may be cut off and have lost pages"]
    assert find_damage(case_files / "ING-08_400_pages.pdf", "pdf") == []


def test_find_damage_says_nothing_of_images(tmp_path: Path) -> None:
    data = io.BytesIO()
    Image.new("RGB", (2, 2)).save(data, format="PNG")
    (tmp_path / "a.png").write_bytes(data.getvalue())
    assert find_damage(tmp_path / "a.png", "image") == []
