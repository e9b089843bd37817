"""Train the small encoder, save its weights, measure it on pages it never saw, and write down the figures."""

import json
import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from statistics import fmean

from eval_pipeline.cli.commands.encoder_pages import AXES, draw_held_out, draw_training_pages
from eval_pipeline.cli.console import say, say_plain
from eval_pipeline.embeddings.loading import load_encoder
from eval_pipeline.embeddings.reading_skill import SkillFigure, iterate_rows, measure_reading_skill
from eval_pipeline.embeddings.sources import CONFIG_FILE, LOCAL_PREFIX, ModelSource, find_source
from eval_pipeline.embeddings.training import TrainedModel, TrainingSettings, train_model
from eval_pipeline.embeddings.weights import save_weights
from eval_pipeline.foundation.config import EncoderConfig
from eval_pipeline.foundation.errors import ConfigError
from eval_pipeline.foundation.files import write_atomically
from eval_pipeline.foundation.ids import hash_file
from eval_pipeline.foundation.settings import Settings, find_project

MODEL = "models/page-clip"
EVALUATION_FILE = "evaluation.json"
STEPS_BETWEEN_LINES = 20
N_LAST = 20  # steps whose mean loss is written down


def run_training(
    *, home: Path | None, out: Path | None, n_reports: int, settings: TrainingSettings, is_continued: bool = False
) -> None:
    """Train `models/page-clip` of a project from random weights, or go on from the weights it has.

    Args:
        home: project folder, or None to find it.
        out: folder for configuration, vocabulary, weights and figures; None replaces those of the project.
        n_reports: reports drawn to learn from.
        settings: of the training.
        is_continued: go on from the project's weights with the last lesson.

    Raises:
        ConfigError: the project has no such model directory, or no weights to go on from.
    """
    shipped = find_project(home).home / MODEL
    folder = _prepare(shipped, out)
    source = find_source(config=_config_of(shipped), home=shipped.parent)
    if is_continued and source.weights is None:
        message = f"{MODEL} has no weights to go on from; leave out --continued"
        raise ConfigError(message, path=MODEL, key="encoder.model")
    trained = _train(source, n_reports, settings, is_continued=is_continued)
    notes = {
        "steps": str(len(trained.losses)),
        "seed": str(settings.seed),
        "training_pages": str(trained.n_pages),
    }
    weights = save_weights(built=trained.built, source=source, folder=folder, notes=notes)
    say(f"trained on {trained.n_pages} pages in {trained.elapsed_s:.0f} s; measuring on pages it never saw")
    _write_down(weights, _to_rows(trained, settings), _measure(folder))


def run_measuring(*, home: Path | None) -> None:
    """Measure the weights of `models/page-clip` again and renew their figures; what is noted of the training stays.

    Raises:
        ConfigError: the project has no such model directory, or it has no weights.
    """
    folder = find_project(home).home / MODEL
    weights = find_source(config=_config_of(folder), home=folder.parent).weights
    if weights is None:
        message = f"{MODEL} has no weights to measure; make them with: eval-pipeline encoder train"
        raise ConfigError(message, path=MODEL, key="encoder.model")
    noted = folder / EVALUATION_FILE
    before = json.loads(noted.read_text(encoding="utf-8")) if noted.is_file() else {}
    is_theirs = before.get("weights_hash") == hash_file(weights)
    _write_down(weights, before["training"] if is_theirs else None, _measure(folder))


def _config_of(folder: Path) -> EncoderConfig:
    return EncoderConfig(model=f"{LOCAL_PREFIX}{folder.name}")


def _train(source: ModelSource, n_reports: int, settings: TrainingSettings, *, is_continued: bool) -> TrainedModel:
    size = int(source.model_cfg["vision_cfg"]["image_size"])
    say(f"drawing {n_reports} reports to learn from")
    pages = draw_training_pages(n_reports=n_reports, size=size, workers=Settings().workers)
    n_steps = settings.n_last_steps + (0 if is_continued else settings.n_first_steps + settings.n_steps)
    return train_model(
        source=source, pages=pages, settings=settings, is_continued=is_continued, on_step=_say_step(n_steps)
    )


def _prepare(shipped: Path, out: Path | None) -> Path:
    folder = (out or shipped).resolve()
    if folder != shipped.resolve():
        folder.mkdir(parents=True, exist_ok=True)
        for name in (CONFIG_FILE, "bpe.txt.gz"):
            shutil.copyfile(shipped / name, folder / name)
    return folder


def _say_step(n_steps: int) -> Callable[[int, float], None]:
    """Print the mean loss of every twenty steps; half of them are of two templates, whose loss is much higher."""
    losses: list[float] = []

    def say_mean(step: int, loss: float) -> None:
        losses.append(loss)
        if step == n_steps or step % STEPS_BETWEEN_LINES == 0:
            say(f"step {step} of {n_steps}  mean loss {fmean(losses):.3f}")
            losses.clear()

    return say_mean


def _measure(folder: Path) -> list[SkillFigure]:
    """Figures of the saved weights, loaded as a project loads them."""
    encoder = load_encoder(config=_config_of(folder), home=folder.parent)
    with tempfile.TemporaryDirectory() as scratch:
        held_out = draw_held_out(home=Path(scratch), workers=Settings().workers)
        return measure_reading_skill(encoder=encoder, pages=held_out.pages, questions=held_out.questions, axes=AXES)


def _to_rows(trained: TrainedModel, settings: TrainingSettings) -> dict[str, object]:
    return {
        **asdict(settings),
        "n_steps_taken": len(trained.losses),
        "n_pages": trained.n_pages,
        "elapsed_s": round(trained.elapsed_s),
        "loss_first": round(trained.losses[0], 3),
        "loss_last_mean": round(fmean(trained.losses[-N_LAST:]), 3),
    }


def _write_down(weights: Path, training: Mapping[str, object] | None, figures: Sequence[SkillFigure]) -> None:
    rows = list(iterate_rows(figures))
    for row in rows:
        value = "none" if row["top1"] is None else f"{row['top1']:.3f}"
        say_plain(f"{row['arena']:<14} top-1 {value}  chance {row['chance']:.3f}  {row['n_questions']} questions")
    found = {"weights_hash": hash_file(weights), "held_out": rows, "training": training}
    path = weights.parent / EVALUATION_FILE
    write_atomically(path, (json.dumps(found, indent=2) + "\n").encode())
    say_plain(f"figures written to {path}")
