"""Pictures to a vector file: ids never shift, refusals are named, a second run writes nothing new."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from eval_pipeline.embeddings.layout import LayoutEncoder
from eval_pipeline.embeddings.stage import embed_in_chunks, embed_pictures
from eval_pipeline.embeddings.vectors import load_vectors
from eval_pipeline.foundation.errors import LineageError
from eval_pipeline.foundation.outputs import StageOutput, merge_outputs
from eval_pipeline.foundation.protocols import EncodedTexts, Vectors

MakePage = Callable[..., Path]


class FixedEncoder:
    """Gives the rows it was made with, whatever it sees."""

    def __init__(self, rows: Vectors, dim: int = 3) -> None:
        self.encoder_id, self.name, self.dim, self.is_trained, self.rows = "enc_f", "fixed", dim, True, rows

    def describe(self) -> Mapping[str, str | int | float | bool | None]:
        return {"family": "fixed"}

    def encode_pictures(self, paths: Sequence[Path]) -> Vectors:
        return self.rows

    def encode_texts(self, texts: Sequence[str]) -> EncodedTexts:
        raise NotImplementedError


def draw(home: Path, make_page: MakePage, n: int) -> pl.DataFrame:
    for place in range(n):
        make_page(home / f"p/{place}.webp", bars=(30 + 20 * place, 50, 90))
    return pl.DataFrame(
        {"picture_hash": [f"h{k}" for k in range(n)], "picture_path": [f"p/{k}.webp" for k in range(n)]}
    )


def vector_of(output: object, home: Path, picture_hash: str) -> Vectors:
    tables = output.tables  # type: ignore[attr-defined]
    rows = tables["embeddings.unit_vector"].join(tables["embeddings.vector_file"], on="vector_file_id")
    rows = rows.select(unit_id="picture_hash", picture_hash="picture_hash", path="path", row="row")
    return load_vectors(rows=rows, encoder_id="e", home=home).rows_of([picture_hash])[0]


def test_an_unreadable_picture_is_named_and_shifts_nobody(tmp_path: Path, make_page: MakePage) -> None:
    pictures = draw(tmp_path, make_page, 5)
    alone = embed_pictures(pictures=pictures[[3]], encoder=LayoutEncoder(), kind="layout", home=tmp_path)
    (tmp_path / "p/1.webp").write_bytes(b"broken")
    (tmp_path / "p/2.webp").unlink()
    output = embed_pictures(pictures=pictures, encoder=LayoutEncoder(), kind="layout", home=tmp_path)
    refused = output.tables["embeddings.refused_vector"]
    assert refused.select("picture_hash", "reason").rows() == [
        ("h1", "unreadable picture"),
        ("h2", "unreadable picture"),
    ]
    assert output.tables["embeddings.unit_vector"]["picture_hash"].to_list() == ["h0", "h3", "h4"]
    np.testing.assert_array_equal(vector_of(output, tmp_path, "h3"), vector_of(alone, tmp_path, "h3"))
    assert output.summary["pictures_refused"] == 2


def test_order_and_copies_leave_no_trace(tmp_path: Path, make_page: MakePage) -> None:
    pictures = draw(tmp_path, make_page, 4)
    first = embed_pictures(pictures=pictures, encoder=LayoutEncoder(), kind="layout", home=tmp_path)
    files = sorted(tmp_path.rglob("*.npy"))
    again = pl.concat([pictures.reverse(), pictures])
    second = embed_pictures(pictures=again, encoder=LayoutEncoder(), kind="layout", home=tmp_path)
    assert all(first.tables[name].equals(second.tables[name]) for name in first.tables)
    assert sorted(tmp_path.rglob("*.npy")) == files
    assert len(files) == 1


def test_faulty_rows_of_an_encoder_are_refused_by_picture(tmp_path: Path, make_page: MakePage) -> None:
    pictures = draw(tmp_path, make_page, 4)
    rows = np.array([[3, 0, 0], [0, 0, 0], [1, np.inf, 0], [np.nan] * 3], dtype=np.float32)
    output = embed_pictures(pictures=pictures, encoder=FixedEncoder(rows), kind="open_clip", home=tmp_path)
    reasons = dict(output.tables["embeddings.refused_vector"].select("picture_hash", "reason").rows())
    assert reasons == {"h1": "zero length", "h2": "not finite", "h3": "no direction: not finite or zero length"}
    assert vector_of(output, tmp_path, "h0").tolist() == [1, 0, 0]


def test_all_refused_writes_no_file_and_nothing_gives_nothing(tmp_path: Path, make_page: MakePage) -> None:
    pictures = draw(tmp_path, make_page, 1)
    zero = FixedEncoder(np.zeros((1, 3), dtype=np.float32))
    output = embed_pictures(pictures=pictures, encoder=zero, kind="open_clip", home=tmp_path)
    assert output.tables["embeddings.vector_file"].is_empty()
    assert output.tables["embeddings.encoder"].height == 1
    assert embed_pictures(pictures=pictures[:0], encoder=zero, kind="open_clip", home=tmp_path).n_rows == 0


def test_an_encoder_that_loses_a_row_stops_the_run(tmp_path: Path, make_page: MakePage) -> None:
    pictures = draw(tmp_path, make_page, 2)
    with pytest.raises(LineageError, match=r"shape \(1, 3\) for 2 pictures"):
        embed_pictures(
            pictures=pictures, encoder=FixedEncoder(np.ones((1, 3), np.float32)), kind="open_clip", home=tmp_path
        )


def test_what_is_left_after_any_chunk_is_cut_as_it_would_have_been(tmp_path: Path, make_page: MakePage) -> None:
    """Whoever records chunk by chunk and asks again for what is missing gets the same rows, files and bytes."""
    pictures = draw(tmp_path, make_page, 7)
    (tmp_path / "p/3.webp").write_bytes(b"broken")
    encoder = LayoutEncoder()

    def chunks(waiting: pl.DataFrame) -> list[StageOutput]:
        made = embed_in_chunks(pictures=waiting, encoder=encoder, kind="layout", home=tmp_path, chunk_pictures=3)
        return list(made)

    undisturbed = chunks(pictures.reverse())
    files = {path: path.read_bytes() for path in tmp_path.rglob("*.npy")}
    assert [output.summary["pictures_embedded"] for output in undisturbed] == [3, 2, 1]
    assert len(files) == 3
    for n_recorded in range(4):
        done = [
            name
            for output in undisturbed[:n_recorded]
            for table in ("embeddings.unit_vector", "embeddings.refused_vector")
            for name in output.tables[table]["picture_hash"]
        ]
        resumed = chunks(pictures.filter(~pl.col("picture_hash").is_in(done)))
        assert len(resumed) == 3 - n_recorded
        for one, other in zip(resumed, undisturbed[n_recorded:], strict=True):
            assert one.inputs == other.inputs
            assert all(one.tables[name].equals(other.tables[name]) for name in one.tables)
    assert {path: path.read_bytes() for path in tmp_path.rglob("*.npy")} == files


def test_a_chunk_is_made_when_it_is_asked_for(tmp_path: Path, make_page: MakePage) -> None:
    pictures = draw(tmp_path, make_page, 4)
    outputs = embed_in_chunks(
        pictures=pictures, encoder=LayoutEncoder(), kind="layout", home=tmp_path, chunk_pictures=2
    )
    assert list(tmp_path.rglob("*.npy")) == []
    assert next(outputs).summary["pictures_embedded"] == 2
    assert len(list(tmp_path.rglob("*.npy"))) == 1
    assert next(outputs).summary["pictures_embedded"] == 2
    assert list(outputs) == []


def test_vectors_are_the_same_in_chunks_of_any_size_and_stored_as_float32(tmp_path: Path, make_page: MakePage) -> None:
    pictures, encoder = draw(tmp_path, make_page, 5), LayoutEncoder()
    whole = embed_pictures(pictures=pictures, encoder=encoder, kind="layout", home=tmp_path)
    for size in (1, 2, 5, 9):
        outputs = embed_in_chunks(pictures=pictures, encoder=encoder, kind="layout", home=tmp_path, chunk_pictures=size)
        merged = merge_outputs(*outputs)
        assert merged.tables["embeddings.unit_vector"].height == 5
        for name in pictures["picture_hash"]:
            np.testing.assert_array_equal(vector_of(merged, tmp_path, name), vector_of(whole, tmp_path, name))
    for path in tmp_path.rglob("*.npy"):
        stored = np.load(path)
        assert stored.dtype == np.float32
        np.testing.assert_allclose(np.linalg.norm(stored, axis=1), 1.0, atol=1e-6)


@pytest.mark.parametrize("dtype", [np.float16, np.float64])
def test_an_encoder_of_another_precision_is_stored_as_float32(
    tmp_path: Path, make_page: MakePage, dtype: type[np.floating]
) -> None:
    rows = np.array([[3, 4, 0]], dtype=dtype)
    output = embed_pictures(
        pictures=draw(tmp_path, make_page, 1),
        encoder=FixedEncoder(rows),  # type: ignore[arg-type]  # an encoder of someone's own may do this
        kind="open_clip",
        home=tmp_path,
    )
    (path,) = tmp_path.rglob("*.npy")
    assert np.load(path).dtype == np.float32
    np.testing.assert_array_equal(vector_of(output, tmp_path, "h0"), np.array([0.6, 0.8, 0], dtype=np.float32))
