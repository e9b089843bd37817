"""Read the head of a table: the lines that name its periods, and the columns they make."""

import re
from collections.abc import Sequence

from eval_pipeline.judging.figures import find_figures
from eval_pipeline.judging.period_mentions import MONTHS, Mention, Period, find_periods, month_number, part_of_span

DURATION = re.compile(
    r"\b(?:(?P<span>three|six|nine|twelve|thirteen|3|6|9|12|13)\s+(?:months?|weeks?)"
    r"|(?P<whole>(?:fiscal\s+)?years?|52\s+weeks|53\s+weeks)|(?P<quarter>quarters?))\s+end(?:ed|ing)\b",
    re.IGNORECASE,
)
QUARTER = re.compile(r"\bq[1-4]\b", re.IGNORECASE)
YEAR = re.compile(r"\b(?:19|20)\d{2}\b")
MONTH_DAY = re.compile(rf"\b({'|'.join(MONTHS)})[a-z]*\.?(?:\s+\d{{1,2}})?(?=,|\s|$)", re.IGNORECASE)
OTHER_COLUMN = re.compile(
    r"(?:[$%]\s*)?\b(?:change|chg|variance|var|yoy|y/y|qoq|q/q|growth|delta|budget|plan|target|forecast|guidance)\b"
    r"(?:\s*[%$](?!\w))?|Δ\s?%?|(?<![\w.])%(?!\w)|[+]/-",
    re.IGNORECASE,
)
FILLER = re.compile(
    r"\b(?:as|of|at|for|the|ended|ending|end|and|vs|versus|in|on|usd|eur|gbp|millions?|thousands?|billions?|except|per|"
    r"share|data|amounts?|dollars|metric|segment|unaudited|audited|note|notes|fy|fiscal|year|years|quarter|quarters|"
    r"months?|weeks?|actual|restated|reported|line|item|category|measure|description|particulars|period|region)\b",
    re.IGNORECASE,
)


def is_column_head(line: str) -> bool:
    """Whether a line says nothing but which columns a table has: periods, durations, `Change`, units."""
    mentions = find_periods(line)
    has_parts = bool(mentions or DURATION.search(line) or MONTH_DAY.fullmatch(line.strip(" ,")))
    if not has_parts:
        return False
    rest = _without(line, mentions)
    if any(figure.value is not None for figure in find_figures(rest)):
        return False
    words = re.findall(r"[A-Za-z]{2,}", FILLER.sub(" ", OTHER_COLUMN.sub(" ", rest)))
    return not words


def read_columns(text: str) -> tuple[Period | None, ...]:
    """Columns in order from the joined lines of a table head; None stands for a column that is no period.

    `Year Ended December 31, 2015 2016 2017` gives three years, `Three Months Ended Nine Months Ended September 30,
    2024 2023 2024 2023` gives Q3, Q3, nine months, nine months, `Q3 Q3 2024 2023` gives two quarters.
    """
    durations = list(DURATION.finditer(text))
    years = [int(year) for year in YEAR.findall(text)]
    if len(durations) >= 2 and years and len(years) % len(durations) == 0:
        return _in_blocks(durations, years, text)
    mentions = find_periods(text)
    dated = [mention.period for mention in mentions if mention.period.year is not None]
    quarters = QUARTER.findall(text)
    if quarters and len(dated) < len(mentions):
        return _quarters_with_years(quarters, years)
    months = [month_number(match[1]) for match in MONTH_DAY.finditer(text)]
    if len(months) == len(years) >= 2 and not durations and all(not period.part for period in dated):
        return tuple(Period(year=year, month=month) for year, month in zip(years, months, strict=True))
    found = _in_order(text, mentions)
    return _spread_duration(durations[0], found) if len(durations) == 1 else found


def align(n_values: int, columns: Sequence[Period | None], *, ends_in_percent: bool) -> list[Period | None]:
    """The column of each of n values of a row.

    A row with several values per column spreads them evenly; another longer row has a note number before it, or a
    change after it, which is under no column.
    """
    if n_values <= len(columns):
        return list(columns[:n_values])
    if len(columns) > 1 and n_values % len(columns) == 0:
        return [column for column in columns for _ in range(n_values // len(columns))]
    extra: list[Period | None] = [None] * (n_values - len(columns))
    return [*columns, *extra] if ends_in_percent else [*extra, *columns]


def _in_blocks(durations: Sequence[re.Match[str]], years: Sequence[int], text: str) -> tuple[Period | None, ...]:
    months = [month_number(match[1]) for match in MONTH_DAY.finditer(text)]
    block = len(years) // len(durations)
    found: list[Period | None] = []
    for place, year in enumerate(years):
        number = place // block
        month = months[min(number, len(months) - 1)] if months else None
        found.append(Period(year=year, part=part_of_span(durations[number].groupdict(), month), month=month))
    return tuple(found)


def _spread_duration(duration: re.Match[str], columns: Sequence[Period | None]) -> tuple[Period | None, ...]:
    """One duration over several closing dates holds for each: `Three months ended June 30, 2024 March 31, 2024`."""
    return tuple(
        Period(year=one.year, part=part_of_span(duration.groupdict(), one.month), month=one.month)
        if one is not None and one.month is not None and not one.part
        else one
        for one in columns
    )


def _quarters_with_years(quarters: Sequence[str], years: Sequence[int]) -> tuple[Period | None, ...]:
    """Quarters that stand apart from their years: one year each, one for all, or none."""
    if len(years) == len(quarters):
        return tuple(Period(year=year, part=one.upper()) for one, year in zip(quarters, years, strict=True))
    year = years[0] if len(years) == 1 else None
    return tuple(Period(year=year, part=one.upper()) for one in quarters)


def _in_order(text: str, mentions: Sequence[Mention]) -> tuple[Period | None, ...]:
    """Periods and other columns by place; a bare year after a dated one takes over its part and month."""
    items: list[tuple[int, Period | None]] = []
    before: Period | None = None
    for mention in mentions:
        period = mention.period
        is_bare = not period.part and period.month is None
        if is_bare and before is not None and before.month is not None:
            period = Period(year=period.year, part=before.part, month=before.month)
        before = period
        items.append((mention.start, period))
    rest = _without(text, mentions)
    start = min((place for place, _ in items), default=0)
    items.extend((match.start(), None) for match in OTHER_COLUMN.finditer(rest) if match.start() > start)
    return tuple(period for _, period in sorted(items, key=lambda item: item[0]))


def _without(text: str, mentions: Sequence[Mention]) -> str:
    """The text with mentions, durations, month names and other columns' words blanked, places kept."""
    characters = list(text)
    for mention in mentions:
        characters[mention.start : mention.end] = " " * (mention.end - mention.start)
    rest = "".join(characters)
    for pattern in (DURATION, MONTH_DAY):
        rest = pattern.sub(lambda match: " " * len(match[0]), rest)
    return rest
