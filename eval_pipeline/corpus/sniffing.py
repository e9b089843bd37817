"""What a file is, told from its first bytes and never from its name."""

from typing import Literal

MediaType = Literal["pdf", "image"]

HEAD_BYTES = 1024
"""A PDF header may stand anywhere in the first 1,024 bytes, as viewers accept it."""

_IMAGE_MAGIC = (
    b"\x89PNG\r\n\x1a\n",
    b"\xff\xd8\xff",
    b"GIF87a",
    b"GIF89a",
    b"II*\x00",
    b"MM\x00*",
    b"II+\x00",
    b"MM\x00+",
)


def sniff_media_type(head: bytes) -> MediaType | None:
    """Media type of a file that begins with these bytes (at least `HEAD_BYTES` where the file has them), or None."""
    if head.startswith(_IMAGE_MAGIC) or (head[:4] == b"RIFF" and head[8:12] == b"WEBP"):
        return "image"
    return "pdf" if b"%PDF-" in head[:HEAD_BYTES] else None
