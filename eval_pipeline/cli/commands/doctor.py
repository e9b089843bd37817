"""`eval-pipeline doctor`."""

import sys
from dataclasses import asdict
from pathlib import Path

from eval_pipeline.cli.console import say, say_json, say_plain
from eval_pipeline.foundation.config import load_project
from eval_pipeline.foundation.errors import ConfigError, LineageError
from eval_pipeline.foundation.settings import find_project


def run_doctor(*, home: Path | None, repair: bool, as_json: bool) -> None:
    """Print every finding; exit code 1 while anything is left to mend.

    Raises:
        ConfigError: `eval.yaml` or a contract is wrong: nothing else can be said before that is right.
    """
    from eval_pipeline.ledger import doctor
    from eval_pipeline.tasks.contracts import load_contracts

    paths = find_project(home)
    declared = load_project(paths.config)
    if not load_contracts(paths.home, declared.contracts):
        message = f"no contract matches {declared.contracts}; declare one before the run"
        raise ConfigError(message, path=str(paths.config), key="contracts")
    mended = doctor.repair(paths) if repair else []
    left = doctor.examine(paths) if paths.ledger.exists() or paths.commits.exists() else []
    if as_json:
        say_json({"mended": [asdict(item) for item in mended], "findings": [asdict(item) for item in left]})
    else:
        for item in mended:
            say(f"[green]mended[/green] {item.kind}: {item.place}")
        for item in left:
            say_plain(f"{item.kind}: {item.place}: {item.message}; {item.next_step}")
        if not left:
            say("nothing is wrong")
    if left:
        sys.exit(LineageError.exit_code)
