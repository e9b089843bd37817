"""What is typed reaches the training."""

from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from eval_pipeline.cli.app import app
from eval_pipeline.cli.commands import encoder_training


def test_options_become_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    told: dict[str, Any] = {}
    monkeypatch.setattr(encoder_training, "run_training", lambda **given: told.update(given))
    typed = [
        "encoder",
        "train",
        "--out",
        "own",
        "--steps",
        "7",
        "--reports",
        "3",
        "--seed",
        "5",
        "--bf16",
        "--last-steps",
        "6",
    ]
    result = CliRunner().invoke(app, typed)
    assert result.exit_code == 0, result.output
    settings = told["settings"]
    assert (settings.n_steps, settings.seed, settings.is_bf16) == (7, 5, True)
    assert (settings.logit_scale, settings.batch_size, settings.learning_rate) == (40.0, 64, 7e-4)
    assert (settings.first_rate, settings.n_first_steps) == (1e-3, 1000)
    assert (settings.last_rate, settings.n_last_steps) == (5e-4, 6)
    assert (told["out"], told["n_reports"], told["home"]) == (Path("own"), 3, None)
    assert told["is_continued"] is False
    assert CliRunner().invoke(app, [*typed, "--continued", "--first-steps", "9"]).exit_code == 0
    assert (told["is_continued"], told["settings"].n_first_steps) == (True, 9)


def test_more_reports_than_companies_are_refused() -> None:
    assert CliRunner().invoke(app, ["encoder", "train", "--reports", "961"]).exit_code == 2
