"""Find the lines of a page that state a metric."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from eval_pipeline.judging.figures import Figure
from eval_pipeline.judging.page_reading import PageReading, Statement
from eval_pipeline.judging.period_mentions import Period, covers_any, cut_periods
from eval_pipeline.judging.words import HARMLESS, content_words, name_words

SCOPE = re.compile(
    r"\b(?P<before>[A-Z][\w&]*(?:\s+(?:&\s+)?[A-Z][\w&]*){0,3})\s+(?:[Ss]egment|SEGMENT|[Dd]ivision|DIVISION)\b"
    r"|\b(?:[Ss]egment|SEGMENT|[Dd]ivision|DIVISION)\s*[:–—-]\s*(?P<after>[A-Z][\w&]*(?:\s+(?:&\s+)?[A-Z][\w&]*){0,3})"
)
NO_SCOPE = frozenset(
    ["by", "per", "business", "reportable", "operating", "our", "total", "all", "other", "result", "revenue", "income", "review", "quarterly", "consolidated", "group", "note", "information", "reporting", "each", "the"]
)
NOISE_WORDS = frozenset({"segment", "division", "business", "unit", "fy", "result", "statement", "summary"})
N_WORDS_AFTER = 12


@dataclass(frozen=True, kw_only=True)
class Match:
    """A statement of the metric.

    Attributes:
        statement: where it stands.
        figures: figures that may be the metric's, with the periods under which they stand.
    """

    statement: Statement
    figures: tuple[tuple[Figure, tuple[Period, ...]], ...]

    @property
    def line(self) -> str:
        """The line, cut to a length that a person reads."""
        return self.statement.line if len(self.statement.line) <= 120 else f"{self.statement.line[:117]}..."

    def figure_for(self, periods: Sequence[Period]) -> Figure | None:
        """The figure under any of the periods; the first one where none is asked for; None where there is none."""
        if not periods:
            return self.figures[0][0]
        return next((figure for figure, shown in self.figures if covers_any(periods, shown)), None)


def find_matches(words: frozenset[str], page: PageReading, *, entity: str) -> list[Match]:
    """Statements of a metric, in page order.

    A line states the metric when its label has just these words (what changes nothing aside), or when it has some of
    them and its headings have the rest: `Revenue` under `Cloud segment` states cloud revenue. A line that stands
    under a segment does not state the figure of the whole.
    """
    own = frozenset(name_words(entity)) if entity else frozenset()
    wanted = words - own or words
    return [match for statement in page.statements if (match := _match(wanted, statement, page, own)) is not None]


def find_near_lines(words: frozenset[str], page: PageReading, *, periods: Sequence[Period]) -> list[str]:
    """Lines whose label has all the words and more, with a figure under the periods: parts of what is asked."""
    return [
        statement.line
        for statement in page.statements
        if not statement.is_prose
        and words <= frozenset(content_words(cut_periods(statement.label)))
        and Match(statement=statement, figures=_dated(statement)).figure_for(periods) is not None
    ]


def describe_periods(matches: Sequence[Match]) -> str:
    """`under Dec 2017, Dec 2018`, or `without a period`."""
    shown = dict.fromkeys(str(period) for match in matches for _, periods in match.figures for period in periods)
    return f"under {', '.join(list(shown)[:6])}" if shown else "without a period"


def _match(words: frozenset[str], statement: Statement, page: PageReading, own: frozenset[str]) -> Match | None:
    if not statement.figures:
        return None
    if statement.is_prose:
        return _match_prose(words, statement)
    label = frozenset(content_words(cut_periods(statement.label))) - HARMLESS - own - NOISE_WORDS
    if not label <= words:
        return None
    context = frozenset(content_words(f"{page.title}\n{statement.heading}"))
    if not words - label - NOISE_WORDS <= context:
        return None
    if not label and not words & frozenset(content_words(f"{statement.heading}\n{page.title}")):
        return None
    if _foreign_scope(words, f"{page.title}\n{statement.heading}"):
        return None
    return Match(statement=statement, figures=_dated(statement))


def _dated(statement: Statement) -> tuple[tuple[Figure, tuple[Period, ...]], ...]:
    return tuple(
        (figure, periods or statement.heading_periods)
        for figure, periods in zip(statement.figures, statement.periods, strict=True)
    )


def _foreign_scope(words: frozenset[str], context: str) -> bool:
    """Whether the headings name a segment of which the question says nothing."""
    for scope in find_scopes(context):
        named = frozenset(content_words(scope)) - HARMLESS - NO_SCOPE
        if named and not named & words:
            return True
    return False


def find_scopes(context: str) -> Iterator[str]:
    """Names of segments that headings give: `Cloud segment`, `Segment: Cloud`."""
    for line in context.splitlines():
        for match in SCOPE.finditer(line):
            yield match["before"] or match["after"]


def _match_prose(words: frozenset[str], statement: Statement) -> Match | None:
    """A clause states the metric when its words stand together, not as part of a longer name, shortly before a figure."""
    figures = _dated(statement)
    kept = []
    for figure, periods in figures:
        before = [word for word in content_words(cut_periods(statement.line[: figure.start])) if word not in HARMLESS]
        near = before[-N_WORDS_AFTER:]
        length = len(words)
        places = [place for place in range(len(near) - length + 1) if frozenset(near[place : place + length]) == words]
        if any(place == 0 or near[place - 1] not in MODIFIERS for place in places):
            kept.append((figure, periods))
    return Match(statement=statement, figures=tuple(kept)) if kept else None


# A word before the phrase that makes it another metric: `cost of revenue`, `deferred revenue`, `adjusted net income`.
MODIFIERS = frozenset(
    ["cost", "deferred", "unearned", "adjusted", "gross", "net", "operating", "non", "other", "current", "noncurrent", "long", "short", "term", "recurring", "annual", "segment", "subscription", "service", "product", "segment", "pro", "forma", "diluted", "basic", "average", "incremental"]
)
