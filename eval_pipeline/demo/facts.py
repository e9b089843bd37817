"""What is true on a page."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Fact:
    """One value that a page holds, or seems to hold.

    Attributes:
        entity: company.
        scope: `consolidated` or a segment.
        metric: as printed.
        period: `2024-Q2`.
        revision: `original` or `restated`.
        value: the number.
        unit: `USD millions`, `USD`, `%`, `count`, ...
        shown: how the page prints it; None where a reader cannot read it off.
    """

    entity: str
    scope: str
    metric: str
    period: str
    revision: str
    value: float
    unit: str
    shown: str | None

    @property
    def is_readable(self) -> bool:
        """Whether a reader can take the value from the page."""
        return self.shown is not None


@dataclass(frozen=True, kw_only=True)
class Mention:
    """A subject that a page speaks of without giving a value.

    Attributes:
        entity: company.
        metric: what is spoken of.
        period: quarter of the report.
    """

    entity: str
    metric: str
    period: str


@dataclass(frozen=True, kw_only=True)
class PageTruth:
    """All that is true on one page.

    Attributes:
        document: path relative to the project folder.
        page: 1-based.
        layout: name of its layout.
        entity: company of the report.
        period: quarter of the report.
        facts: values.
        mentions: subjects without a value.
    """

    document: str
    page: int
    layout: str
    entity: str
    period: str
    facts: tuple[Fact, ...]
    mentions: tuple[Mention, ...]


def show_value(value: float, unit: str) -> str:
    """Print a value as reports do: thousands separated, negatives in parentheses, `%` attached."""
    match unit:
        case "USD millions" | "count":
            digits = f"{abs(round(value)):,}"
        case "USD":
            digits = f"{abs(value):.2f}"
        case "%":
            digits = f"{abs(value):.1f}%"
        case _:
            digits = f"{abs(value):.2f}"
    return f"({digits})" if value < 0 else digits
