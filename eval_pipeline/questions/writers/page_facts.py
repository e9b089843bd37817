"""Read the plain facts of a page for the rules writer: a label, a figure, the period over it, whose page it is.

This is the writer's own simple reading. It shares nothing with a judge's on purpose: a mistake here should be seen
there, as a gold page that does not answer.
"""

import re
from dataclasses import dataclass

from eval_pipeline.questions.writers.page_heads import PageHead, find_period, read_columns, read_head, recency

AMOUNT = r"\(?[-−–]?\s?(?:US\$|[$€£])?\s?\(?\d[\d,]*(?:\.\d+)?\)?\s?(?:%|bn|billion|million|thousand|[mMkK]\b)?\)?"
ROW = re.compile(
    rf"^(?P<label>[A-Za-z][A-Za-z0-9 &/,'’()\-]*?)\s*(?:\(\d\))?\s*[:.…]*\s+(?P<figures>(?:{AMOUNT}\s*){{1,8}})$"
)
PAIR = re.compile(
    rf"^(?P<label>[A-Za-z][A-Za-z &/,'’\-]{{2,50}}?)(?:\s+in\s+(?P<when>[A-Z]\w*(?: \w+)?))?\s*[:=]\s*"
    rf"(?P<figures>{AMOUNT})(?:\s+[a-z]+)?(?:$|\.\s)"
)
CELL = re.compile(AMOUNT)
LABEL = re.compile(r"^[A-Z][A-Za-z &/\-]{2,40}$")
BY_PART = re.compile(
    r"^(?P<metric>[A-Z][A-Za-z &,/\-]+?)\s+by\s+(?P<part>segment|division|region|business unit)$",
    re.IGNORECASE,
)
NO_LABEL = re.compile(
    r"\b(?:page|note|notes|item|part|exhibits?|table|copyright|see|published|generated|printed|as of|ended|chapter|"
    r"section|change|statements?|index|thereafter|january|february|march|april|june|july|august|september|october|"
    r"november|december)\b",
    re.IGNORECASE,
)
BARE_LABEL = re.compile(r"^(?:sub)?total$|^other$|^balance$|^basic$|^diluted$|^amount$", re.IGNORECASE)
# What is counted, not paid: the unit note of the page does not hold for it.
COUNTED = re.compile(
    r"per share|customers|employees|headcount|orders|stores|sites|shares|days|rate|ratio|score",
    re.IGNORECASE,
)


@dataclass(frozen=True, kw_only=True)
class PageFact:
    """One figure and what stands near it.

    Attributes:
        key: label and period: names the fact on its page.
        subject: metric phrase, with the segment where the page or the row is about one.
        answer: figure as printed, with the unit note of the page.
        period: period as a person would write it: `Q3 2024`, `FY2024`, `June 30, 2024`; empty where none stands near.
        preposition: `in`, or `as of` before a day.
        entity: company as the page heads itself; empty where it does not.
        is_current: False for a figure of an earlier period that stands in a comparative column.
    """

    key: str
    subject: str
    answer: str
    period: str
    preposition: str
    entity: str
    is_current: bool


def read_facts(text: str) -> list[PageFact]:
    """Facts of a page in order of place; empty where the page has none in a form that rules can read."""
    lines = [line for raw in text.splitlines() if (line := " ".join(raw.replace("\u00a0", " ").split()))]
    head = read_head(lines)
    columns: list[str] = []
    by_part: re.Match[str] | None = None
    facts: list[PageFact] = []
    for place, line in enumerate(lines):
        if found_columns := read_columns(lines, place):
            columns = found_columns
            continue
        by_part = BY_PART.match(line) or by_part
        found = None if _is_folio(line, head, is_last=place == len(lines) - 1) else _label_and_figures(lines, place)
        if found is None:
            continue
        label, figures, own = found
        over = columns if len(columns) > 1 and len(columns) == len(figures) else [own or head.period]
        subject = _subject(label, head, by_part)
        latest = max(over, key=recency)
        facts.extend(
            _to_fact(label, subject, figure, when, head, is_current=when == latest)
            for figure, when in zip(figures, over, strict=False)
        )
    return facts


def _is_folio(line: str, head: PageHead, *, is_last: bool) -> bool:
    """Whether a line is the foot of a page (`Acme (ACM) 3`) or carries nothing but its owner's name and a number."""
    if is_last and re.fullmatch(r"\D*(?<![,.$€£])\d{1,3}", line):
        return True
    return bool(head.entity) and line.startswith(head.entity) and len(line.split()) <= len(head.entity.split()) + 2


def _label_and_figures(lines: list[str], place: int) -> tuple[str, list[str], str] | None:
    """A pair, a row, or a label with its figure alone on the next line; with the period that the line itself names."""
    line = lines[place]
    if (pair := PAIR.match(line)) is not None:
        own = find_period(pair["when"] or "")
        return (pair["label"], [pair["figures"].strip()], own) if _is_label(pair["label"]) else None
    if (row := ROW.match(line)) is not None:
        label = row["label"].strip(" ,:-")
        return (label, [cell.strip() for cell in CELL.findall(row["figures"])], "") if _is_label(label) else None
    if place and CELL.fullmatch(line) and not find_period(line) and LABEL.match(lines[place - 1]):
        return (lines[place - 1], [line], "") if _is_label(lines[place - 1]) else None
    return None


def _is_label(label: str) -> bool:
    is_short = 2 < len(label) <= 60 and len(label.split()) <= 7
    return (
        is_short and not NO_LABEL.search(label) and not BARE_LABEL.match(label) and label.count("(") == label.count(")")
    )


def _subject(label: str, head: PageHead, by_part: re.Match[str] | None) -> str:
    """What the row is about, in words that make sense away from the page."""
    if by_part is not None:
        metric = _lower_first(by_part["metric"])
        return (
            _lower_first(label) if label.lower().startswith("total") else f"{label} {by_part['part'].lower()} {metric}"
        )
    if head.segment and head.segment.lower() not in label.lower():
        return f"{head.segment} segment {_lower_first(label)}"
    return _lower_first(label)


def _to_fact(label: str, subject: str, figure: str, when: str, head: PageHead, *, is_current: bool) -> PageFact:
    is_day = bool(re.match(r"[A-Z][a-z]+ \d", when))
    has_unit = "%" in figure or COUNTED.search(label) is not None
    return PageFact(
        key=f"{label}\x1f{when}",
        subject=subject,
        answer=figure if has_unit else f"{figure} {head.unit}".strip(),
        period=when,
        preposition="as of" if is_day else "in",
        entity=head.entity,
        is_current=is_current,
    )


def _lower_first(label: str) -> str:
    """The label as it reads inside a sentence; words in capitals stay."""
    if label.isupper() and len(label.split()) > 1:
        return label.lower()
    return label[0].lower() + label[1:] if len(label) > 1 and label[1].islower() else label
