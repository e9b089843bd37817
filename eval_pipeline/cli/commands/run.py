"""`eval-pipeline run`."""

from collections.abc import Sequence
from pathlib import Path

from eval_pipeline.cli.commands.metrics import show_metrics
from eval_pipeline.cli.commands.next_steps import say_coverage, say_next
from eval_pipeline.cli.console import say, say_json
from eval_pipeline.foundation.settings import find_project


def run_graph(*, home: Path | None, select: Sequence[str] | None, as_json: bool) -> None:
    """Materialise, then print the table where the whole graph ran."""
    from eval_pipeline.orchestration.running import run_project

    paths = find_project(home)
    finished = run_project(paths, select=select, quiet=as_json)
    if as_json:
        say_json({"dagster_run_ids": finished.dagster_run_ids, "failed_checks": finished.failed_checks})
        return
    for name in finished.failed_checks:
        say(f"[yellow]check did not pass: {name}[/yellow]")
    if select is None:
        show_metrics(home=home, contract=None, as_json=False, only_first=True)
        say_coverage(paths)
        say_next(paths)


def run_touched(*, home: Path | None, as_json: bool) -> None:
    """Backfill the buckets that a template change has left stale, and say which these were."""
    from eval_pipeline.orchestration.running import run_stale

    stale, finished = run_stale(find_project(home), quiet=as_json)
    if as_json:
        say_json({"buckets": stale, "dagster_run_ids": finished.dagster_run_ids})
        return
    told = ", ".join(stale) if stale else "none"
    say(f"stale buckets: {told}; 'eval-pipeline run' takes what is new in them on to the figures")
