from pathlib import Path

import pypdfium2
import pytest

from eval_pipeline.corpus.pdfs import draw_pdf_page, open_pdf
from eval_pipeline.corpus.quality import rate_text

PROSE = "The registrant has filed all reports required to be filed during the preceding twelve months. " * 8


@pytest.mark.parametrize(
    ("text", "quality"),
    [
        ("", "missing"),
        (" \n ", "missing"),
        ("37", "good"),
        (PROSE, "good"),
        ("1,234 5,678 (910) $ 11.2 %", "good"),
        ("売上高は前年同期比で増加しました。", "good"),
        ("\ufffd\ufffd\ufffd abc", "garbled"),
        ("\ue001\ue002\ue003 12", "garbled"),
        (PROSE.translate(str.maketrans("aeiouytnrs", "bcdfgaqxzj")), "garbled"),
        (PROSE + "\ufffd", "good"),
        ("USD EUR JPY GBP CHF CZK", "good"),
    ],
)
def test_rate_text_gives(text: str, quality: str) -> None:
    assert rate_text(text) == quality


@pytest.mark.parametrize(
    ("name", "pages", "quality"),
    [
        ("MCDONALDS_2022Q4_EARNINGS", range(9), "garbled"),
        ("FOOTLOCKER_2022_8K_dated-2022-05-20", range(4), "good"),
        ("AMAZON_2017_10K", (0, 37, 39), "good"),
        ("NETFLIX_2017_10K", (44, 69), "good"),
    ],
)
def test_glyph_codes_are_told_from_text_on_real_filings(
    sample_dir: Path, name: str, pages: range, quality: str
) -> None:
    document: pypdfium2.PdfDocument = open_pdf(sample_dir / "pdfs" / f"{name}.pdf")
    texts = [draw_pdf_page(document, index=index, dpi=36, max_pixels=1000).text for index in pages]
    document.close()
    assert [rate_text(text) for text in texts] == [quality] * len(pages)
