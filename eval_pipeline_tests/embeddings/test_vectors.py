"""Raw arrays made safe; vector files read back by unit."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval_pipeline.embeddings.index import search_exact
from eval_pipeline.embeddings.vectors import accept_vectors, check_matrix, find_faults, load_vectors, normalise_rows
from eval_pipeline.foundation.errors import LineageError
from eval_pipeline.foundation.protocols import UnitVectors


def test_emb_04_rows_without_direction_are_refused_by_page_and_never_found(case_files: Path) -> None:
    raw = np.load(case_files / "EMB-04_nan_zero_inf.npy")
    names = [f"page-{row}" for row in range(1, len(raw) + 1)]
    accepted = accept_vectors(unit_ids=names, matrix=raw, encoder_id="e")
    assert dict(accepted.refused) == {"page-3": "not finite", "page-5": "zero length", "page-6": "not finite"}
    found = search_exact(corpus=accepted.vectors, queries=accepted.vectors.matrix, depth=6)
    assert [sorted(unit.unit_id for unit in ranking) for ranking in found] == [["page-1", "page-2", "page-4"]] * 3
    assert all(np.isfinite(unit.score) for ranking in found for unit in ranking)


def test_emb_04_an_index_refuses_raw_rows_by_number(case_files: Path) -> None:
    with pytest.raises(LineageError, match="first row 2"):
        check_matrix(np.load(case_files / "EMB-04_nan_zero_inf.npy")[[0, 1, 2]] / 1.0, what="raw")


@given(st.lists(st.sampled_from([0.0, 1.0, -3.0, float("nan"), float("inf")]), min_size=3, max_size=3))
def test_a_row_is_faulty_exactly_when_it_cannot_be_scaled(row: list[float]) -> None:
    matrix = np.array([row])
    assert (find_faults(matrix)[0] is None) == bool(np.isfinite(normalise_rows(matrix)).all())


def test_vectors_come_back_by_unit_whatever_the_order_of_files_and_rows(
    tmp_path: Path, make_vectors: Callable[..., UnitVectors]
) -> None:
    stored = make_vectors(5).matrix
    for name, part in (("b.npy", stored[:3]), ("a.npy", stored[3:])):
        np.save(tmp_path / name, part)
    rows = pl.DataFrame(
        {
            "unit_id": ["u3", "u1", "u2", "u0", "copy", "u2"],
            "picture_hash": ["h3", "h1", "h2", "h0", "h0", "h2"],
            "path": ["a.npy", "b.npy", "b.npy", "b.npy", "b.npy", "a.npy"],
            "row": [0, 1, 2, 0, 0, 1],
        }
    )
    loaded = load_vectors(rows=rows, encoder_id="e", home=tmp_path)
    assert loaded.unit_ids.tolist() == ["copy", "u0", "u1", "u2", "u3"]
    np.testing.assert_array_equal(loaded.matrix, stored[[0, 0, 1, 4, 3]])  # u2 from the smallest path
    again = load_vectors(rows=rows.reverse(), encoder_id="e", home=tmp_path)
    np.testing.assert_array_equal(loaded.matrix, again.matrix)


def test_no_rows_give_no_vectors(tmp_path: Path) -> None:
    schema = {"unit_id": pl.String, "picture_hash": pl.String, "path": pl.String, "row": pl.Int64}
    assert load_vectors(rows=pl.DataFrame(schema=schema), encoder_id="e", home=tmp_path).unit_ids.tolist() == []


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (np.ones((1, 4), dtype=np.float64), "float32"),
        (np.ones((1, 4), dtype=np.float32), "not of unit length"),
        (np.eye(4, dtype=np.float32)[:0], "more than 0 rows"),
        (None, "not on disk"),
    ],
)
def test_a_damaged_file_is_named(tmp_path: Path, content: np.ndarray | None, said: str) -> None:
    if content is not None:
        np.save(tmp_path / "v.npy", content)
    rows = pl.DataFrame({"unit_id": ["u"], "picture_hash": ["h"], "path": ["v.npy"], "row": [0]})
    with pytest.raises(LineageError, match=said):
        load_vectors(rows=rows, encoder_id="e", home=tmp_path)


def test_a_file_that_is_no_array_is_named(tmp_path: Path) -> None:
    (tmp_path / "v.npy").write_bytes(b"nothing")
    rows = pl.DataFrame({"unit_id": ["u"], "picture_hash": ["h"], "path": ["v.npy"], "row": [0]})
    with pytest.raises(LineageError, match=r"v\.npy is not a readable vector file"):
        load_vectors(rows=rows, encoder_id="e", home=tmp_path)
