"""`eval-pipeline trace`."""

import shutil
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from eval_pipeline.cli.console import say_json, say_plain
from eval_pipeline.foundation.settings import find_project
from eval_pipeline.receipts.trace_nodes import TraceNode

MADE_BY = "made by commit"
LIMITS = {"receipts": 20, "metrics": 20, "verdicts": 14}
"""How many of a long list are told on a terminal; `--json` holds all."""
SHORT = 8
"""Digits of a hash that are told of it; `--json` holds all."""

SHOWN: dict[str, tuple[str, ...]] = {
    "receipt": ("measure", "value", "reason", "arena", "n_candidates", "n_unjudged", "stage_loss", "question_id"),
    "metric": (
        *("measure", "estimate", "reason", "low", "high", "interval", "arena", "slice", "slice_value"),
        *("n_scored", "n_questions", "policy_counts", "chance"),
    ),
    "question": ("text", "origin", "writer", "expected_answer", "named_axes", "declared_id"),
    "page": ("file", "page", "facets"),
    "source file": ("change", "access", "content_hash"),
    "template": ("state", "round", "distance"),
    "template version": ("reason",),
    "well-posedness": ("outcome", "slice", "reason", "failing_axes", "policy"),
    "verdict": ("on", "verb", "outcome", "reason", "judge"),
    "label": ("grade", "author_kind", "author", "reason"),
    "pool": ("n_negatives", "template_id"),
    "variant": ("name", "kind"),
    "encoder": ("name", "kind", "dim", "is_trained"),
    "run": ("depth", "batch_id"),
    "evaluation": ("batch_id", "label_snapshot_id", "stamps"),
    "contract": ("task", "registered_at_utc"),
    MADE_BY: ("asset", "partition", "code_version", "dagster_run_id", "made_at_utc"),
}
"""Facts that a person follows, by kind; of other kinds all are told."""

HEADINGS = {
    "ranking": "pages that were read, in order of rank",
    "negatives": "hard negatives that they stood against",
    "labels behind R": "labels on further candidates",
    "verdicts": "verdicts of judges: gold, then negatives by axis and rank, then what came back",
    "outcomes": "whether it is well posed",
    "parent": "the question that it qualifies",
    "gold": "pages that it was written from",
    "variant": "model: variant",
    "encoder": "model: encoder",
}


def show_trace(*, identity: str, home: Path | None, forward: bool, as_json: bool) -> None:
    """Print the way back from an id, or forward to all that rests on it."""
    from eval_pipeline.ledger.connection import session
    from eval_pipeline.receipts.tracing import trace, trace_forward

    with session(find_project(home)) as ledger:
        node = trace_forward(ledger, identity) if forward else trace(ledger, identity)
    if as_json:
        say_json(node.to_dict())
        return
    for line in tell(node, width=shutil.get_terminal_size((100, 24)).columns):
        say_plain(line)


@dataclass(kw_only=True)
class _Telling:
    """What has been told so far.

    Attributes:
        width: columns of the terminal.
        commits: number of each commit, in order of first mention.
        facts: what a commit was, by id.
        seen: pages whose file and template were told.
    """

    width: int
    commits: dict[str, int] = field(default_factory=dict)
    facts: dict[str, str] = field(default_factory=dict)
    seen: set[str] = field(default_factory=set)


def tell(node: TraceNode, *, width: int = 100) -> Iterator[str]:
    """The tree as text for a terminal.

    Commits that made its rows, the code of the way, are footnotes told once at the end; a page is told in full where
    it comes first; hashes are cut, ids that `trace` takes are not.

    Args:
        node: see `receipts.tracing.trace`.
        width: columns; longer lines go on below, indented.
    """
    telling = _Telling(width=max(40, width))
    yield from _tell(node, telling, depth=0)
    if telling.commits:
        yield ""
        yield "code: each number names the commit that made what stands before it"
    for commit_id, number in telling.commits.items():
        yield from _wrap(f"[{number}] {telling.facts[commit_id]}, {commit_id}", telling, depth=1)


def _tell(node: TraceNode, telling: _Telling, *, depth: int) -> Iterator[str]:
    is_known = node.kind == "page" and node.identity in telling.seen
    telling.seen.update([node.identity] if node.kind == "page" else [])
    marks = "" if is_known else " ".join(_marks(node, telling))
    kind = HEADINGS.get(node.kind, node.kind)
    head = " ".join(part for part in (kind, _identity(node), "as above" if is_known else _spell(node), marks) if part)
    yield from _wrap(head, telling, depth=depth)
    if is_known:
        return
    told = [child for child in node.children if child.kind != MADE_BY]
    limit = LIMITS.get(node.kind, len(told))
    for child in told[:limit]:
        yield from _tell(child, telling, depth=depth + 1)
    if len(told) > limit:
        yield from _wrap(f"and {len(told) - limit} more: --json", telling, depth=depth + 1)


def _marks(node: TraceNode, telling: _Telling) -> Iterator[str]:
    for child in node.children:
        if child.kind == MADE_BY:
            number = telling.commits.setdefault(child.identity, len(telling.commits) + 1)
            telling.facts[child.identity] = _spell(child)
            yield f"[{number}]"


def _wrap(text: str, telling: _Telling, *, depth: int) -> list[str]:
    indent = "  " * depth
    lines = textwrap.wrap(
        text,
        width=telling.width,
        initial_indent=indent,
        subsequent_indent=f"{indent}    ",
        break_long_words=False,
        break_on_hyphens=False,
    )
    return lines or [indent]


def _identity(node: TraceNode) -> str:
    return node.identity if "_" in node.identity or "/" in node.identity else node.identity[: 4 * SHORT]


def _spell(node: TraceNode) -> str:
    names = SHOWN.get(node.kind, tuple(node.facts))
    told = ((name, node.facts.get(name)) for name in names)
    return " · ".join(f"{name} {_round(name, value)}" for name, value in told if value not in (None, ""))


def _round(name: str, value: object) -> str:
    if isinstance(value, float):
        return f"{value:.4g}"
    if name.endswith("_hash"):
        return str(value)[:SHORT]
    if name.endswith("_at_utc"):
        return f"{str(value)[:16]}Z"
    return str(value)
