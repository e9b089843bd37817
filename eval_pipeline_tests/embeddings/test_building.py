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
