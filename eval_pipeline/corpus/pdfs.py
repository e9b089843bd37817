"""One page of a PDF: its picture and its text layer. Not thread-safe: call it in a process of its own."""

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pypdfium2
from PIL import Image

from eval_pipeline.corpus.cleaning import clean_text
from eval_pipeline.corpus.pictures import fit_scale

POINTS_PER_INCH = 72.0
TAIL_BYTES = 2048
"""Where a whole file ends with `%%EOF`, give or take what mail programs and servers append."""


class PageRefused(Exception):
    """A page or a file that is not taken.

    Attributes:
        reason: short reason for the quarantine.
        next_step: what to do about it.
    """

    def __init__(self, detail: str, *, reason: str, next_step: str) -> None:
        super().__init__(detail)
        self.reason = reason
        self.next_step = next_step


@dataclass(frozen=True, kw_only=True)
class DrawnPage:
    """What was read of one page.

    Attributes:
        picture: RGB.
        text: cleaned text layer; empty without one.
        dpi: pixels per inch of the picture; None where the source does not say.
        notes: what a reader should know.
    """

    picture: Image.Image
    text: str
    dpi: float | None
    notes: tuple[str, ...] = ()


def open_pdf(path: Path) -> Any:
    """Open a PDF without a password; one that has only an owner password opens.

    Form fields are drawn as they are filled in; PDFium counts them as no part of the text layer.

    Raises:
        PageRefused: a password is required, the file is damaged or truncated, or it has no pages.
    """
    try:
        document = pypdfium2.PdfDocument(path)
    except pypdfium2.PdfiumError as error:
        if "password" in str(error).lower():
            detail = "a user password is needed to open it"
            step = "bring a copy without password"
            raise PageRefused(detail, reason="password required", next_step=step) from error
        detail = f"PDFium cannot open it: {error}"
        step = "check that the file is complete and opens in a viewer, then bring it again"
        raise PageRefused(detail, reason="damaged file", next_step=step) from error
    if len(document) == 0:
        document.close()
        step = "check that the file is complete, then bring it again"
        raise PageRefused("it opens, but holds no page", reason="no pages", next_step=step)
    if document.get_formtype() != pypdfium2.raw.FORMTYPE_NONE:
        document.init_forms()
    return document


def find_damage(path: Path, media_type: str) -> list[str]:
    """Notes on a file that opens although it looks cut off: PDFium mends what it can and may lose pages in silence."""
    if media_type != "pdf":
        return []
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - TAIL_BYTES))
        is_whole = b"%%EOF" in file.read()
    return [] if is_whole else ["the end of the file is missing: it may be cut off and have lost pages"]


def draw_pdf_page(document: Any, *, index: int, dpi: int, max_pixels: int) -> DrawnPage:
    """Draw one page as a viewer shows it (rotation and crop box kept) and read the text inside the crop box.

    Args:
        document: from `open_pdf`.
        index: 0-based.
        dpi: wanted resolution; lowered where the pixel cap asks for it, before anything is allocated.
        max_pixels: cap on width x height.

    Raises:
        PageRefused: the page cannot be loaded or has no area.
    """
    try:
        page = document[index]
    except pypdfium2.PdfiumError as error:
        step = "check the page in a viewer; the others are taken"
        raise PageRefused(f"PDFium cannot load it: {error}", reason="damaged page", next_step=step) from error
    try:
        _check_area(page)
        width, height = page.get_size()
        wanted = dpi / POINTS_PER_INCH
        scale = fit_scale(width=width, height=height, scale=wanted, max_pixels=max_pixels)
        text = _read_text(page)
        picture = _draw(page, scale)
    finally:
        page.close()
    notes = () if scale == wanted else (f"drawn at {scale * POINTS_PER_INCH:.2f} dpi to stay within the pixel cap",)
    return DrawnPage(picture=picture, text=text, dpi=scale * POINTS_PER_INCH, notes=notes)


def _check_area(page: Any) -> None:
    for name, box in (("MediaBox", page.get_mediabox(fallback_ok=False)), ("CropBox", page.get_cropbox(False))):
        if box is not None and (abs(box[2] - box[0]) <= 0 or abs(box[3] - box[1]) <= 0):
            detail = f"its {name} {tuple(round(side, 2) for side in box)} has no area"
            step = "give the page a size, or leave it out; the others are taken"
            raise PageRefused(detail, reason="page has no area", next_step=step)
    width, height = page.get_size()
    if not (math.isfinite(width) and math.isfinite(height) and width > 0 and height > 0):
        detail = f"its size is {width} x {height} points"
        raise PageRefused(detail, reason="page has no area", next_step="give the page a size; the others are taken")


def _draw(page: Any, scale: float) -> Image.Image:
    bitmap = page.render(scale=scale, rev_byteorder=True)
    try:
        return bitmap.to_pil().convert("RGB")  # type: ignore[no-any-return]  # PDFium's wrapper is untyped
    finally:
        bitmap.close()


def _read_text(page: Any) -> str:
    """Text inside the crop box; the bounded read spells a line-end hyphen as U+0002, the whole read as U+FFFE."""
    layer = page.get_textpage()
    try:
        whole, inside = layer.get_text_range(), layer.get_text_bounded()
    finally:
        layer.close()
    if whole.replace("\ufffe", "\x02") == inside:
        return clean_text(whole)
    return clean_text(inside.replace("\x02", "\ufffe"))
