"""Models are built whole or not at all."""

import json
import logging
import shutil
from pathlib import Path

import pytest

from eval_pipeline.embeddings.building import build_model, quiet_logging
from eval_pipeline.embeddings.sources import CONFIG_FILE, find_source
from eval_pipeline.embeddings.threads import import_torch
from eval_pipeline.foundation.config import EncoderConfig
from eval_pipeline.foundation.errors import ConfigError


@pytest.fixture
def home(tmp_path: Path, data_dir: Path) -> Path:
    shutil.copytree(data_dir / "models" / "page-clip", tmp_path / "models" / "page-clip")
    for weights in (tmp_path / "models" / "page-clip").glob("*.safetensors"):
        weights.unlink()
    return tmp_path


def edit_config(home: Path, part: str, **values: object) -> None:
    file = home / "models/page-clip" / CONFIG_FILE
    content = json.loads(file.read_text())
    content["model_cfg"][part].update(values)
    file.write_text(json.dumps(content))


def save_weights(home: Path) -> None:
    from safetensors.torch import save_file

    built = build_model(find_source(config=EncoderConfig(), home=home), seed=5)
    state = {name: value.half() for name, value in built.model.state_dict().items()}
    save_file(state, home / "models/page-clip/open_clip_model.safetensors")


def test_weights_that_fit_are_loaded_in_full_precision_and_others_are_refused(home: Path) -> None:
    torch = import_torch()
    save_weights(home)
    source = find_source(config=EncoderConfig(), home=home)
    assert source.weights is not None
    one, two = build_model(source, seed=0), build_model(source, seed=9)
    for name, value in one.model.state_dict().items():
        assert torch.equal(value, two.model.state_dict()[name]), name
        assert value.dtype in {torch.float32, torch.int64}
    edit_config(home, "text_cfg", layers=2)
    with pytest.raises(ConfigError, match="does not fit the configuration of 'page-clip'"):
        build_model(find_source(config=EncoderConfig(), home=home), seed=0)


def test_another_picture_size_is_a_misfit_not_a_stretch(home: Path) -> None:
    save_weights(home)
    edit_config(home, "vision_cfg", image_size=224)
    with pytest.raises(ConfigError, match="positional_embedding has shape"):
        build_model(find_source(config=EncoderConfig(), home=home), seed=0)


@pytest.fixture
def shipped(tmp_path: Path, data_dir: Path) -> Path:
    """A project folder with the shipped model directory, weights and all."""
    shutil.copytree(data_dir / "models" / "page-clip", tmp_path / "shipped" / "models" / "page-clip")
    return tmp_path / "shipped"


def test_emb_06_the_shipped_weights_are_refused_by_the_other_activation(shipped: Path) -> None:
    file = shipped / "models/page-clip" / CONFIG_FILE
    content = json.loads(file.read_text())
    content["model_cfg"]["quick_gelu"] = True
    file.write_text(json.dumps(content))
    with pytest.raises(ConfigError, match="trained with GELU, but 'page-clip' is built with QuickGELU"):
        find_source(config=EncoderConfig(), home=shipped)


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ("missing", "Missing key.*logit_scale"),
        ("unknown", "Unexpected key.*visual.nobody"),
        ("shape", "size mismatch for text_projection"),
        ("stretched", "positional_embedding has shape"),
    ],
)
def test_weights_that_lack_a_part_or_have_one_too_many_are_refused(shipped: Path, fault: str, said: str) -> None:
    from safetensors.torch import load_file, save_file

    file = shipped / "models/page-clip/open_clip_model.safetensors"
    state = load_file(file)
    if fault == "missing":
        del state["logit_scale"]
    elif fault == "unknown":
        state["visual.nobody"] = state["logit_scale"].clone()
    else:
        name = "text_projection" if fault == "shape" else "visual.attnpool.positional_embedding"
        state[name] = state[name][:-1].clone()
    save_file(state, file)
    with pytest.raises(ConfigError, match=f"does not fit the configuration of 'page-clip'.*{said}"):
        build_model(find_source(config=EncoderConfig(), home=shipped), seed=0)


@pytest.mark.parametrize("content", [b"", b"garbage", "archive"])
def test_a_file_that_holds_no_tensors_is_refused_and_never_run(home: Path, content: bytes | str) -> None:
    torch = import_torch()
    if content == "archive":
        torch.save({"state_dict": Unwanted()}, home / "w.pt")
    else:
        (home / "w.pt").write_bytes(content)  # type: ignore[arg-type]  # bytes in both other cases
    with pytest.raises(ConfigError, match=r"w\.pt cannot be read as weights") as caught:
        build_model(find_source(config=EncoderConfig(checkpoint="w.pt"), home=home), seed=0)
    assert "weights_only" not in str(caught.value)  # torch's own advice would run what the file says
    assert not Unwanted.was_run


class Unwanted:
    """A pickled object that would run code of its own."""

    was_run = False

    def __reduce__(self) -> tuple[object, ...]:
        return _run, ()


def _run() -> None:
    Unwanted.was_run = True


def test_what_open_clip_cannot_build_is_named(home: Path) -> None:
    edit_config(home, "vision_cfg", timm_model_name="no_such_tower")
    with pytest.raises(ConfigError, match="open_clip cannot build 'page-clip' as it is configured"):
        build_model(find_source(config=EncoderConfig(), home=home), seed=0)


def test_a_vocabulary_of_another_size_is_refused(home: Path) -> None:
    edit_config(home, "text_cfg", tokenizer_kwargs={})
    with pytest.raises(ConfigError, match="has 8706 token ids, its vocabulary 49408"):
        build_model(find_source(config=EncoderConfig(), home=home), seed=0)


def test_building_leaves_random_state_and_logging_as_they_were(home: Path) -> None:
    torch = import_torch()
    before, handlers = torch.random.get_rng_state(), list(logging.getLogger().handlers)
    with quiet_logging():
        build_model(find_source(config=EncoderConfig(), home=home), seed=3)
    assert torch.equal(torch.random.get_rng_state(), before)
    assert logging.getLogger().handlers == handlers
    assert logging.root.manager.disable == 0


def test_untrained_pictures_are_told_apart_by_more_than_rounding(home: Path) -> None:
    torch = import_torch()
    built = build_model(find_source(config=EncoderConfig(), home=home), seed=0)
    blank = torch.full((1, 3, 192, 192), 2.0)
    inked = blank.clone()
    inked[:, :, 40:80, 30:150] = -1.5
    with torch.inference_mode():
        one, other = (torch.nn.functional.normalize(built.model.encode_image(page)) for page in (blank, inked))
    assert float((one * other).sum()) < 0.9999
