"""One step of the command: weights, figures and what they rest on are written; the project's own stay as they were."""

import json
import shutil
from pathlib import Path

import pytest
from PIL import Image

from eval_pipeline.cli.commands import encoder_training
from eval_pipeline.cli.commands.encoder_pages import HeldOut
from eval_pipeline.cli.commands.encoder_training import run_measuring, run_training
from eval_pipeline.embeddings.loading import load_encoder
from eval_pipeline.embeddings.reading_skill import SkillPage, SkillQuestion
from eval_pipeline.embeddings.training import TrainingSettings
from eval_pipeline.foundation.config import EncoderConfig
from eval_pipeline.foundation.errors import ConfigError

DATA = Path(__file__).parents[3] / "data"


def draw_five(*, home: Path, workers: int) -> HeldOut:
    pages = []
    for row in range(5):
        path = home / f"{row}.png"
        Image.new("RGB", (60, 80), (40 * row, 90, 200 - 40 * row)).save(path)
        pages.append(SkillPage(picture=path, template="t", facets={"period": str(row), "metric": "m", "entity": "e"}))
    return HeldOut(pages=tuple(pages), questions=(SkillQuestion(text="What was the revenue?", gold=0),))


def test_one_step_leaves_a_model_that_loads_and_its_figures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(DATA / "models" / "page-clip", tmp_path / "home" / "models" / "page-clip")
    shutil.copyfile(DATA / "eval.yaml", tmp_path / "home" / "eval.yaml")
    before = {path.name: path.read_bytes() for path in (tmp_path / "home/models/page-clip").iterdir()}
    monkeypatch.setattr(encoder_training, "draw_held_out", draw_five)
    settings = TrainingSettings(n_first_steps=1, n_steps=1, n_last_steps=1, batch_size=4, seed=2, is_bf16=False)
    run_training(home=tmp_path / "home", out=tmp_path / "own", n_reports=1, settings=settings)
    assert {path.name: path.read_bytes() for path in (tmp_path / "home/models/page-clip").iterdir()} == before
    made = load_encoder(config=EncoderConfig(model="local-dir:own"), home=tmp_path)
    assert made.is_trained
    content = json.loads((tmp_path / "own" / "evaluation.json").read_text())
    assert [row["arena"] for row in content["held_out"]][:2] == ["random", "siblings"]
    assert content["training"]["n_pages"] == 26
    assert content["training"]["seed"] == 2
    assert content["training"]["n_steps_taken"] == 3
    assert "step 3 of 3" in capsys.readouterr().out


def test_measuring_again_keeps_what_is_noted_of_the_training(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "models" / "page-clip"
    shutil.copytree(DATA / "models" / "page-clip", folder)
    shutil.copyfile(DATA / "eval.yaml", tmp_path / "eval.yaml")
    monkeypatch.setattr(encoder_training, "draw_held_out", draw_five)
    before = json.loads((folder / "evaluation.json").read_text())
    run_measuring(home=tmp_path)
    after = json.loads((folder / "evaluation.json").read_text())
    assert after["training"] == before["training"]
    assert after["weights_hash"] == before["weights_hash"]
    assert after["held_out"][0]["n_questions"] == 1
    (folder / "evaluation.json").write_text(json.dumps({**before, "weights_hash": "of others"}))
    run_measuring(home=tmp_path)
    assert json.loads((folder / "evaluation.json").read_text())["training"] is None
    (folder / "open_clip_model.safetensors").unlink()
    with pytest.raises(ConfigError, match="no weights to measure"):
        run_measuring(home=tmp_path)
