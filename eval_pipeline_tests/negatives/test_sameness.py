"""What is known of pages that are the same thing."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl

from eval_pipeline.foundation.protocols import UnitVectors
from eval_pipeline.foundation.tables.corpus import LAYER_TEXT
from eval_pipeline.negatives.sameness import Sameness, read_sameness, texts_to_compare

Members = Callable[[list[dict[str, Any]]], pl.DataFrame]


def test_texts_are_compared_only_where_revision_is_an_axis(
    tmp_path: Path, a_member: Callable[..., dict[str, Any]], members_of: Members, vectors_of: Callable[..., UnitVectors]
) -> None:
    rows = [a_member(name) | {"text_hash": name} for name in ("a", "b", "c")]
    rows[2]["text_quality"] = "garbled"
    members, vectors = members_of(rows), vectors_of(["a", "b", "c"], dim=64)
    assert texts_to_compare(members, ("period",)).is_empty()
    wanted = texts_to_compare(members, ("period", "revision"))
    assert wanted["text_hash"].to_list() == ["a", "b"]
    texts = LAYER_TEXT.frame([{"text_hash": "a", "text": "1,5 2 3"}, {"text_hash": "b", "text": "nothing"}])
    found = {
        axes: read_sameness(members=members, vectors=vectors, texts=texts, axes=axes, home=tmp_path)
        for axes in (("period",), ("period", "revision"))
    }
    assert found["period",] == Sameness()
    assert found["period", "revision"] == Sameness(figures={"a": "1,5 2 3"})
