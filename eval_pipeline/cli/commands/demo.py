"""`eval-pipeline demo`."""

from pathlib import Path

from eval_pipeline.cli.commands.run import run_graph
from eval_pipeline.cli.console import say
from eval_pipeline.foundation.errors import ConfigError
from eval_pipeline.foundation.settings import find_project


def run_demo(*, home: Path | None, n_pages: int, seed: int) -> None:
    """Draw the corpus where it is not drawn yet, then run the whole graph on it."""
    from eval_pipeline.demo.corpus import draw_demo
    from eval_pipeline.demo.project import make_project

    try:
        place = find_project(home).home
    except ConfigError:
        place = (home or Path("data")).resolve()
        make_project(home=place, n_pages=n_pages, seed=seed)
    drawn = draw_demo(home=place, n_pages=n_pages, seed=seed)
    say(f"demo corpus: {drawn.n_pages} pages under {place.name}/corpus")
    run_graph(home=place, select=None, as_json=False)
