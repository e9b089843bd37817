"""A corpus small enough to check by eye, and encoders without a model."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from eval_pipeline.foundation import ids
from eval_pipeline.foundation.protocols import EncodedTexts, Encoder, UnitVectors, Vectors
from eval_pipeline.foundation.tables.views import UNIT_IN_FORCE
from eval_pipeline.runs.retrieval_corpus import RetrievalCorpus


def unit_row(unit_id: str, **changes: object) -> dict[str, object]:
    row: dict[str, object] = {
        "unit_id": unit_id,
        "document_id": f"doc-{unit_id}",
        "document_version_id": "dv",
        "source_path": f"corpus/{unit_id}.pdf",
        "media_type": "pdf",
        "bucket": "00",
        "locator": "page=1",
        "page_number": 1,
        "picture_hash": f"picture-{unit_id}",
        "picture_path": f"derived/pictures/{unit_id}.webp",
        "text_hash": f"text-{unit_id}",
        "text_quality": "good",
        "facets": "{}",
        "declared_id": None,
        "access": "internal",
        "access_groups": "[]",
    }
    return {**row, **changes}


@dataclass(frozen=True)
class HashEncoder:
    """Texts of a known map get its vector, others one that their hash draws; the third word on is cut."""

    known: Mapping[str, Sequence[float]]
    dim: int = 4
    encoder_id: str = "enc_hash"
    name: str = "hash"
    is_trained: bool = False

    def describe(self) -> Mapping[str, str | int | float | bool | None]:
        return {"dim": self.dim}

    def encode_pictures(self, paths: Sequence[Path]) -> Vectors:
        raise NotImplementedError

    def encode_texts(self, texts: Sequence[str]) -> EncodedTexts:
        matrix = np.array([self._vector(text) for text in texts], dtype=np.float64)
        matrix /= np.linalg.norm(matrix, axis=1, keepdims=True)
        cut = np.array([len(text.split()) > 8 for text in texts])
        return EncodedTexts(matrix=np.ascontiguousarray(matrix, dtype=np.float32), is_truncated=cut)

    def _vector(self, text: str) -> Sequence[float]:
        return self.known.get(text) or [ids.hash_unit(place, text) - 0.5 for place in range(self.dim)]


@pytest.fixture
def make_units() -> Callable[..., pl.DataFrame]:
    def make(*unit_ids: str, **columns: Sequence[object]) -> pl.DataFrame:
        rows = [
            unit_row(unit_id, **{name: values[place] for name, values in columns.items()})
            for place, unit_id in enumerate(unit_ids)
        ]
        return UNIT_IN_FORCE.frame(rows)

    return make


@pytest.fixture
def make_vectors() -> Callable[..., UnitVectors]:
    def make(rows: Mapping[str, Sequence[float]]) -> UnitVectors:
        matrix = np.array(list(rows.values()), dtype=np.float64)
        matrix /= np.linalg.norm(matrix, axis=1, keepdims=True)
        return UnitVectors(
            unit_ids=np.array(list(rows), dtype=np.str_),
            matrix=np.ascontiguousarray(matrix, dtype=np.float32),
            encoder_id="enc_hash",
        )

    return make


@pytest.fixture
def encoder() -> Encoder:
    return HashEncoder(known={"alpha": [1, 0, 0, 0], "beta": [0, 1, 0, 0]})


@pytest.fixture
def corpus(
    make_units: Callable[..., pl.DataFrame], make_vectors: Callable[..., UnitVectors], encoder: Encoder
) -> RetrievalCorpus:
    """Four pages of two documents. `alpha` looks like a, then b, c, d; the text `revenue 2021` stands on c and d."""
    return RetrievalCorpus(
        units=make_units("a", "b", "c", "d", document_id=["x", "x", "y", "y"]),
        texts={"a": "alpha cover", "b": "", "c": "revenue 2021 was 1,204", "d": "revenue 2022 was 900; in 2021 1,204"},
        vectors=make_vectors({"a": [4, 1, 0, 0], "b": [3, 1, 0, 0], "c": [2, 1, 0, 0], "d": [1, 1, 0, 0]}),
        encoder=encoder,
        home=Path(),
        template_of={},
    )
