"""What a person may want to do after a run."""

from pathlib import Path

from eval_pipeline.cli.console import say, say_plain
from eval_pipeline.cli.declared import declared_contract_ids
from eval_pipeline.foundation.errors import ConfigError
from eval_pipeline.foundation.settings import ProjectPaths, find_project


def say_coverage(paths: ProjectPaths) -> None:
    """How many pages lack a facet, and so take part in no axis; a warning where these are many."""
    from eval_pipeline.foundation.config import load_project
    from eval_pipeline.ledger.connection import session
    from eval_pipeline.negatives.coverage import count_coverage

    with session(paths) as ledger:
        units = ledger.read("corpus/units_in_force")
    coverage = count_coverage(units["facets"].to_list(), load_project(paths.config).axes)
    if coverage.is_low:
        say_plain(f"look at  facets: {coverage.tell()}; see 'facets' in eval.yaml")
    elif coverage.n_units:
        say_plain(f"facets   {coverage.tell()}")


def say_next(paths: ProjectPaths) -> None:
    """Where the report is and the next commands to try."""
    from eval_pipeline.ledger.connection import session

    with session(paths) as ledger:
        example = ledger.read("metrics/headline_example", params={"contract_ids": declared_contract_ids(paths)})
    there = _home_option(paths)
    say()
    say(f"report   {_short(paths.report)}")
    if example.height:
        what = f"variant {example.item(0, 'variant')}, sufficient@1 among siblings"
        say(f"trace    eval-pipeline trace {example.item(0, 'metric_id')}{there}   ({what})")
    say(f"verify   eval-pipeline verify{there}")
    say(f"look     eval-pipeline up{there}")


def _home_option(paths: ProjectPaths) -> str:
    """`--home DIR` where the next command would find another project without it."""
    try:
        is_found = find_project().home == paths.home
    except ConfigError:
        is_found = False
    return "" if is_found else f" --home {_short(paths.home)}"


def _short(path: Path) -> str:
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else str(path)
