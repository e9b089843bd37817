"""A trace as a tree of plain facts, for people and for programs."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any


@dataclass(frozen=True, kw_only=True)
class TraceNode:
    """One thing on the way.

    Attributes:
        kind: what it is: `receipt`, `question`, `page`, `label`, ...
        identity: its id; empty for a heading.
        facts: short facts by name, in the order to show them; times are ISO 8601 in UTC.
        children: what it rests on, or, going forward, what rests on it.
    """

    kind: str
    identity: str = ""
    facts: Mapping[str, str | int | float | bool | None] = field(default_factory=dict)
    children: tuple["TraceNode", ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The tree as plain data, for `--json`."""
        return {
            "kind": self.kind,
            "id": self.identity,
            "facts": dict(self.facts),
            "children": [child.to_dict() for child in self.children],
        }

    def lines(self, depth: int = 0) -> Iterator[str]:
        """The tree as text, one node a line, children indented by two blanks."""
        told = " · ".join(f"{name} {value}" for name, value in self.facts.items() if value not in (None, ""))
        yield "  " * depth + " ".join(part for part in (self.kind, self.identity, told) if part)
        for child in self.children:
            yield from child.lines(depth + 1)

    def find_all(self, kind: str) -> list["TraceNode"]:
        """Every node of a kind, in the order in which the tree shows them."""
        own = [self] if self.kind == kind else []
        return own + [found for child in self.children for found in child.find_all(kind)]


def heading(kind: str, children: Sequence[TraceNode]) -> tuple[TraceNode, ...]:
    """One node that gathers others, or none where there are none."""
    return (TraceNode(kind=kind, facts={"n": len(children)}, children=tuple(children)),) if children else ()


def fact(value: Any) -> str | int | float | bool | None:
    """A stored value as a fact: times as text; JSON lists and mappings of text as people would write them."""
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, str) and value[:1] in ("[", "{"):
        return _spell_json(value)
    if value is None or isinstance(value, str | int | float | bool):
        return value
    return str(value)


def _spell_json(text: str) -> str:
    try:
        content = json.loads(text)
    except json.JSONDecodeError:
        return text
    if isinstance(content, dict):
        return ", ".join(f"{name}={value}" for name, value in content.items())
    return ", ".join(str(item) for item in content) if isinstance(content, list) else text
