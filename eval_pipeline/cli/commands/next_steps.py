"""What a person may want to do after a run."""

from pathlib import Path

from eval_pipeline.cli.console import say
from eval_pipeline.cli.declared import declared_contract_ids
from eval_pipeline.foundation.settings import ProjectPaths


def say_next(paths: ProjectPaths) -> None:
    """Where the report is and the next commands to try."""
    from eval_pipeline.ledger.connection import session

    with session(paths) as ledger:
        example = ledger.read("metrics/headline_example", params={"contract_ids": declared_contract_ids(paths)})
    say()
    say(f"report   {_short(paths.report)}")
    if example.height:
        say(f"trace    eval-pipeline trace {example.item(0, 'metric_id')}")
    say("verify   eval-pipeline verify")
    say("look     eval-pipeline up")


def _short(path: Path) -> str:
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else str(path)
