"""Read running text: each clause that states a figure is a statement of its own."""

import re
from collections.abc import Iterator, Sequence

from eval_pipeline.judging.columns import is_column_head
from eval_pipeline.judging.figures import find_figures
from eval_pipeline.judging.period_mentions import Period, find_periods
from eval_pipeline.judging.statements import Statement

COMPARISON = re.compile(r",?\s+(?:up|down|compared|versus|vs\.?|against|from|while|whereas|whilst)\s+", re.IGNORECASE)
WRAPPED_WORDS = 9  # a line of running text that is shorter than this does not go on in the next one


def read_clauses(lines: Sequence[str], *, heading_periods: tuple[Period, ...]) -> Iterator[Statement]:
    """Clauses of running text that state a figure; a comparison with another period is a clause of its own."""
    for paragraph in _paragraphs(lines):
        for sentence in re.split(r"(?<=[.!?;])\s+(?=[A-Z0-9])", paragraph):
            for clause in COMPARISON.split(sentence):
                statement = _read_clause(clause, heading_periods)
                if statement is not None:
                    yield statement


def _paragraphs(lines: Sequence[str]) -> Iterator[str]:
    """Runs of lines that wrap: a line goes on in the next one where it is long."""
    open_lines: list[str] = []
    for line in lines:
        words = line.split()
        is_text = bool(words) and sum(1 for word in words if word[:1].isalpha()) >= 0.6 * len(words)
        is_text = is_text and not is_column_head(line)
        if open_lines and (not is_text or len(open_lines[-1].split()) < WRAPPED_WORDS):
            yield " ".join(open_lines)
            open_lines = []
        if is_text:
            open_lines.append(line)
    if open_lines:
        yield " ".join(open_lines)


def _read_clause(clause: str, heading_periods: tuple[Period, ...]) -> Statement | None:
    mentions = find_periods(clause)
    masked = list(clause)
    for mention in mentions:
        masked[mention.start : mention.end] = " " * (mention.end - mention.start)
    figures = [figure for figure in find_figures("".join(masked)) if figure.value is not None]
    if not figures:
        return None
    periods = tuple(mention.period for mention in mentions if mention.period.year is not None)
    return Statement(
        label=clause[: figures[-1].start],
        figures=tuple(figures),
        periods=tuple(periods for _ in figures),
        heading="",
        heading_periods=() if periods else heading_periods,
        line=clause.strip(),
        is_prose=True,
    )
