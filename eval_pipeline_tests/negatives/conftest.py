"""Builders for members and vectors."""

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import polars as pl
import pytest

from eval_pipeline.embeddings.vectors import normalise_rows
from eval_pipeline.foundation.ids import hash_unit
from eval_pipeline.foundation.protocols import UnitVectors
from eval_pipeline.foundation.tables.views import MEMBER
from eval_pipeline.templates.members import hash_members


@pytest.fixture(scope="session")
def a_member() -> Callable[..., dict[str, Any]]:
    def make(unit_id: str, *, template_id: str = "tpl_1", picture: str | None = None, **facets: str) -> dict[str, Any]:
        return {
            "unit_id": unit_id,
            "document_id": "doc",
            "document_version_id": "dv",
            "source_path": "corpus/doc.pdf",
            "media_type": "pdf",
            "bucket": "00",
            "locator": "page=1",
            "page_number": 1,
            "picture_hash": picture or f"pic-{unit_id}",
            "picture_path": "derived/x.webp",
            "text_hash": "t",
            "text_quality": "good",
            "facets": json.dumps(facets, sort_keys=True, separators=(",", ":")),
            "declared_id": None,
            "access": "public",
            "access_groups": "[]",
            "template_id": template_id,
            "template_version_id": "tv",
            "template_bucket": "03",
        }

    return make


@pytest.fixture(scope="session")
def members_of() -> Callable[[list[dict[str, Any]]], pl.DataFrame]:
    def make(rows: list[dict[str, Any]]) -> pl.DataFrame:
        frame = MEMBER.frame(rows)
        return frame.join(hash_members(frame).select("template_id", "members_hash"), on="template_id")

    return make


@pytest.fixture(scope="session")
def vectors_of() -> Callable[..., UnitVectors]:
    def make(unit_ids: list[str], *, seed: int = 0, dim: int = 8) -> UnitVectors:
        matrix = normalise_rows(np.random.default_rng(seed).normal(size=(len(unit_ids), dim)))
        return UnitVectors(unit_ids=np.array(unit_ids, dtype=np.str_), matrix=matrix, encoder_id="enc_t")

    return make


@pytest.fixture(scope="session")
def on_a_circle() -> Callable[[dict[str, float]], UnitVectors]:
    """Units at given degrees: the smaller the angle between two, the more alike they are."""

    def make(degrees: dict[str, float]) -> UnitVectors:
        angles = np.radians(list(degrees.values()))
        matrix = np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)
        return UnitVectors(unit_ids=np.array(list(degrees), dtype=np.str_), matrix=matrix, encoder_id="enc_t")

    return make


@pytest.fixture(scope="session")
def word_vectors() -> Callable[[list[str], list[str]], UnitVectors]:
    """Vectors of texts that share a direction for each word they share: nearness by words, without an encoder."""

    def make(unit_ids: list[str], texts: list[str]) -> UnitVectors:
        matrix = np.zeros((len(texts), 256))
        for row, text in enumerate(texts):
            for word in text.lower().replace(".", " ").replace(",", " ").split():
                matrix[row, int(hash_unit(0, word) * 256)] += 1.0
        return UnitVectors(unit_ids=np.array(unit_ids), matrix=normalise_rows(matrix), encoder_id="enc_words")

    return make
