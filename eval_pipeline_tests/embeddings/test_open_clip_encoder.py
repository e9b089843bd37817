"""One page, one vector: whatever its batch, its neighbours and its process; texts refused or flagged."""

import copy
import json
import random
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageDraw

from eval_pipeline.embeddings.index import search_exact
from eval_pipeline.embeddings.loading import load_encoder
from eval_pipeline.embeddings.open_clip_encoder import OpenClipEncoder
from eval_pipeline.foundation.config import EncoderConfig
from eval_pipeline.foundation.errors import InputError
from eval_pipeline.foundation.ids import hash_file
from eval_pipeline.foundation.protocols import RankedUnit, UnitVectors, Vectors

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


def in_batches_of(encoder: OpenClipEncoder, size: int) -> OpenClipEncoder:
    other = copy.copy(encoder)
    other._batch_size = size
    return other


@pytest.mark.parametrize("batch_size", [1, 3, 4, 16])
def test_emb_03_one_page_one_vector_to_the_last_bit_whatever_stands_beside_it(
    page_clip: OpenClipEncoder, pages: list[Path], batch_size: int
) -> None:
    """Random choices and orders of pages, with copies and an unreadable one among them."""
    encoder, rng = in_batches_of(page_clip, batch_size), random.Random(batch_size)
    own = {page: encoder.encode_pictures([page])[0] for page in pages}
    broken = pages[0].with_name("broken.webp")
    broken.write_bytes(b"broken")
    for _ in range(5):
        chosen = rng.choices([*pages, broken], k=rng.choice([1, 2, 5, 9]))
        rows = encoder.encode_pictures(chosen)
        for page, row in zip(chosen, rows, strict=True):
            if page == broken:
                assert np.isnan(row).all()
            else:
                np.testing.assert_array_equal(row, own[page])


def test_emb_03_another_batch_size_changes_no_rank(
    page_clip: OpenClipEncoder, tmp_path: Path, make_page: MakePage
) -> None:
    pages = [
        make_page(tmp_path / f"{k}.webp", bars=(30 + 11 * k, 200 - 7 * k), title=f"Revenue {k}", ink=ink)
        for k, ink in enumerate(["navy", "maroon", "darkgreen", "black"] * 4)
    ]
    asked = [f"revenue {k} in {ink}" for k in range(4) for ink in ("navy", "green", "red")]

    def answer(size: int) -> tuple[Vectors, list[list[RankedUnit]]]:
        encoder = in_batches_of(page_clip, size)
        ids = np.array([f"u{k:02d}" for k in range(len(pages))])
        corpus = UnitVectors(unit_ids=ids, matrix=encoder.encode_pictures(pages), encoder_id="e")
        return corpus.matrix, search_exact(corpus=corpus, queries=encoder.encode_texts(asked).matrix, depth=len(pages))

    vectors, ranked = answer(16)
    for size in (1, 4, 7):
        others, theirs = answer(size)
        assert float(np.abs(vectors - others).max()) < 1e-6
        assert [[unit.unit_id for unit in one] for one in theirs] == [[unit.unit_id for unit in one] for one in ranked]


def test_decoding_ahead_and_one_after_the_other_give_the_same_bits(
    page_clip: OpenClipEncoder, pages: list[Path]
) -> None:
    waiting = copy.copy(page_clip)
    waiting.n_ahead = 0
    pages[3].write_bytes(b"broken")
    assert page_clip.n_ahead > 0
    np.testing.assert_array_equal(waiting.encode_pictures(pages), page_clip.encode_pictures(pages))


def test_a_picture_is_made_a_tensor_as_open_clip_does_it(page_clip: OpenClipEncoder, pages: list[Path]) -> None:
    with Image.open(pages[0]) as picture:
        whole = page_clip._built.transform(picture.convert("RGB"))
    assert bool((page_clip._to_tensor(page_clip._decode(pages[0])) == whole).all())


def test_emb_06_everything_that_could_change_a_vector_is_in_the_key(bare_home: Path) -> None:
    """Architecture, activation, transform, vocabulary, seed of random weights; precision is always float32."""
    folder = bare_home / "models" / "page-clip"
    told = json.loads((folder / "open_clip_config.json").read_text())

    def id_of(seed: int = 0, **changes: dict[str, object]) -> str:
        changed = {part: {**told[part], **changes.get(part, {})} for part in told}
        (folder / "open_clip_config.json").write_text(json.dumps(changed))
        encoder = load_encoder(config=EncoderConfig(seed=seed), home=bare_home)
        assert encoder.describe()["precision"] == "fp32"
        return encoder.encoder_id

    first = id_of()
    others = [
        id_of(seed=1),
        id_of(model_cfg={"quick_gelu": True}),
        id_of(model_cfg={"text_cfg": {**told["model_cfg"]["text_cfg"], "layers": 1}}),
        id_of(preprocess_cfg={"mean": [0.5, 0.5, 0.5]}),
        id_of(preprocess_cfg={"interpolation": "bilinear"}),
    ]
    assert len({first, *others}) == 6
    assert id_of() == first
    assert load_encoder(config=EncoderConfig(batch_size=5, chunk_pictures=9), home=bare_home).encoder_id == first


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
