"""Read the text of a page as a person would: which figures stand beside which words, under which periods."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from eval_pipeline.judging.clauses import WRAPPED_WORDS, read_clauses
from eval_pipeline.judging.columns import align, is_column_head, read_columns
from eval_pipeline.judging.figures import Figure, find_figures, find_scale
from eval_pipeline.judging.period_mentions import Period, find_periods
from eval_pipeline.judging.statements import PageReading, Statement

N_TITLE_LINES = 6
GAP = re.compile(r"[\s$€£|()%*:]*")
SIDE_LINE = re.compile(
    r"publish|print|generat|creat|filed|prepared on|copyright|©|all rights|as of the date of this|page \d",
    re.IGNORECASE,
)
AGAINST = re.compile(r"\b(?:vs\.?|versus|compared|against|prior|from)\b", re.IGNORECASE)
LEADERS = " \t:.·…|$€£-–—("


@dataclass(kw_only=True)
class _State:
    """Where reading stands: the columns and headings in force."""

    columns: tuple[Period | None, ...] = ()
    heading: str = ""
    head_names: str = ""
    heading_periods: tuple[Period, ...] = ()
    statements: list[Statement] = field(default_factory=list)


def read_page(text: str) -> PageReading:
    """Read the text of a page, line by line; the order of lines is that of the text layer."""
    lines = tuple(line for raw in text.splitlines() if (line := clean_line(raw)))
    state = _State()
    blocks = list(_blocks(lines))
    for number, (kind, block) in enumerate(blocks):
        match kind:
            case "head":
                state.columns = _fill_years(read_columns(" ".join(block)), state.heading_periods)
                if len(state.columns) == 1 and state.columns[0] is not None:
                    state.heading_periods = (state.columns[0],)
            case "values":
                _add_bare_values(state, blocks, number)
            case "row":
                _add_row(state, block[0])
            case _:
                _add_heading(state, block[0])
    state.statements.extend(read_clauses(_text_lines(lines), heading_periods=state.heading_periods))
    rows_out = _late_periods(state.statements, lines)
    return PageReading(
        lines=lines,
        title="\n".join(_title_lines(lines)),
        statements=tuple(rows_out),
        scale=find_scale("\n".join(lines)),
    )


def _title_lines(lines: Sequence[str]) -> list[str]:
    """Lines above the first row of figures, at most six; `Item 8` and the like are no rows."""
    kinds = [_kind_of(line) for line in lines]
    first = next((place for place, kind in enumerate(kinds) if kind in ("row", "values") and place > 2), len(lines))
    titles = [line for line, kind in zip(lines[:first], kinds, strict=False) if kind in ("other", "head")]
    return titles[:N_TITLE_LINES]


def _text_lines(lines: Sequence[str]) -> list[str]:
    """The lines with rows blanked: a row is no running text, unless a long line wraps into it."""
    kept: list[str] = []
    for line in lines:
        wraps = bool(kept) and len(kept[-1].split()) >= WRAPPED_WORDS and not kept[-1].endswith((".", ":"))
        is_text = _kind_of(line) == "other" or wraps or len(line.split()) > WRAPPED_WORDS
        kept.append(line if is_text else "")
    return kept


def clean_line(raw: str) -> str:
    """One line with odd blanks and hyphens made plain."""
    plain = raw.replace("\u00a0", " ").replace("\ufffe", "-").replace("\u00ad", "").replace("\u2011", "-")
    return " ".join(plain.split())


def _blocks(lines: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """Group lines: a run of column heads, a run of bare values, single rows, single other lines."""
    before: tuple[str, list[str]] | None = None
    for line in lines:
        kind = _kind_of(line)
        if before is not None and before[0] == kind and kind in ("head", "values"):
            before[1].append(line)
            continue
        if before is not None:
            yield before
        before = (kind, [line])
    if before is not None:
        yield before


def _kind_of(line: str) -> str:
    if is_column_head(line):
        return "head"
    run = _trailing_figures(line)
    if not run:
        return "other"
    if not re.search(r"[^\W\d_]{2,}", line[: run[0].start]) and not find_periods(line[: run[0].start]):
        return "values"
    return "row"


def _trailing_figures(line: str, n_columns: int = 0) -> list[Figure]:
    """The figures at the end of a line with nothing but blanks and signs between them.

    Years are taken for periods, unless the run has just as many places as the table has columns.
    """
    run = _run_at_end(line, find_figures(line))
    if n_columns and len(run) == n_columns and line[: run[0].start].strip():
        return run
    masked = list(line)
    for mention in find_periods(line):
        masked[mention.start : mention.end] = " " * (mention.end - mention.start)
    text = "".join(masked).rstrip(" ().,;")
    return _run_at_end(text, find_figures("".join(masked)))


def _run_at_end(line: str, figures: Sequence[Figure]) -> list[Figure]:
    run: list[Figure] = []
    end = len(line)
    for figure in reversed(figures):
        if not GAP.fullmatch(line[figure.end : end]):
            break
        run.insert(0, figure)
        end = figure.start
    return run if any(figure.value is not None for figure in run) or len(run) > 1 else []


def _add_heading(state: _State, line: str) -> None:
    periods = [mention.period for mention in find_periods(line) if mention.period.year is not None]
    if periods and not SIDE_LINE.search(line) and len(line.split()) <= 25:
        state.heading_periods = tuple(periods[:1] if AGAINST.search(line) else periods)
    if len(line.split()) <= 12:
        state.head_names, state.heading = state.heading, line


def _add_row(state: _State, line: str) -> None:
    run = _trailing_figures(line, len(state.columns))
    label = line[: run[0].start].strip(LEADERS)
    own = tuple(mention.period for mention in find_periods(line[: run[0].start]) if mention.period.year is not None)
    after = line[run[-1].end :]
    own += tuple(mention.period for mention in find_periods(after) if mention.period.year is not None)
    _add(state, label=label, run=run, own=own, line=line)
    if label.lower().startswith("total "):
        state.head_names = state.heading = ""  # a total closes the section of its heading


def _add(
    state: _State,
    *,
    label: str,
    run: Sequence[Figure],
    own: tuple[Period, ...],
    line: str,
    columns: tuple[Period | None, ...] | None = None,
) -> None:
    in_force = state.columns if columns is None else columns
    ends_in_percent = run[-1].is_percent
    placed = align(len(run), in_force, ends_in_percent=ends_in_percent) if in_force else [None] * len(run)
    n_extra = len(run) - len(in_force)
    if len(in_force) > 1 and n_extra > 0 and len(run) % len(in_force) and not ends_in_percent:
        run, placed = run[n_extra:], placed[n_extra:]
    pairs = [(figure, period) for figure, period in zip(run, placed, strict=True) if figure.value is not None]
    periods = tuple(own or ((period,) if period is not None else ()) for _, period in pairs)
    state.statements.append(
        Statement(
            label=label,
            figures=tuple(figure for figure, _ in pairs),
            periods=periods,
            heading=f"{state.head_names}\n{state.heading}".strip(),
            heading_periods=state.heading_periods,
            line=line,
        )
    )


def _add_bare_values(state: _State, blocks: Sequence[tuple[str, list[str]]], number: int) -> None:
    """Figures without words: chart labels under a row of periods, or a big number beside its caption."""
    lines = blocks[number][1]
    runs = [figure for line in lines for figure in _trailing_figures(line)]
    if len(runs) >= 3 and _is_axis(runs):
        return
    after = blocks[number + 1] if number + 1 < len(blocks) else ("", [])
    before = blocks[number - 1] if number else ("", [])
    if len(runs) > 1:
        columns = state.columns
        if len(columns) != len(runs) and after[0] == "head":
            columns = read_columns(" ".join(after[1]))
        label = before[1][0] if before[0] == "other" and len(before[1][0].split()) <= 8 else ""
        if len(columns) == len(runs) or label:
            _add(state, label=label, run=runs, own=(), line=" ".join(lines), columns=columns)
        return
    captions = [block[1][0] for block in (before, after) if block[0] == "other" and len(block[1][0].split()) <= 8]
    if before[0] == "other" and after[0] == "other" and _has_value_before(blocks, number):
        starts = _starts_with_caption(blocks, number)
        captions = captions if starts is None else captions[:1] if starts else captions[1:]
    for caption in captions:
        own = tuple(mention.period for mention in find_periods(caption) if mention.period.year is not None)
        _add(state, label=caption, run=runs, own=own, line=f"{caption} {lines[0]}", columns=())


def _has_value_before(blocks: Sequence[tuple[str, list[str]]], number: int) -> bool:
    """Whether an alternation of captions and values surrounds this value."""
    near = [blocks[place][0] for place in (number - 2, number + 2) if 0 <= place < len(blocks)]
    return "values" in near


def _starts_with_caption(blocks: Sequence[tuple[str, list[str]]], number: int) -> bool | None:
    """Whether the alternation around a value goes caption, value (and not value, caption); None if it may be either."""
    first = last = number
    while first >= 2 and blocks[first - 2][0] == "values" and blocks[first - 1][0] == "other":
        first -= 2
    while last + 2 < len(blocks) and blocks[last + 2][0] == "values" and blocks[last + 1][0] == "other":
        last += 2
    starts = first >= 1 and blocks[first - 1][0] == "other"
    ends = last + 1 < len(blocks) and blocks[last + 1][0] == "other"
    return None if starts == ends else starts


def _is_axis(figures: Sequence[Figure]) -> bool:
    """Whether the figures are the ticks of an axis: evenly spaced, rising or falling."""
    values = [figure.value for figure in figures if figure.value is not None]
    steps = {second - first for first, second in pairwise(values)}
    return len(values) >= 3 and len(steps) == 1 and 0 not in steps


def _fill_years(columns: tuple[Period | None, ...], heading: tuple[Period, ...]) -> tuple[Period | None, ...]:
    """Quarters without a year take that of the heading where it names exactly one."""
    years = {period.year for period in heading}
    if len(years) != 1:
        return columns
    year = next(iter(years))
    return tuple(Period(year=year, part=one.part) if one is not None and one.year is None else one for one in columns)


def _late_periods(statements: Sequence[Statement], lines: Sequence[str]) -> Iterator[Statement]:
    """Statements above any line with a period take the periods named further down."""
    below = tuple(
        mention.period
        for line in lines
        if _kind_of(line) in ("other", "head") and not SIDE_LINE.search(line)
        for mention in find_periods(line)
        if mention.period.year is not None
    )
    for statement in statements:
        if statement.heading_periods or any(statement.periods):
            yield statement
            continue
        yield Statement(
            label=statement.label,
            figures=statement.figures,
            periods=statement.periods,
            heading=statement.heading,
            heading_periods=below,
            line=statement.line,
            is_prose=statement.is_prose,
        )
