"""One page, one vector: whatever its batch, its neighbours and its process; texts refused or flagged."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageDraw

from eval_pipeline.embeddings.loading import load_encoder
from eval_pipeline.embeddings.open_clip_encoder import OpenClipEncoder
from eval_pipeline.foundation.config import EncoderConfig
from eval_pipeline.foundation.errors import InputError
from eval_pipeline.foundation.ids import hash_file

MakePage = Callable[..., Path]


@pytest.fixture
def pages(tmp_path: Path, make_page: MakePage) -> list[Path]:
    return [make_page(tmp_path / f"{k}.webp", bars=(40 + 30 * k, 90, 20), title=f"page {k}") for k in range(6)]


def test_emb_03_a_vector_does_not_depend_on_its_batch(page_clip: OpenClipEncoder, pages: list[Path]) -> None:
    together = page_clip.encode_pictures(pages)
    alone = np.concatenate([page_clip.encode_pictures([page]) for page in pages])
    reverse = page_clip.encode_pictures(pages[::-1])[::-1]
    np.testing.assert_allclose(together, alone, atol=1e-6)
    np.testing.assert_allclose(together, reverse, atol=1e-6)
    assert not page_clip.is_training
    assert together.dtype == np.float32
    assert together.shape == (6, 128)


def test_emb_03_another_loading_gives_the_same_id_and_vectors(
    page_clip: OpenClipEncoder, pages: list[Path], data_dir: Path
) -> None:
    other = load_encoder(config=EncoderConfig(batch_size=16), home=data_dir)
    assert other.encoder_id == page_clip.encoder_id
    np.testing.assert_allclose(other.encode_pictures(pages), page_clip.encode_pictures(pages), atol=1e-6)


def test_an_unreadable_picture_leaves_a_row_of_nan_and_the_others_in_place(
    page_clip: OpenClipEncoder, pages: list[Path]
) -> None:
    sound = page_clip.encode_pictures(pages)
    pages[1].write_bytes(b"broken")
    pages[4].unlink()
    rows = page_clip.encode_pictures(pages)
    assert np.isnan(rows[[1, 4]]).all()
    np.testing.assert_allclose(rows[[0, 2, 3, 5]], sound[[0, 2, 3, 5]], atol=1e-6)


def test_header_and_footer_count(page_clip: OpenClipEncoder, tmp_path: Path, make_page: MakePage) -> None:
    pages = [make_page(tmp_path / f"{ink}.webp", ink=ink, bars=()) for ink in ("navy", "orange")]
    rows = page_clip.encode_pictures(pages)
    assert float(np.abs(rows[0] - rows[1]).max()) > 1e-4


def test_emb_02_long_texts_are_flagged_and_empty_ones_refused(page_clip: OpenClipEncoder, case_files: Path) -> None:
    lines = (case_files / "EMB-02_long_queries.jsonl").read_text().splitlines()
    texts = [next(value for key, value in json.loads(line).items() if "id" not in key) for line in lines]
    encoded = page_clip.encode_texts([*texts[:2], "What was revenue?"])
    assert encoded.is_truncated.tolist() == [True, True, False]
    np.testing.assert_allclose(np.linalg.norm(encoded.matrix, axis=1), 1.0, atol=1e-5)
    for empty in texts[2:]:
        with pytest.raises(InputError, match="text 2 of 2 is empty or blank"):
            page_clip.encode_texts(["What was revenue?", empty])


def test_a_text_at_the_context_length_is_not_truncated(page_clip: OpenClipEncoder) -> None:
    assert page_clip.encode_texts(["a " * 30, "a " * 31]).is_truncated.tolist() == [False, True]


def test_a_text_does_not_depend_on_its_batch(page_clip: OpenClipEncoder) -> None:
    texts = [f"revenue of company {k}" for k in range(7)]
    alone = np.concatenate([page_clip.encode_texts([text]).matrix for text in texts])
    np.testing.assert_allclose(page_clip.encode_texts(texts).matrix, alone, atol=1e-6)


@pytest.fixture
def bare_home(tmp_path: Path, data_dir: Path) -> Path:
    """A project folder whose model directory has no weights."""
    shutil.copytree(data_dir / "models" / "page-clip", tmp_path / "bare" / "models" / "page-clip")
    for weights in (tmp_path / "bare" / "models" / "page-clip").glob("*.safetensors"):
        weights.unlink()
    return tmp_path / "bare"


def test_untrained_weights_are_named_and_part_of_the_id(bare_home: Path) -> None:
    bare = load_encoder(config=EncoderConfig(), home=bare_home)
    assert bare.name == "page-clip (untrained)"
    assert bare.is_trained is False
    assert load_encoder(config=EncoderConfig(seed=1), home=bare_home).encoder_id != bare.encoder_id


def test_the_shipped_weights_are_trained_small_and_tell_header_and_footer_apart(
    page_clip: OpenClipEncoder, bare_home: Path, data_dir: Path, tmp_path: Path, make_page: MakePage
) -> None:
    weights = data_dir / "models" / "page-clip" / "open_clip_model.safetensors"
    assert weights.stat().st_size <= 8_000_000
    assert page_clip.is_trained
    assert page_clip.name == "page-clip"
    assert page_clip.encoder_id != load_encoder(config=EncoderConfig(), home=bare_home).encoder_id
    assert load_encoder(config=EncoderConfig(seed=1), home=data_dir).encoder_id == page_clip.encoder_id
    pages = [make_page(tmp_path / "plain.webp")]
    for name, words, y in (("header", "Three months ended June 30, 2024", 12), ("footer", "Acme Foods (ACM)  12", 425)):
        with Image.open(pages[0]) as page:
            changed = page.convert("RGB")
        ImageDraw.Draw(changed).text((150, y), words, fill="grey")
        changed.save(tmp_path / f"{name}.webp", lossless=True)
        pages.append(tmp_path / f"{name}.webp")
    rows = page_clip.encode_pictures(pages)
    assert min(float(np.abs(rows[0] - other).max()) for other in rows[1:]) > 1e-4
    assert float(np.abs(rows[1] - rows[2]).max()) > 1e-4


def test_the_shipped_figures_are_those_of_the_shipped_weights(data_dir: Path) -> None:
    folder = data_dir / "models" / "page-clip"
    content = json.loads((folder / "evaluation.json").read_text())
    assert content["weights_hash"] == hash_file(folder / "open_clip_model.safetensors")
    figures = {row["arena"]: row for row in content["held_out"]}
    assert set(figures) == {"random", "siblings", "axis:period", "axis:metric", "axis:entity"}
    assert all(row["n_questions"] >= 300 for row in figures.values())
    assert figures["random"]["top1"] > 2 * figures["random"]["chance"]
