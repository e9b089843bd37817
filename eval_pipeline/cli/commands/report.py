"""`eval-pipeline report`."""

from pathlib import Path

from eval_pipeline.cli.console import say_plain
from eval_pipeline.foundation.errors import LineageError
from eval_pipeline.foundation.settings import find_project


def show_report(*, home: Path | None, picture: Path | None, variant: str) -> None:
    """Print the path of the report; with `picture`, draw its argument as one PNG as well.

    Raises:
        LineageError: there is none yet.
    """
    paths = find_project(home)
    if not paths.report.exists():
        message = f"no report yet under {paths.home.name}/; run 'eval-pipeline run' first"
        raise LineageError(message)
    if picture is not None:
        from eval_pipeline.orchestration.report_reading import read_report
        from eval_pipeline.orchestration.resources import Project
        from eval_pipeline.report.lead_picture import draw_lead

        picture.parent.mkdir(parents=True, exist_ok=True)
        draw_lead(read_report(Project(home=str(paths.home))), variant=variant).save(picture, optimize=True)
        say_plain(str(picture))
    say_plain(str(paths.report))
