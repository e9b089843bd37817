"""One raster per unit: RGB, hashed by its pixels, stored as lossless WebP."""

import io
import math

from PIL import Image

from eval_pipeline.foundation.files import FileStore
from eval_pipeline.foundation.ids import hash_bytes

WEBP_METHOD = 1
"""Beats PNG in size and time on document pages; higher methods cost much and save little."""
MAX_SIDE_PX = 16_383
"""No WebP is longer on a side."""


def hash_picture(picture: Image.Image) -> str:
    """SHA-256 of width, height and RGB pixels: independent of the file format that stores them.

    Args:
        picture: mode RGB.
    """
    assert picture.mode == "RGB", picture.mode
    return hash_bytes(b"%dx%d\n" % picture.size + picture.tobytes())


def store_picture(*, store: FileStore, picture: Image.Image, picture_hash: str) -> str:
    """Write the picture unless it is there; return its path relative to the project folder."""
    relative = store.path_of("pictures", picture_hash, ".webp")
    if (store.home / relative).exists():
        return relative
    data = io.BytesIO()
    picture.save(data, format="WEBP", lossless=True, method=WEBP_METHOD, quality=0, exact=True)
    return store.put("pictures", picture_hash, ".webp", data.getvalue())


def fit_scale(*, width: float, height: float, scale: float, max_pixels: int) -> float:
    """Largest scale, at most the wanted one, that keeps a raster within the pixel cap and within what WebP holds.

    Args:
        width: of the page, in its own unit (points).
        height: in the same unit.
        scale: wanted pixels per unit.
        max_pixels: cap on width x height.
    """
    by_area = math.sqrt(max_pixels / (width * height))
    return min(scale, by_area, MAX_SIDE_PX / max(width, height))
