"""Open a stored picture as encoders read it: RGB, transparency on white, 16-bit grey scaled down."""

from pathlib import Path

import numpy as np
import numpy.typing as npt
from PIL import Image


def open_rgb(path: Path) -> Image.Image | None:
    """Read a picture, or return None where it cannot be read.

    A plain conversion would turn transparent paper black and 16-bit grey white; here paper stays paper.
    """
    try:
        with Image.open(path) as picture:
            picture.load()
            return _to_rgb(picture)
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return None  # the caller leaves a row of NaN, which is refused by picture and recorded


def squash_picture(picture: Image.Image, size: int) -> npt.NDArray[np.uint8]:
    """(size, size, 3) uint8: what the transform of a squashing encoder makes of a picture before it is normalised."""
    return np.asarray(_to_rgb(picture).resize((size, size), Image.Resampling.BICUBIC), dtype=np.uint8)


def _to_rgb(picture: Image.Image) -> Image.Image:
    if picture.mode.startswith("I") or picture.mode == "F":
        values = np.asarray(picture, dtype=np.float64)
        top = 255.0 if values.size and values.max() <= 255.0 else 65535.0
        return Image.fromarray(np.clip(values * (255.0 / top), 0, 255).astype(np.uint8)).convert("RGB")
    if picture.mode in {"RGBA", "LA", "PA", "La", "RGBa"} or "transparency" in picture.info:
        layers = picture.convert("RGBA")
        paper = Image.new("RGBA", layers.size, "white")
        return Image.alpha_composite(paper, layers).convert("RGB")
    return picture.convert("RGB")
