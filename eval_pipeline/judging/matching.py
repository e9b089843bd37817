"""Find the lines of a page that state a metric."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from eval_pipeline.judging.figures import Figure
from eval_pipeline.judging.period_mentions import Period, covers_any, cut_periods
from eval_pipeline.judging.statements import PageReading, Statement
from eval_pipeline.judging.vocabulary import CHANGES, HARMLESS, LINKS, MODIFIERS, STOP_WORDS, word_set
from eval_pipeline.judging.words import content_words, core_words, is_plain_heading_word, name_words, split_words

SCOPE = re.compile(
    r"\b(?P<before>[A-Z][\w&]*(?:\s+(?:&\s+)?[A-Z][\w&]*){0,3})\s+(?:[Ss]egment|SEGMENT|[Dd]ivision|DIVISION)\b"
    r"|\b(?:[Ss]egment|SEGMENT|[Dd]ivision|DIVISION)\s*[:–—-]\s*(?P<after>[A-Z][\w&]*(?:\s+(?:&\s+)?[A-Z][\w&]*){0,3})"
)
NO_SCOPE = word_set(
    """
    by per business reportable operating our total all other result revenue income review quarterly consolidated
    group note information reporting each the
    """
)
N_WORDS_BEFORE = 20  # words before a figure among which its metric is looked for
N_TITLE = 3  # first lines head the page as a whole, whatever they name
NOISE_WORDS = word_set(
    """
    segment division business unit fy result statement summary quarter quarterly year annual month monthly trend history
    chart last latest past four five eight twelve
    """
)


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
    them and its headings have the rest: `Revenue` under `Cloud segment` states cloud revenue. Lines that need their
    headings count only where no line has all of the words itself. A line that stands under a segment does not state
    the figure of the whole.
    """
    own = frozenset(name_words(entity)) if entity else frozenset()
    wanted = words - own or words
    found = [match for statement in page.statements if (match := _match(wanted, statement, page, own)) is not None]
    whole = [one for one in found if not one.statement.is_prose and _label_words(one.statement, own) == wanted]
    return [one for one in found if one in whole or one.statement.is_prose] if whole else found


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
        return _match_prose(words, statement, own)
    if not _is_stated(words, statement, page, own) or _foreign_scope(words | own, statement, page):
        return None
    return Match(statement=statement, figures=_dated(statement))


def _is_stated(words: frozenset[str], statement: Statement, page: PageReading, own: frozenset[str]) -> bool:
    """Whether label and headings together have just the words of the metric."""
    label = _label_words(statement, own)
    context = frozenset(content_words(f"{page.title}\n{statement.heading}"))
    if not label <= words or not words - label - NOISE_WORDS <= context:
        return False
    return bool(label) or not _is_bare_total(statement.label) or _heading_is(words, statement.heading)


def _label_words(statement: Statement, own: frozenset[str]) -> frozenset[str]:
    return core_words(cut_periods(statement.label)) - own - NOISE_WORDS


def _is_bare_total(label: str) -> bool:
    """Whether a label says only `Total` or the like, so that its heading must say of what."""
    return any(char.isalpha() for char in cut_periods(label)) and not any(
        word for word in content_words(cut_periods(label)) if word not in HARMLESS
    )


def _heading_is(words: frozenset[str], heading: str) -> bool:
    return any(core_words(line) - NOISE_WORDS == words for line in heading.splitlines())


def _dated(statement: Statement) -> tuple[tuple[Figure, tuple[Period, ...]], ...]:
    return tuple(
        (figure, periods or statement.heading_periods)
        for figure, periods in zip(statement.figures, statement.periods, strict=True)
    )


def _foreign_scope(words: frozenset[str], statement: Statement, page: PageReading) -> bool:
    """Whether a heading names a segment of which the question says nothing."""
    named = [*find_scopes(f"{page.title}\n{statement.heading}"), *_sub_headings(statement, page)]
    for scope in named:
        other = core_words(scope) - NO_SCOPE
        if other and not other & words:
            return True
    return False


def _sub_headings(statement: Statement, page: PageReading) -> Iterator[str]:
    """A short heading of names below the title of the page: `North America`, then `Net sales 106,110`."""
    heading = statement.heading.splitlines()[-1] if statement.heading else ""
    names = split_words(heading)
    if heading in page.lines[:N_TITLE] or not 0 < len(names) <= 3 or any(is_plain_heading_word(name) for name in names):
        return
    if all(word[:1].isupper() for word in heading.split()):
        yield heading


def find_scopes(context: str) -> Iterator[str]:
    """Names of segments that headings give: `Cloud segment`, `Segment: Cloud`."""
    for line in context.splitlines():
        for match in SCOPE.finditer(line):
            yield match["before"] or match["after"]


def _match_prose(words: frozenset[str], statement: Statement, own: frozenset[str]) -> Match | None:
    """A clause states the metric when its words stand just before the figure, linked by nothing but small words."""
    kept = tuple(
        (figure, periods)
        for figure, periods in _dated(statement)
        if not ENUMERATION.fullmatch(figure.shown)
        and _ends_in(words, cut_periods(statement.line[: figure.start]), own, is_percent=figure.is_percent)
    )
    return Match(statement=statement, figures=kept) if kept else None


def _ends_in(words: frozenset[str], text: str, own: frozenset[str], *, is_percent: bool) -> bool:
    """Whether a text ends in the metric, with nothing before it that makes it another one."""
    before = list(split_words(text))[-N_WORDS_BEFORE:]
    while before and (before[-1] in LINKS or before[-1].isdigit()):
        if is_percent and before[-1] in CHANGES:
            return False  # `sales increased 27%` states a change, not sales
        before.pop()
    place = next(
        (place for place in range(len(before)) if _core(before[place:]) == words and before[place] not in STOP_WORDS),
        None,
    )
    if place is None:
        return False
    if place and before[place - 1] not in STOP_WORDS | HARMLESS | own:
        return False
    earlier = _core(before[:place][-3:])
    return not earlier & MODIFIERS


def _core(words: Sequence[str]) -> frozenset[str]:
    return core_words(" ".join(words)) - NOISE_WORDS


ENUMERATION = re.compile(r"\(\d{1,2}\)|\d{1,2}\)")
