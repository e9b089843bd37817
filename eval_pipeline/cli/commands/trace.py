"""`eval-pipeline trace`."""

from collections.abc import Iterator
from pathlib import Path

from eval_pipeline.cli.console import say_json, say_plain
from eval_pipeline.foundation.settings import find_project
from eval_pipeline.receipts.trace_nodes import TraceNode

MADE_BY = "made by commit"


def show_trace(*, identity: str, home: Path | None, forward: bool, as_json: bool) -> None:
    """Print the way back from an id, or forward to all that rests on it."""
    from eval_pipeline.ledger.connection import session
    from eval_pipeline.receipts.tracing import trace, trace_forward

    with session(find_project(home)) as ledger:
        node = trace_forward(ledger, identity) if forward else trace(ledger, identity)
    if as_json:
        say_json(node.to_dict())
        return
    for line in tell(node):
        say_plain(line)


def tell(node: TraceNode) -> Iterator[str]:
    """The tree as text; the commits that made its rows are footnotes, each told once at the end."""
    commits: dict[str, int] = {}
    facts: dict[str, str] = {}
    yield from _tell(node, commits, facts, depth=0)
    if commits:
        yield ""
        yield "made by"
    for commit_id, number in commits.items():
        yield f"  [{number}] {commit_id} {facts[commit_id]}"


def _tell(node: TraceNode, commits: dict[str, int], facts: dict[str, str], *, depth: int) -> Iterator[str]:
    marks = []
    for child in node.children:
        if child.kind == MADE_BY:
            number = commits.setdefault(child.identity, len(commits) + 1)
            facts[child.identity] = _spell(child)
            marks.append(f"[{number}]")
    head = " ".join(part for part in (node.kind, node.identity, _spell(node), *marks) if part)
    yield "  " * depth + head
    for child in node.children:
        if child.kind != MADE_BY:
            yield from _tell(child, commits, facts, depth=depth + 1)


def _spell(node: TraceNode) -> str:
    return " · ".join(f"{name} {_round(value)}" for name, value in node.facts.items() if value not in (None, ""))


def _round(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)
