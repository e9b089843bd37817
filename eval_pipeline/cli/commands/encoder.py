"""`eval-pipeline encoder`: train the small encoder that ships with the project, and say what it can read."""

from pathlib import Path
from typing import Annotated

import typer

encoder_app = typer.Typer(no_args_is_help=True, help="Train and measure the small encoder that ships with the project.")

N_FIRST_STEPS = 1000
N_STEPS = 2200
N_LAST_STEPS = 800
N_REPORTS = 300


@encoder_app.command()
def measure(
    *,
    home: Annotated[
        Path | None,
        typer.Option("--home", help="Project folder; default: EVAL_PIPELINE_HOME, then ./data.", show_default=False),
    ] = None,
) -> None:
    """Measure models/page-clip on companies and years it never saw, and renew its evaluation.json.

    Example: eval-pipeline encoder measure
    """
    from eval_pipeline.cli.commands.encoder_training import run_measuring

    run_measuring(home=home)


@encoder_app.command()
def train(
    *,
    home: Annotated[
        Path | None,
        typer.Option("--home", help="Project folder; default: EVAL_PIPELINE_HOME, then ./data.", show_default=False),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(help="Folder for the trained model; default: replace the project's.", show_default=False),
    ] = None,
    first_steps: Annotated[
        int, typer.Option(min=0, help="Optimiser steps of the first lesson; about 0.9 s each on two free cores.")
    ] = N_FIRST_STEPS,
    steps: Annotated[int, typer.Option(min=0, help="Optimiser steps of the second lesson.")] = N_STEPS,
    last_steps: Annotated[int, typer.Option(min=1, help="Optimiser steps of the third lesson.")] = N_LAST_STEPS,
    continued: Annotated[
        bool, typer.Option(help="Go on from the project's weights, with the third lesson only.")
    ] = False,
    reports: Annotated[int, typer.Option(min=1, max=960, help="Reports to learn from, 26 pages each.")] = N_REPORTS,
    seed: Annotated[int, typer.Option(help="Seed of first weights and batches.")] = 0,
    bf16: Annotated[bool, typer.Option(help="Train in bfloat16; faster where the CPU has units for it.")] = False,
) -> None:
    """Train models/page-clip on drawn pages, and measure it on companies and years it never saw.

    Example: eval-pipeline encoder train --out my-page-clip
    """
    from eval_pipeline.cli.commands.encoder_training import run_training
    from eval_pipeline.embeddings.training import TrainingSettings

    settings = TrainingSettings(
        n_first_steps=first_steps, n_steps=steps, n_last_steps=last_steps, seed=seed, is_bf16=bf16
    )
    run_training(home=home, out=out, n_reports=reports, settings=settings, is_continued=continued)
