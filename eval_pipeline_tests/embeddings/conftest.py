"""Builders for vectors, pictures and a small encoder that counts what it is asked."""

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageDraw

from eval_pipeline.embeddings.loading import load_encoder
from eval_pipeline.embeddings.vectors import normalise_rows
from eval_pipeline.foundation.config import EncoderConfig
from eval_pipeline.foundation.protocols import Encoder, UnitVectors

DATA = Path(__file__).parents[2] / "data"


@pytest.fixture(scope="session")
def data_dir() -> Path:
    """The committed project folder."""
    return DATA


@pytest.fixture(scope="session")
def page_clip() -> Encoder:
    """The committed model directory, with batches of 4."""
    return load_encoder(config=EncoderConfig(batch_size=4), home=DATA)


@pytest.fixture
def make_page() -> Callable[..., Path]:
    def make(path: Path, *, bars: Sequence[int] = (80, 120, 60), ink: str = "navy", title: str = "Revenue") -> Path:
        page = Image.new("RGB", (340, 440), "white")
        draw = ImageDraw.Draw(page)
        draw.rectangle((0, 0, 340, 30), fill=ink)
        draw.text((20, 50), title, fill="black")
        for place, height in enumerate(bars):
            left = 40 + 60 * place
            draw.rectangle((left, 400 - height, left + 40, 400), fill=ink)
        path.parent.mkdir(parents=True, exist_ok=True)
        page.save(path, lossless=True)
        return path

    return make


@pytest.fixture
def make_vectors() -> Callable[..., UnitVectors]:
    def make(n: int, *, dim: int = 16, seed: int = 0, encoder_id: str = "enc_t") -> UnitVectors:
        matrix = normalise_rows(np.random.default_rng(seed).normal(size=(n, dim)))
        ids = np.array([f"u{row:04d}" for row in range(n)], dtype=np.str_)
        return UnitVectors(unit_ids=ids, matrix=matrix, encoder_id=encoder_id)

    return make
