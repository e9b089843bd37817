"""The process that reads documents: one JSON request a line in, one JSON reply a line out.

It holds one document open at a time and writes each picture as soon as it is drawn, so its memory does not grow with
the number of pages. An error that it does not know ends it; whoever asked then refuses the page and starts another.
"""

import json
import sys
from pathlib import Path
from typing import Any

from PIL import Image

from eval_pipeline.corpus.images import count_frames, draw_frame, open_image
from eval_pipeline.corpus.pdfs import DrawnPage, PageRefused, draw_pdf_page, find_damage, open_pdf
from eval_pipeline.corpus.pictures import hash_picture, store_picture
from eval_pipeline.foundation.files import FileStore
from eval_pipeline.foundation.ids import hash_file, hash_text

Reply = dict[str, Any]


class CannotStore(Exception):
    """A picture cannot be written: a fault of this machine, not of the page."""


class DocumentReader:
    """Opens documents and reads their pages, one document at a time.

    Args:
        home: the project folder, into which pictures are written.
        dpi: wanted resolution of PDF pages.
        page_pixels: cap on a stored picture.
        image_pixels: limit on an image file.
    """

    def __init__(self, *, home: Path, dpi: int, page_pixels: int, image_pixels: int) -> None:
        self._store = FileStore(home=home)
        self._dpi, self._page_pixels, self._image_pixels = dpi, page_pixels, image_pixels
        self._key: tuple[str, str] | None = None
        self._document: Any = None

    def open(self, *, path: str, media_type: str, content_hash: str) -> int:
        """Open a document unless it is the open one; return its number of pages.

        Raises:
            PageRefused: the file is gone, is no longer what it was when it arrived, or cannot be read.
        """
        if self._key != (path, content_hash):
            self.close()
            _check_content(path, content_hash)
            if media_type == "pdf":
                self._document = open_pdf(Path(path))
            else:
                self._document = open_image(Path(path), max_pixels=self._image_pixels)
            self._key = (path, content_hash)
        return len(self._document) if media_type == "pdf" else count_frames(self._document)

    def read(self, *, media_type: str, index: int) -> Reply:
        """Draw and read one page of the open document and store its picture; `index` is 0-based.

        Returns:
            picture_hash, picture_path, text, text_hash, width_px, height_px, dpi, notes.

        Raises:
            PageRefused: the page is not taken.
        """
        page = self._draw(media_type, index)
        picture_hash = hash_picture(page.picture)
        return {
            "picture_hash": picture_hash,
            "picture_path": self._keep(page.picture, picture_hash),
            "text": page.text,
            "text_hash": hash_text(page.text),
            "width_px": page.picture.width,
            "height_px": page.picture.height,
            "dpi": page.dpi,
            "notes": list(page.notes),
        }

    def _keep(self, picture: Image.Image, picture_hash: str) -> str:
        try:
            return store_picture(store=self._store, picture=picture, picture_hash=picture_hash)
        except OSError as error:
            raise CannotStore(str(error)) from error

    def _draw(self, media_type: str, index: int) -> DrawnPage:
        if media_type == "pdf":
            return draw_pdf_page(self._document, index=index, dpi=self._dpi, max_pixels=self._page_pixels)
        image: Image.Image = self._document
        return draw_frame(image, index=index, max_pixels=self._page_pixels, image_pixels=self._image_pixels)

    def close(self) -> None:
        """Close the open document, if any."""
        if self._document is not None:
            self._document.close()
        self._key = self._document = None


def _check_content(path: str, content_hash: str) -> None:
    step = "nothing: the next run takes the file as it then is"
    try:
        found = hash_file(Path(path))
    except OSError as error:
        detail = "it was there when the corpus was scanned"
        raise PageRefused(detail, reason="file is gone", next_step=step) from error
    if found != content_hash:
        detail = f"its bytes differ from when the corpus was scanned ({found[:12]}, not {content_hash[:12]})"
        raise PageRefused(detail, reason="file changed", next_step=step)


def answer(reader: DocumentReader, request: Reply) -> Reply:
    """Answer one request: index -1 gives `n_pages` and notes, 0 and more a page; a refusal its reason."""
    index, media_type = request["index"], request["media_type"]
    try:
        n_pages = reader.open(path=request["path"], media_type=media_type, content_hash=request["content_hash"])
        if index < 0:
            return {"n_pages": n_pages, "notes": find_damage(Path(request["path"]), media_type)}
        return reader.read(media_type=media_type, index=index)
    except CannotStore as error:
        return {"cannot_store": str(error)}
    except PageRefused as refused:
        return {"reason": refused.reason, "detail": str(refused), "next_step": refused.next_step}


def main() -> None:
    """Serve requests from standard input until it closes; the first line holds the settings of the reader."""
    settings = json.loads(sys.stdin.readline())
    reader = DocumentReader(home=Path(settings.pop("home")), **settings)
    _say({"ready": True})
    for line in sys.stdin:
        _say(answer(reader, json.loads(line)))


def _say(reply: Reply) -> None:
    sys.stdout.write(json.dumps(reply) + "\n")
    sys.stdout.flush()
