"""`eval-pipeline review`."""

import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

from eval_pipeline.cli.commands.up import refuse_taken_port
from eval_pipeline.cli.console import say, say_plain
from eval_pipeline.foundation.config import load_project
from eval_pipeline.foundation.errors import UnknownName
from eval_pipeline.foundation.settings import ProjectPaths, find_project

if TYPE_CHECKING:
    from starlette.applications import Starlette

    from eval_pipeline.runs.eligibility import Clearance

HOST = "127.0.0.1"


def serve_review(
    *, home: Path | None, port: int, clearance: str | None, groups: Sequence[str], author_kind: str
) -> None:
    """Serve the review pages until SIGTERM or SIGINT; requests under way are answered first.

    Raises:
        ConfigError: there is no project folder.
        InputError: the port is taken, or the clearance is none of the declared levels.
    """
    paths = find_project(home)
    refuse_taken_port(port)
    app = make_review(paths, port=port, clearance=clearance, groups=groups, author_kind=author_kind)
    say(f"review pages   http://{HOST}:{port}")
    say_plain("each decision is stored at once; stop with Ctrl-C")
    serve(app, port=port)


def make_review(
    paths: ProjectPaths, *, port: int, clearance: str | None, groups: Sequence[str], author_kind: str
) -> "Starlette":
    """The app of a project."""
    from eval_pipeline.orchestration.resources import Project
    from eval_pipeline.orchestration.review_reading import LedgerDesk
    from eval_pipeline.report.review.app import build_app
    from eval_pipeline.report.review.desk import Desk
    from eval_pipeline.report.review.records import DeskSettings

    declared = load_project(paths.config).labels
    ledger = LedgerDesk(project=Project(home=str(paths.home)), clearance=clearance_for(paths, clearance, groups))
    settings = DeskSettings(author_kind=author_kind, is_blind=declared.blind, people_per_pair=declared.people_per_pair)
    return build_app(Desk(ledger, settings, now=lambda: datetime.now(UTC)), port=port)


def clearance_for(paths: ProjectPaths, level: str | None, groups: Sequence[str]) -> "Clearance | None":
    """Who looks; None where no level was given: who can start this can read the folder.

    Raises:
        UnknownName: the level is none of the declared ones.
    """
    from eval_pipeline.runs.eligibility import Clearance

    if level is None:
        return None
    levels = load_project(paths.config).corpus.access.levels
    if level not in levels:
        message = f"{level!r} is no access level; declared under corpus.access.levels: {', '.join(levels)}"
        raise UnknownName(message, name=level)
    return Clearance(level=level, groups=tuple(groups))


def serve(app: "Starlette", *, port: int) -> None:
    """Serve on loopback; a signal ends it cleanly, with exit code 0."""
    import uvicorn

    server = uvicorn.Server(
        uvicorn.Config(app, host=HOST, port=port, log_level="warning", server_header=False, timeout_graceful_shutdown=5)
    )
    with _signals_to(server):
        server.run()


@contextmanager
def _signals_to(server: "object") -> Iterator[None]:
    """Uvicorn raises the signal again after its shutdown, which would end the process by it; here it is an exit."""
    import contextlib

    def stop(_number: int, _frame: FrameType | None) -> None:
        server.should_exit = True  # type: ignore[attr-defined]

    server.capture_signals = contextlib.nullcontext  # type: ignore[attr-defined]
    before = {number: signal.signal(number, stop) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
