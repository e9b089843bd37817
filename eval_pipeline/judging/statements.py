"""What reading a page yields: statements of figures, each with its words, periods and headings."""

from dataclasses import dataclass

from eval_pipeline.judging.figures import Figure
from eval_pipeline.judging.period_mentions import Period


@dataclass(frozen=True, kw_only=True)
class Statement:
    """A row, a pair or a sentence that states figures.

    Attributes:
        label: words beside the figures; empty where only the heading says what they are.
        figures: figures with a value, in order.
        periods: the period of each figure: its column, else what its own line names; empty where neither does.
        heading: nearest heading above and the names of the table's columns, as text.
        heading_periods: periods of the nearest line above that names any, else of any line that is not a row.
        line: the line as it stands, for reasons.
        is_prose: whether it is a sentence, so that the label is all of its words.
    """

    label: str
    figures: tuple[Figure, ...]
    periods: tuple[tuple[Period, ...], ...]
    heading: str
    heading_periods: tuple[Period, ...]
    line: str
    is_prose: bool = False


@dataclass(frozen=True, kw_only=True)
class PageReading:
    """What was read of a page.

    Attributes:
        lines: non-empty lines, blanks collapsed.
        title: first lines that are no rows, as text.
        statements: in order.
        scale: power of ten in which amounts are stated, 0 where the page does not say.
    """

    lines: tuple[str, ...]
    title: str
    statements: tuple[Statement, ...]
    scale: int
