"""The smallest project in which every axis has a sibling: twelve pages, for the road test."""

from pathlib import Path

from eval_pipeline.demo.corpus import DEMO_SEED, DemoCorpus
from eval_pipeline.demo.project import REPOSITORY_MODELS, demo_declaration, write_project

N_PAGES = 12
FULL = "negatives: {k: 6, random: 6, min_negatives: 4, backfill: none, strict: true}"
SMALL = "negatives: {k: 3, random: 3, min_negatives: 2, backfill: none, strict: false}"


def make_twelve(*, home: Path, seed: int = DEMO_SEED, models: Path = REPOSITORY_MODELS) -> DemoCorpus:
    """Two companies, two quarters, two bar charts and an income statement each; pools of three.

    Each bar chart has one sibling per axis, so pools are declared three wide and two suffice; thirty questions are
    not reached, so the check of negatives by appearance is not strict.

    Raises:
        InputError: see `make_project`.
    """
    declaration = demo_declaration().replace(FULL, SMALL)
    assert SMALL in declaration
    return write_project(home=home, n_pages=N_PAGES, seed=seed, models=models, declaration=declaration)
