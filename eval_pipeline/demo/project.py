"""Make a complete project folder of the demo."""

import shutil
from pathlib import Path

from eval_pipeline.demo.corpus import DEMO_SEED, DemoCorpus, draw_demo
from eval_pipeline.foundation.errors import InputError
from eval_pipeline.foundation.files import write_atomically

TEMPLATES = Path(__file__).parent / "project"
REPOSITORY_MODELS = Path(__file__).parents[2] / "data" / "models"


def make_project(*, home: Path, n_pages: int, seed: int = DEMO_SEED, models: Path = REPOSITORY_MODELS) -> DemoCorpus:
    """Write `eval.yaml`, the contract and the encoder's files into a folder and draw the corpus there.

    Args:
        home: the folder; made where it is missing.
        n_pages: at least 12.
        seed: of companies and figures.
        models: folder of models to copy; where it is absent none are copied, and `eval.yaml` has to name another
            encoder before it can be run.

    Raises:
        InputError: the folder has an `eval.yaml` of its own, or there are fewer than 12 pages.
    """
    return write_project(home=home, n_pages=n_pages, seed=seed, models=models, declaration=demo_declaration())


def demo_declaration() -> str:
    """Text of the demo's `eval.yaml`."""
    return (TEMPLATES / "eval.yaml").read_text(encoding="utf-8")


def write_project(*, home: Path, n_pages: int, seed: int, models: Path, declaration: str) -> DemoCorpus:
    """As `make_project`, with another text of `eval.yaml`."""
    declared = home / "eval.yaml"
    if declared.is_file() and declared.read_text(encoding="utf-8") != declaration:
        message = f"{declared} is there already and is not the demo's; choose another folder with --home"
        raise InputError(message)
    drawn = draw_demo(home=home, n_pages=n_pages, seed=seed)
    for source in sorted((TEMPLATES / "contracts").glob("*.yaml")):
        write_atomically(home / "contracts" / source.name, source.read_bytes())
    if models.is_dir() and models.resolve() != (home / "models").resolve():
        shutil.copytree(models, home / "models", dirs_exist_ok=True)
    write_atomically(declared, declaration.encode())
    return drawn
