"""What a page is to a question: gold, a hard negative, or something that a retriever brought back."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Protocol


class Rows(Protocol):
    """Finds stored rows; see `trace_lookup.Lookup`."""

    def rows(self, table: str, column: str, values: Iterable[str | None]) -> list[dict[str, Any]]:
        """Rows whose column holds one of the values."""
        ...


@dataclass(frozen=True, kw_only=True)
class Role:
    """One role of a page.

    Attributes:
        order: gold, then hard negatives by axis and rank, then what came back by rank, then random pages.
        told: in words.
    """

    order: tuple[int, str, int]
    told: str


def roles_of(lookup: Rows, question_id: str) -> dict[str, Role]:
    """The first role of each page that a question met, by unit id.

    Args:
        lookup: finds stored rows.
        question_id: the question.
    """
    found: list[tuple[str, Role]] = []
    for row in lookup.rows("questions.question_gold", "question_id", [question_id]):
        found.append((row["unit_id"], Role(order=(0, "", row["position"]), told="gold")))
    posed = lookup.rows("questions.well_posedness", "question_id", [question_id])
    for row in lookup.rows("negatives.negative", "pool_id", (item["pool_id"] for item in posed)):
        found.append((row["negative_unit_id"], _negative(row["axis"], row["rank"])))
    for row in lookup.rows("labels.candidate", "question_id", [question_id]):
        found.append((row["unit_id"], _candidate(row["source"], row["rank"])))
    roles: dict[str, Role] = {}
    for unit_id, role in sorted(found, key=lambda pair: pair[1].order):
        roles.setdefault(unit_id, role)
    return roles


def _negative(axis: str, rank: int) -> Role:
    return Role(order=(1, axis, rank), told=f"hard negative on {axis}, rank {rank}")


def _candidate(source: str, rank: int | None) -> Role:
    kind, _, name = source.partition(":")
    match kind:
        case "gold":
            return Role(order=(0, "", 0), told="gold")
        case "negative":
            return _negative(name, rank or 0)
        case "variant":
            return Role(order=(2, f"{rank or 0:06}", 0), told=f"place {rank} of {name}")
        case _:
            return Role(order=(3, "", rank or 0), told="random page")
