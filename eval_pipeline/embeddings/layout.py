"""A signature of a page's layout: where ink begins and ends, not which colour it has nor what it says."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from PIL import Image

from eval_pipeline.embeddings.pictures import open_rgb
from eval_pipeline.embeddings.vectors import normalise_rows
from eval_pipeline.foundation.errors import InputError
from eval_pipeline.foundation.ids import content_id
from eval_pipeline.foundation.protocols import EncodedTexts, Vectors

CODE_VERSION = "1"
GRID = 32
PAPER_WEIGHT = 0.05


class LayoutEncoder:
    """Gradients of luma on a 32 x 32 grid: numpy and Pillow only, nothing learned.

    One small constant is appended, so that a blank page has a direction of its own (all blank pages look alike) rather
    than none.
    """

    def __init__(self) -> None:
        self.name = "layout-32"
        self.dim = 2 * GRID * (GRID - 1) + 1
        self.is_trained = True
        self.encoder_id = content_id("enc", dict(self.describe()))

    def describe(self) -> Mapping[str, str | int | float | bool | None]:
        """Grid, gradient and version: everything that could change a vector."""
        return {
            "family": "layout",
            "grid": GRID,
            "gradient": "forward difference of luma in 0..1",
            "paper_weight": PAPER_WEIGHT,
            "resize": "box",
            "code_version": CODE_VERSION,
        }

    def encode_pictures(self, paths: Sequence[Path]) -> Vectors:
        """(n, 1985) float32 of unit length; a row of NaN where the picture cannot be read."""
        raw = np.full((len(paths), self.dim), np.nan, dtype=np.float64)
        for row, path in enumerate(paths):
            picture = open_rgb(path)
            if picture is not None:
                raw[row] = _sign_layout(picture)
        return normalise_rows(raw)

    def encode_texts(self, texts: Sequence[str]) -> EncodedTexts:
        """A layout has no text side.

        Raises:
            InputError: always.
        """
        message = f"{self.name} reads pictures only; {len(texts)} texts were given; use an open_clip encoder for texts"
        raise InputError(message)


def _sign_layout(picture: Image.Image) -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
    small = picture.convert("L").resize((GRID, GRID), Image.Resampling.BOX)
    luma = np.asarray(small, dtype=np.float64) / 255.0
    across, down = np.diff(luma, axis=1), np.diff(luma, axis=0)
    return np.concatenate([across.ravel(), down.ravel(), [PAPER_WEIGHT]])
