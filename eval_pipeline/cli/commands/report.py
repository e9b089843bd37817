"""`eval-pipeline report`."""

from pathlib import Path

from eval_pipeline.cli.console import say_plain
from eval_pipeline.foundation.errors import LineageError
from eval_pipeline.foundation.settings import find_project


def show_report(*, home: Path | None) -> None:
    """Print the path of the report.

    Raises:
        LineageError: there is none yet.
    """
    paths = find_project(home)
    if not paths.report.exists():
        message = f"no report yet under {paths.home.name}/; run 'eval-pipeline run' first"
        raise LineageError(message)
    say_plain(str(paths.report))
