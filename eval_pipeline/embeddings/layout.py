"""A signature of a page's layout: where ink begins and ends, not which colour it has nor what it says."""

from collections.abc import Mapping, Sequence
from itertools import chain
from pathlib import Path

import numpy as np
import numpy.typing as npt
from PIL import Image

from eval_pipeline.embeddings.decoding import decode_ahead
from eval_pipeline.embeddings.pictures import open_rgb
from eval_pipeline.embeddings.threads import prepare_threads
from eval_pipeline.embeddings.vectors import normalise_rows
from eval_pipeline.foundation.errors import InputError
from eval_pipeline.foundation.ids import content_id
from eval_pipeline.foundation.protocols import EncodedTexts, Vectors

CODE_VERSION = "2"
GRID = 32
FINE = 4
EDGE = 0.08
BLUR = np.array([1.0, 4.0, 6.0, 4.0, 1.0]) / 16.0
PAPER_WEIGHT = 0.05
BATCH_SIZE = 32
"""Pictures that are decoded together; no part of a signature."""


class LayoutEncoder:
    """Where luma changes on a 32 x 32 grid: numpy and Pillow only, nothing learned.

    Cells hold the share of their points where luma changes by more than a threshold, so a thin line counts as much as
    a solid header, and a company's colours hardly count; they are blurred by about one cell, so that text one line
    lower stays near; the gradient of that is one half of the signature. The other half is made alike of cells that hold
    whether there is any such point: how many rows a table has shows there, how dense its rows are does not. Each half
    has half of the squared length.
    (The plain gradient of luma let headers outweigh thin content. Shares alone left two statements of one house style
    0.13 apart, less than pages of one chart layout; presence alone tore apart statements of real filings whose rows
    are shaded: ADR 0007.)
    One small constant is appended to each half, so that a blank page has a direction of its own (all blank pages look
    alike) rather than none.
    """

    def __init__(self) -> None:
        self.name = "layout-32"
        self.dim = 2 * (2 * GRID * (GRID - 1) + 1)
        self.is_trained = True
        self.encoder_id = content_id("enc", dict(self.describe()))

    def describe(self) -> Mapping[str, str | int | float | bool | None]:
        """Grid, gradient and version: everything that could change a vector."""
        return {
            "family": "layout",
            "grid": GRID,
            "points_per_cell": FINE * FINE,
            "edge": EDGE,
            "blur": "binomial 1 4 6 4 1",
            "cells": "share, presence",
            "gradient": "forward difference",
            "paper_weight": PAPER_WEIGHT,
            "resize": "box",
            "code_version": CODE_VERSION,
        }

    def encode_pictures(self, paths: Sequence[Path]) -> Vectors:
        """(n, 3970) float32 of unit length; a row of NaN where the picture cannot be read."""
        raw = np.full((len(paths), self.dim), np.nan, dtype=np.float64)
        batches = decode_ahead(paths, _decode, batch_size=BATCH_SIZE, n_threads=prepare_threads())
        for row, small in enumerate(chain.from_iterable(batches)):
            if small is not None:
                raw[row] = _sign_layout(small)
        return normalise_rows(raw)

    def encode_texts(self, texts: Sequence[str]) -> EncodedTexts:
        """A layout has no text side.

        Raises:
            InputError: always.
        """
        message = f"{self.name} reads pictures only; {len(texts)} texts were given; use an open_clip encoder for texts"
        raise InputError(message)


def _decode(path: Path) -> npt.NDArray[np.uint8] | None:
    picture = open_rgb(path)
    if picture is None:
        return None
    side = GRID * FINE
    return np.asarray(picture.convert("L").resize((side, side), Image.Resampling.BOX), dtype=np.uint8)


def _sign_layout(small: npt.NDArray[np.uint8]) -> npt.NDArray[np.float64]:
    luma = small.astype(np.float64) / 255.0
    change = np.abs(np.diff(luma, axis=0, prepend=1.0)) + np.abs(np.diff(luma, axis=1, prepend=1.0))
    shares = (change > EDGE).reshape(GRID, FINE, GRID, FINE).mean(axis=(1, 3))
    halves = np.stack([_slope(shares), _slope((shares > 0).astype(np.float64))])
    signature: npt.NDArray[np.float64] = halves / np.linalg.norm(halves, axis=1, keepdims=True)
    return signature.ravel()


def _slope(cells: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """(1985,) gradient of the blurred cells, and the constant."""
    smooth = _blur(_blur(cells).T).T
    across, down = np.diff(smooth, axis=1), np.diff(smooth, axis=0)
    return np.concatenate([across.ravel(), down.ravel(), [PAPER_WEIGHT]])


def _blur(density: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Blur down the columns; the border is repeated outwards."""
    padded = np.pad(density, ((2, 2), (0, 0)), mode="edge")
    blurred: npt.NDArray[np.float64] = sum(weight * padded[k : k + GRID] for k, weight in enumerate(BLUR.tolist()))
    return blurred
