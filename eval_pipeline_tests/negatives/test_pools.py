"""Pools: the case of the fault log, worked examples, and properties against the definition spelled out."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from eval_pipeline.foundation.config import NegativesConfig
from eval_pipeline.foundation.protocols import UnitVectors
from eval_pipeline.foundation.tables.views import MEMBER
from eval_pipeline.negatives.pools import draw_hard_negatives, settings_id_of
from eval_pipeline.templates.members import hash_members

AXES = ("period", "metric", "entity")


def a_member(unit_id: str, *, template_id: str = "tpl_1", picture: str | None = None, **facets: str) -> dict[str, Any]:
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


def members_of(rows: list[dict[str, Any]]) -> pl.DataFrame:
    frame = MEMBER.frame(rows)
    return frame.join(hash_members(frame).select("template_id", "members_hash"), on="template_id")


def vectors_of(unit_ids: list[str], seed: int = 0, dim: int = 8) -> UnitVectors:
    raw = np.random.default_rng(seed).normal(size=(len(unit_ids), dim))
    matrix = (raw / np.linalg.norm(raw, axis=1, keepdims=True)).astype(np.float32)
    return UnitVectors(unit_ids=np.array(unit_ids, dtype=np.str_), matrix=matrix, encoder_id="enc_t")


def test_pool_01_exactly_the_siblings_that_differ_on_one_axis(case_files: Path) -> None:
    manifest = pl.read_csv(case_files / "POOL-01_manifest.csv")
    expected = json.loads((case_files / "POOL-01_expected.json").read_text())
    axes = ("entity", "metric", "period", "revision")
    rows = [
        a_member(
            row["page_id"], template_id=row["template"], **{axis: row[axis] for axis in axes if row[axis] is not None}
        )
        for row in manifest.iter_rows(named=True)
    ]
    members = members_of(rows)
    output = draw_hard_negatives(
        members=members, vectors=vectors_of(manifest["page_id"].to_list()), axes=axes, config=NegativesConfig(k=8)
    )
    negatives, shortfalls = output.tables["negatives.negative"], output.tables["negatives.shortfall"]
    of_gold = negatives.filter(pl.col("unit_id") == expected["gold"])
    assert sorted(of_gold["negative_unit_id"]) == expected["pool"]
    on_axes = negatives.filter(pl.col("axis") != "appearance")
    assert "missing-period" not in set(on_axes["negative_unit_id"])
    assert set(negatives.filter(pl.col("unit_id") == "missing-period")["axis"]) == {"appearance"}
    missing = shortfalls.filter(pl.col("unit_id") == "missing-period")
    assert missing["reason"].to_list() == ["missing facet period; no further sibling"]
    alone = shortfalls.filter(pl.col("unit_id") == "alone")
    assert negatives.filter(pl.col("unit_id") == "alone").is_empty()
    assert set(alone["reason"]) == {"no sibling"}
    assert set(alone["axis"]) == set(axes)
    assert output.summary["units_without_negatives"] == 2  # alone, and the one in the other template
