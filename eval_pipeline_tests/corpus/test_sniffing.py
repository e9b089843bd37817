import io

import pytest
from PIL import Image

from eval_pipeline.corpus.sniffing import sniff_media_type


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "GIF", "TIFF", "WEBP"])
def test_pictures_are_known_by_their_bytes(kind: str) -> None:
    data = io.BytesIO()
    Image.new("RGB", (2, 2)).save(data, format=kind)
    assert sniff_media_type(data.getvalue()) == "image"


@pytest.mark.parametrize(
    ("head", "kind"),
    [
        *[(b"%PDF-1.7\n", "pdf"), (b"\n\nmail header\n%PDF-1.4", "pdf"), (b" " * 1020 + b"%PDF-", None)],
        *[(b"", None), (b"PK\x03\x04", None), (b"<html>", None), (b"RIFF....WAVE", None)],
    ],
)
def test_pdfs_are_known_by_their_bytes(head: bytes, kind: str | None) -> None:
    assert sniff_media_type(head) == kind
