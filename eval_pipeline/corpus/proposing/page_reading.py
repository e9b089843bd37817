"""Pages counted and read in this process, without drawing anything: a first look, not the reading of a corpus."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from eval_pipeline.corpus.cleaning import clean_text
from eval_pipeline.corpus.globs import locate_document
from eval_pipeline.corpus.quality import rate_text
from eval_pipeline.corpus.sniffing import HEAD_BYTES, sniff_media_type


@dataclass(frozen=True, kw_only=True)
class PageCounts:
    """How many pages documents have.

    Attributes:
        pages: by relative path.
        refused: why a document cannot be opened, by relative path.
    """

    pages: Mapping[str, int]
    refused: Mapping[str, str]

    @property
    def n_pages(self) -> int:
        """Pages of all documents that open."""
        return sum(self.pages.values())


@dataclass(kw_only=True)
class _Counting:
    pages: dict[str, int] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)


def count_pages(*, home: Path, paths: Sequence[str], image_pixels: int) -> PageCounts:
    """Open each document and ask for its number of pages.

    Args:
        home: the folder.
        paths: relative paths of PDFs and images, told apart by their first bytes.
        image_pixels: limit on an image file.
    """
    from eval_pipeline.corpus.pdfs import PageRefused

    counted = _Counting()
    for relative in paths:
        path = locate_document(home=home, source_path=relative)
        if path is None:
            counted.refused[relative] = "it is gone"
            continue
        try:
            counted.pages[relative] = _count(path, image_pixels)
        except (PageRefused, OSError) as error:
            counted.refused[relative] = str(error)
    return PageCounts(pages=counted.pages, refused=counted.refused)


def _count(path: Path, image_pixels: int) -> int:
    from eval_pipeline.corpus.images import count_frames, open_image
    from eval_pipeline.corpus.pdfs import PageRefused, open_pdf

    match _media_type(path):
        case "pdf":
            document = open_pdf(path)
            try:
                return len(document)
            finally:
                document.close()
        case None:
            detail = "its first bytes are neither those of a PDF nor of a known image format"
            raise PageRefused(detail, reason="unknown format", next_step="bring it as PDF or as an image")
        case _:
            with open_image(path, max_pixels=image_pixels) as image:
                return count_frames(image)


def _media_type(path: Path) -> str | None:
    with path.open("rb") as opened:
        return sniff_media_type(opened.read(HEAD_BYTES))


def sample_pages(*, pages: Mapping[str, int], n: int) -> dict[str, tuple[int, ...]]:
    """At most `n` pages in all, evenly spaced over all pages in order of path; 0-based, by path."""
    every = [(path, index) for path in sorted(pages) for index in range(pages[path])]
    chosen = every if len(every) <= n else [every[(2 * place + 1) * len(every) // (2 * n)] for place in range(n)]
    found: dict[str, list[int]] = {}
    for path, index in chosen:
        found.setdefault(path, []).append(index)
    return {path: tuple(indexes) for path, indexes in found.items()}


def read_texts(*, home: Path, wanted: Mapping[str, Sequence[int]]) -> dict[tuple[str, int], str]:
    """Text layers of pages of PDFs that can be read as text, by path and 0-based page; others have no entry."""
    from eval_pipeline.corpus.pdfs import PageRefused, open_pdf

    texts: dict[tuple[str, int], str] = {}
    for relative, indexes in wanted.items():
        path = locate_document(home=home, source_path=relative)
        if path is None or _media_type(path) != "pdf":
            continue
        try:
            document = open_pdf(path)
        except PageRefused:
            continue  # told by `count_pages`
        try:
            found = {index: _read(document, index) for index in indexes if 0 <= index < len(document)}
        finally:
            document.close()
        texts |= {(relative, index): text for index, text in found.items() if rate_text(text) == "good"}
    return texts


def _read(document: Any, index: int) -> str:
    import pypdfium2

    try:
        page = document[index]
        layer = page.get_textpage()
        try:
            return clean_text(layer.get_text_range())
        finally:
            layer.close()
            page.close()
    except pypdfium2.PdfiumError:
        return ""
