"""`eval-pipeline doctor`."""

import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from eval_pipeline.cli.console import say, say_json, say_plain
from eval_pipeline.foundation.config import load_project
from eval_pipeline.foundation.errors import ConfigError, LineageError
from eval_pipeline.foundation.settings import ProjectPaths, find_project
from eval_pipeline.ledger.doctor import Finding

PICTURE, VECTORS = "picture missing", "vector file missing"
N_SHOWN = 10
"""Findings of one check that are told; `--json` holds all."""
CLOSED = frozenset({"ledger missing", "ledger version", "ledger damaged"})
"""Findings after which the ledger's content cannot be looked at."""


@dataclass(frozen=True, kw_only=True)
class Checked:
    """One thing that was looked at.

    Attributes:
        name: what.
        told: what holds where nothing is wrong, or why it was not looked at.
        state: `ok`, `wrong` or `not checked`.
        findings: what is wrong.
    """

    name: str
    told: str
    state: str
    findings: tuple[Finding, ...] = ()


CHECKS: tuple[tuple[str, str, frozenset[str], bool], ...] = (
    (
        "commits",
        "every commit can be read and is applied",
        frozenset({"commit version", "commit damaged", "commit waits", "commit unfinished", "commit gone"}),
        False,
    ),
    ("ledger", "it opens, and has the tables of this version", CLOSED | {"log set aside"}, False),
    (
        "rows",
        "every table holds the rows that its commits brought",
        frozenset({"commit lost", "row lost", "row without commit"}),
        True,
    ),
    ("pictures", "every picture that the ledger names is on disk", frozenset({PICTURE}), True),
    ("vectors", "every vector file that the ledger names is on disk", frozenset({VECTORS}), True),
)
"""Name, what holds, kinds of finding, and whether it needs an open ledger."""


def run_doctor(*, home: Path | None, repair: bool, as_json: bool) -> None:
    """Print what was checked, with ok, or what is wrong and how to mend it; exit code 1 while anything is left.

    Raises:
        ConfigError: `eval.yaml` or a contract is wrong: nothing else can be said before that is right.
    """
    from eval_pipeline.ledger import doctor

    paths = find_project(home)
    declared = _check_declared(paths)
    has_run = paths.ledger.exists() or paths.commits.exists()
    mended = _repair(paths) if repair and has_run else []
    left = [_explained(item, mended) for item in doctor.examine(paths)] if has_run else []
    checked = [declared, *read_checks(left, has_run=has_run)]
    mended = [item for item in mended if item.is_repairable]
    if as_json:
        say_json(
            {
                "checked": [{"name": one.name, "state": one.state, "told": one.told} for one in checked],
                "mended": [asdict(item) for item in mended],
                "findings": [asdict(item) for item in left],
            }
        )
    else:
        _say(checked, mended, is_sound=not left)
    if left:
        sys.exit(LineageError.exit_code)


def _check_declared(paths: ProjectPaths) -> Checked:
    from eval_pipeline.orchestration.checking import check_declaration
    from eval_pipeline.tasks.contracts import load_contracts

    glob = load_project(paths.config).contracts
    contracts = load_contracts(paths.home, glob)
    if not contracts:
        message = f"no contract matches {glob}; declare one before the run"
        raise ConfigError(message, path=str(paths.config), key="contracts")
    check_declaration(paths)
    told = f"eval.yaml and {len(contracts)} contract{'s' if len(contracts) > 1 else ''} can be read and used"
    return Checked(name="declaration", told=told, state="ok")


def _repair(paths: ProjectPaths) -> list[Finding]:
    """Mend the ledger first, then the files that it names; what could not be made again says why."""
    from eval_pipeline.ledger import doctor
    from eval_pipeline.orchestration.mending_files import embed_again, redraw_pictures

    mended = list(doctor.repair(paths))
    for kind, make in ((PICTURE, redraw_pictures), (VECTORS, embed_again)):
        lost = [item.place for item in doctor.examine(paths) if item.kind == kind]
        for made in make(paths, lost):
            is_mended = not made.reason
            message = "made again, with the content that its name promises" if is_mended else made.reason
            mended.append(Finding(kind=kind, place=made.path, message=message, next_step="", is_repairable=is_mended))
    return mended


def _explained(finding: Finding, tried: Sequence[Finding]) -> Finding:
    """What is left, with the reason why a repair failed, where one was tried."""
    for item in tried:
        if (item.kind, item.place) == (finding.kind, finding.place) and not item.is_repairable:
            step = f"copy {finding.place} back from a backup of derived/"
            return Finding(
                kind=finding.kind, place=finding.place, message=item.message, next_step=step, is_repairable=False
            )
    return finding


def read_checks(findings: Sequence[Finding], *, has_run: bool) -> list[Checked]:
    """What each check came to.

    Args:
        findings: everything that is wrong.
        has_run: whether there is a ledger or a commit at all.
    """
    is_closed = any(item.kind in CLOSED for item in findings)
    checked = []
    for name, told, kinds, needs_ledger in CHECKS:
        mine = tuple(item for item in findings if item.kind in kinds)
        if not has_run:
            checked.append(Checked(name=name, told="nothing has run yet", state="not checked"))
        elif mine:
            checked.append(Checked(name=name, told=told, state="wrong", findings=mine))
        elif needs_ledger and is_closed:
            checked.append(Checked(name=name, told="the ledger cannot be read", state="not checked"))
        else:
            checked.append(Checked(name=name, told=told, state="ok"))
    known = frozenset().union(*(kinds for _, _, kinds, _ in CHECKS))
    others = tuple(item for item in findings if item.kind not in known)
    return [*checked, *([Checked(name="further", told="", state="wrong", findings=others)] if others else [])]


def _say(checked: Sequence[Checked], mended: Sequence[Finding], *, is_sound: bool) -> None:
    for item in mended[:N_SHOWN]:
        say(f"[green]mended[/green]       {item.kind}: {item.place}")
    if len(mended) > N_SHOWN:
        say_plain(f"             and {len(mended) - N_SHOWN} more")
    for one in checked:
        say_plain(f"{one.state:<12} {one.name:<12} {one.told}" if not one.findings else f"wrong        {one.name}")
        for item in one.findings[:N_SHOWN]:
            say_plain(f"             {item.kind}: {item.place}: {item.message}; {item.next_step}")
        if len(one.findings) > N_SHOWN:
            say_plain(f"             and {len(one.findings) - N_SHOWN} more: --json")
    if is_sound:
        say("nothing is wrong")
