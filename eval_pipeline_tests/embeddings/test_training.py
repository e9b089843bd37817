"""A tiny training: the same seeds give the same bits, and the loss falls."""

import json
import math
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from eval_pipeline.embeddings.sources import CONFIG_FILE, ModelSource, find_source
from eval_pipeline.embeddings.threads import import_torch
from eval_pipeline.embeddings.training import TrainedModel, TrainingPage, TrainingSettings, rate_at, train_model
from eval_pipeline.embeddings.weights import save_weights
from eval_pipeline.foundation.config import EncoderConfig
from eval_pipeline.foundation.errors import InputError

SIZE = 64
TINY = TrainingSettings(
    n_first_steps=8, n_steps=8, n_last_steps=4, learning_rate=1e-3, last_rate=1e-3, batch_size=8, seed=3, is_bf16=False
)
COLOURS = {"red": (200, 30, 30), "green": (30, 160, 60), "blue": (30, 60, 200), "grey": (120, 120, 120)}


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory, data_dir: Path) -> ModelSource:
    home = tmp_path_factory.mktemp("tiny")
    shutil.copytree(data_dir / "models" / "page-clip", home / "tiny")
    file = home / "tiny" / CONFIG_FILE
    content = json.loads(file.read_text())
    content["model_cfg"]["embed_dim"] = 16
    content["model_cfg"]["vision_cfg"].update(image_size=SIZE, layers=[1, 1, 1, 1], width=8)
    content["model_cfg"]["text_cfg"].update(width=16, heads=2, layers=1)
    file.write_text(json.dumps(content))
    for weights in (home / "tiny").glob("*.safetensors"):
        weights.unlink()
    return find_source(config=EncoderConfig(model="local-dir:tiny"), home=home)


@pytest.fixture(scope="module")
def pages() -> list[TrainingPage]:
    made = []
    for name, colour in COLOURS.items():
        for top in (4, 24, 44):
            pixels = np.full((SIZE, SIZE, 3), 255, dtype=np.uint8)
            pixels[top : top + 14, 6:58] = colour
            captions, renamed = (f"a {name} bar", f"{name} page"), (f"{name} of Foo", f"{name} of Bar")
            made.append(TrainingPage(pixels=pixels, captions=captions, renamed=renamed, template=str(top)))
    return made


@pytest.fixture(scope="module")
def trained(source: ModelSource, pages: list[TrainingPage]) -> TrainedModel:
    return train_model(source=source, pages=pages, settings=TINY)


def test_the_same_seeds_give_the_same_bits(
    source: ModelSource, pages: list[TrainingPage], trained: TrainedModel
) -> None:
    torch = import_torch()
    before = torch.random.get_rng_state()
    again = train_model(source=source, pages=pages, settings=TINY)
    assert again.losses == trained.losses
    for name, value in trained.built.model.state_dict().items():
        assert torch.equal(value, again.built.model.state_dict()[name]), name
    assert torch.equal(torch.random.get_rng_state(), before)
    other = train_model(
        source=source, pages=pages, settings=replace(TINY, n_first_steps=1, n_steps=1, n_last_steps=0, seed=4)
    )
    assert other.losses[0] != trained.losses[0]


def test_the_loss_falls_and_the_model_is_left_ready(trained: TrainedModel) -> None:
    assert sum(trained.losses[-4:]) < 0.8 * sum(trained.losses[:4])
    model = trained.built.model
    assert not model.training
    assert float(model.logit_scale.exp()) == pytest.approx(40.0)
    assert trained.n_pages == 12


def test_steps_are_told_and_bfloat16_stays_in_training(source: ModelSource, pages: list[TrainingPage]) -> None:
    torch = import_torch()
    told: list[tuple[int, float]] = []
    settings = replace(TINY, n_first_steps=1, n_steps=2, n_last_steps=3, is_bf16=True)
    made = train_model(
        source=source, pages=pages, settings=settings, on_step=lambda step, loss: told.append((step, loss))
    )
    assert told == list(enumerate(made.losses, start=1))
    assert len(told) == 6
    assert all(math.isfinite(loss) for loss in made.losses)
    assert {value.dtype for value in made.built.model.state_dict().values()} == {torch.float32, torch.int64}


def test_the_first_lesson_shows_its_own_pages_only(source: ModelSource, pages: list[TrainingPage]) -> None:
    settings = replace(TINY, n_first_steps=4, n_steps=1, n_last_steps=0)
    later = [replace(page, is_first=False) for page in pages[:6]]
    alone = train_model(source=source, pages=pages[6:], settings=settings)
    mixed = train_model(source=source, pages=[*later, *pages[6:]], settings=settings)
    assert mixed.losses[:4] == alone.losses[:4]
    assert mixed.losses[4] != alone.losses[4]
    with pytest.raises(InputError, match="in its first lesson, found 0"):
        train_model(source=source, pages=later, settings=settings)


def test_only_the_last_lesson_reads_the_renamed_captions(source: ModelSource, pages: list[TrainingPage]) -> None:
    settings = replace(TINY, n_first_steps=2, n_steps=2, n_last_steps=2)
    others = [replace(page, renamed=("x", "y")) for page in pages]
    one, other = (train_model(source=source, pages=shown, settings=settings).losses for shown in (pages, others))
    assert one[:4] == other[:4]
    assert one[4:] != other[4:]


def test_going_on_gives_the_last_lesson_only(
    tmp_path: Path, source: ModelSource, pages: list[TrainingPage], trained: TrainedModel
) -> None:
    folder = tmp_path / "tiny"
    folder.mkdir()
    assert source.bpe_path is not None
    for name in (CONFIG_FILE, source.bpe_path.name):
        shutil.copyfile(source.bpe_path.parent / name, folder / name)
    save_weights(built=trained.built, source=source, folder=folder, notes={})
    known = find_source(config=EncoderConfig(model="local-dir:tiny"), home=tmp_path)
    more = train_model(source=known, pages=pages, settings=replace(TINY, n_last_steps=3), is_continued=True)
    fresh = train_model(source=known, pages=pages, settings=replace(TINY, n_first_steps=0, n_steps=0, n_last_steps=3))
    assert len(more.losses) == len(fresh.losses) == 3
    assert sum(more.losses) < 0.8 * sum(fresh.losses)


def test_the_rate_rises_shortly_and_falls_to_nothing() -> None:
    settings = TrainingSettings(n_steps=100, learning_rate=2.0)
    rates = [rate_at(step, settings) for step in range(100)]
    assert rates[:5] == [0.5, 1.0, 1.5, 2.0, 2.0]
    assert rates[4:] == sorted(rates[4:], reverse=True)
    assert rates[52] == pytest.approx(1.0)
    assert 0 < rates[-1] < 0.001


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ({"captions": ()}, "page 2 has 0 captions"),
        ({"renamed": ("one",)}, "page 2 has 2 captions, 1 renamed ones"),
        ({"pixels": np.zeros((32, 32, 3), dtype=np.uint8)}, r"shape \(32, 32, 3\)"),
    ],
)
def test_a_faulty_page_is_named(
    source: ModelSource, pages: list[TrainingPage], fault: dict[str, object], said: str
) -> None:
    with pytest.raises(InputError, match=said):
        train_model(source=source, pages=[pages[0], replace(pages[1], **fault)], settings=TINY)  # type: ignore[arg-type]


def test_one_page_is_nothing_to_tell_apart(source: ModelSource, pages: list[TrainingPage]) -> None:
    with pytest.raises(InputError, match="two pages or more in its first lesson, found 1"):
        train_model(source=source, pages=pages[:1], settings=TINY)
