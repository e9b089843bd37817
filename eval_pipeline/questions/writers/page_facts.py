"""Read the plain facts of a page for the rules writer: a label, a figure, the period over it, whose page it is.

This is the writer's own simple reading. It shares nothing with a judge's on purpose: a mistake here should be seen
there, as a gold page that does not answer.
"""

import re
from dataclasses import dataclass

AMOUNT = r"\(?[-−–]?\s?(?:US\$|[$€£])?\s?\(?\d[\d,]*(?:\.\d+)?\)?\s?(?:%|bn|billion|million|thousand|[mMkK]\b)?\)?"
ROW = re.compile(rf"^(?P<label>[A-Za-z][A-Za-z &/,'’()\-]*?)\s*[:.…]*\s+(?P<figures>(?:{AMOUNT}\s*){{1,6}})$")
PAIR = re.compile(rf"^(?P<label>[A-Za-z][A-Za-z &/,'’\-]{{2,50}}?)\s*[:=]\s*(?P<figures>{AMOUNT})(?:\s+[a-z]+)?$")
CELL = re.compile(AMOUNT)
LABEL = re.compile(r"^[A-Z][A-Za-z &/\-]{2,40}$")
MONTH = r"(?:January|February|March|April|May|June|July|August|September|October|November|December)"
PERIOD = re.compile(
    rf"\bQ[1-4] (?:FY ?)?20\d\d\b|\bFY ?20\d\d\b|\bH[12] 20\d\d\b|\b{MONTH} \d{{1,2}}, 20\d\d\b|\b20\d\d\b"
)
HEAD = re.compile(
    r"^(?:[A-Za-z$(][A-Za-z ,.$()/]*\s)??(?P<periods>(?:(?:Q[1-4] (?:FY ?)?20\d\d|FY ?20\d\d|H[12] 20\d\d|20\d\d)\s*){1,8})(?:Change|Variance|%|YoY| )*$"
)
UNIT_NOTE = re.compile(
    r"\b(?:in|USD|EUR|\$|€)\s+(?:USD |US\$ |\$|€|EUR )?(thousands|millions|billions)\b", re.IGNORECASE
)
COMPANY = re.compile(
    r"\b([A-Z][\w&'’-]*(?:\s+[A-Z&][\w&'’-]*){0,3}),?\s+(?:Inc|Corp|Corporation|Ltd|Limited|LLC|PLC|plc|AG|SE|GmbH|N\.V|S\.A|Co|Group|Holdings)\b\.?"
)
SEGMENT = re.compile(r"\b([A-Z][\w&]*(?: (?:& )?[A-Z][\w&]*){0,2}) [Ss]egment\b|\b[Ss]egment\s*[:–—-]\s*([A-Z][\w&]*(?: (?:& )?[A-Z][\w&]*){0,2})")  # fmt: skip
NO_LABEL = re.compile(
    r"\b(?:page|note|item|part|table|copyright|see|published|generated|printed|as of|ended|december|chapter|section|"
    r"change|january|february|march|april|june|july|august|september|october|november)\b",
    re.IGNORECASE,
)
NO_COMPANY = frozenset(
    ["quarterly", "annual", "report", "results", "statement", "statements", "balance", "sheet", "income", "cash", "flow", "summary", "key", "figures", "performance", "dashboard", "segment", "revenue", "financial", "highlights", "overview", "consolidated", "table", "of", "contents", "operations", "the", "in", "millions", "thousands", "usd", "by", "and", "page", "headcount", "operating", "total", "review", "earnings", "release", "scorecard", "trend", "chart", "metric", "metrics"]
)
N_HEAD_LINES = 6


@dataclass(frozen=True, kw_only=True)
class PageFact:
    """One figure and what stands near it.

    Attributes:
        key: label and period: names the fact on its page.
        subject: metric phrase, with the segment where the page is about one.
        answer: figure as printed, with the unit note of the page.
        period: period as the page words it; empty where none stands near.
        preposition: `in`, or `as of` before a day.
        entity: company as the page heads itself; empty where it does not.
    """

    key: str
    subject: str
    answer: str
    period: str
    preposition: str
    entity: str


def read_facts(text: str) -> list[PageFact]:
    """Facts of a page in order of place; empty where the page has none in a form that rules can read."""
    lines = [line for raw in text.splitlines() if (line := " ".join(raw.replace("\u00a0", " ").split()))]
    entity, segment, unit = _company(lines), _segment(lines), _unit(text)
    columns: list[str] = []
    period = next((found[0] for line in lines[:N_HEAD_LINES] if (found := PERIOD.search(line))), "")
    facts: list[PageFact] = []
    for place, line in enumerate(lines):
        head = HEAD.match(line)
        if head is not None:
            columns = PERIOD.findall(head["periods"])
            continue
        found = _label_and_figures(lines, place)
        if found is None:
            continue
        label, figures = found
        over = columns[: len(figures)] if len(columns) > 1 and len(columns) <= len(figures) else [period]
        for figure, when in zip(figures, over, strict=False):
            facts.append(_to_fact(label, figure, when, entity=entity, segment=segment, unit=unit))
    return facts


def _label_and_figures(lines: list[str], place: int) -> tuple[str, list[str]] | None:
    """A row, a pair, or a label with its figure alone on the next line."""
    line = lines[place]
    match = ROW.match(line) or PAIR.match(line)
    if match is not None:
        label = match["label"].strip(" ,:-")
        return (label, [cell.strip() for cell in CELL.findall(match["figures"])]) if _is_label(label) else None
    if place and CELL.fullmatch(line) and not PERIOD.fullmatch(line) and LABEL.match(lines[place - 1]):
        return (lines[place - 1], [line]) if _is_label(lines[place - 1]) else None
    return None


def _is_label(label: str) -> bool:
    return (
        2 < len(label) <= 60
        and len(label.split()) <= 7
        and not NO_LABEL.search(label)
        and label.count("(") == label.count(")")
    )


def _to_fact(label: str, figure: str, when: str, *, entity: str, segment: str, unit: str) -> PageFact:
    words = label[0].lower() + label[1:] if len(label) > 1 and label[1].islower() else label
    is_scoped = bool(segment) and segment.lower() not in label.lower()
    is_day = bool(re.match(MONTH, when))
    return PageFact(
        key=f"{label}\x1f{when}",
        subject=f"{segment} segment {words}" if is_scoped else words,
        answer=f"{figure} {unit}".strip(),
        period=when,
        preposition="as of" if is_day else "in",
        entity=entity,
    )


def _company(lines: list[str]) -> str:
    """The company that heads the page: a name with a legal ending, else a capitalised line of other words."""
    head = [*lines[:N_HEAD_LINES], *lines[-2:]]
    for line in head:
        if found := COMPANY.search(line):
            return found[1]
    for line in lines[:3]:
        words = re.findall(r"[A-Za-z&'’-]+", line)
        is_name = 1 <= len(words) <= 3 and all(word[0].isupper() or word == "&" for word in words)
        if is_name and not any(char.isdigit() for char in line) and not {word.lower() for word in words} & NO_COMPANY:
            return line.strip(" .,")
    return ""


def _segment(lines: list[str]) -> str:
    for line in lines[:N_HEAD_LINES]:
        if (found := SEGMENT.search(line)) and (name := found[1] or found[2]).lower() not in (
            "by",
            "operating",
            "reportable",
        ):
            return str(name)
    return ""


def _unit(text: str) -> str:
    found = UNIT_NOTE.search(text)
    return f"(in {found[1].lower()})" if found else ""
