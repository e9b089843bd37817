"""What the head of a page says of all of it, for the rules writer: company, segment, period, unit, columns."""

import re
from collections.abc import Sequence
from dataclasses import dataclass


def word_set(text: str) -> frozenset[str]:
    """Words of a text, as a set."""
    return frozenset(text.split())


MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
MONTH = rf"(?:{'|'.join(MONTHS)})"
DATE = rf"{MONTH} \d{{1,2}}, 20\d\d"
ENDED = re.compile(
    rf"\b(?P<span>three|nine|six|twelve) months ended ({MONTH}) \d{{1,2}}, (20\d\d)"
    rf"|\b(?P<year>(?:fiscal )?year) ended ({MONTH}) \d{{1,2}}, (20\d\d)",
    re.IGNORECASE,
)
PERIOD = re.compile(
    rf"\bQ[1-4] (?:FY ?)?20\d\d\b|\bFY ?20\d\d\b|\bH[12] 20\d\d\b|\b{DATE}|(?<![$\d,.])\b20\d\d\b(?![,.]\d)"
)
COLUMNS = re.compile(
    r"^(?:[A-Za-z$(][A-Za-z ,.$()/]*? )?(?P<periods>"
    rf"(?:(?:Q[1-4] (?:FY ?)?20\d\d|FY ?20\d\d|H[12] 20\d\d|{DATE}|20\d\d)\s*){{2,8}})$"
)
SPAN_LINE = re.compile(
    r"^(?:for the )?(three months|year|fiscal year|twelve months) ended(?: (?P<month>[A-Z][a-z]+) \d{1,2},?)?$",
    re.IGNORECASE,
)
UNIT = re.compile(
    r"\b(?:in |USD |EUR |US\$ ?|\$ ?|€ ?)(thousands|millions|billions)\b"
    r"|\b(USD|EUR|US\$|\$|€) (?:in )?(millions|thousands|billions)\b",
    re.IGNORECASE,
)
LEGAL = re.compile(
    r"\b([A-Z][\w&'’-]*(?: [A-Z&][\w&'’-]*){0,3}),? "
    r"(?:Inc|INC|Corp|CORP|Corporation|CORPORATION|Ltd|Limited|LLC|PLC|plc|AG|SE|GmbH)\b\.?"
)
OWN_PERIOD = re.compile(
    r"\bin (?:Q[1-4]|H[12]|FY)? ?(?:20\d\d)?\s*:"
)  # `Backlog in Q3 2024: 5` dates its own figure only
SEGMENT = re.compile(
    r"\b([A-Z][\w&]*(?: (?:& )?[A-Z][\w&]*){0,2}) [Ss]egment\b"
    r"|\b[Ss]egment\s*[:–—-]\s*([A-Z][\w&]*(?: (?:& )?[A-Z][\w&]*){0,2})"
)
NOT_A_NAME = word_set(
    """
    quarterly annual interim report reports results statement statements balance sheet sheets income cash flow
    flows summary key figures performance dashboard segment segments revenue financial highlights overview
    consolidated condensed table contents operations the in millions thousands usd eur by and page headcount
    operating total review earnings release scorecard trend chart metric metrics three six nine twelve months
    year quarter part item notes risk factors signatures first second third fourth half fact fy q1 q2 q3 q4
    unaudited of at a as for
    """
)
N_HEAD_LINES = 6


@dataclass(frozen=True, kw_only=True)
class PageHead:
    """What holds for every figure of a page unless its own line says otherwise; each may be empty.

    Attributes:
        entity: company.
        segment: segment that the page as a whole is about.
        period: period.
        unit: unit note, in parentheses.
    """

    entity: str
    segment: str
    period: str
    unit: str


def read_head(lines: Sequence[str]) -> PageHead:
    """Read the first lines of a page, and its last two for the company."""
    head = lines[:N_HEAD_LINES]
    over_all = [line for line in head if not OWN_PERIOD.search(line)]
    return PageHead(
        entity=_company(lines),
        segment=_segment(head),
        period=next((period for line in over_all if (period := find_period(line))), ""),
        unit=_unit(lines),
    )


def find_period(line: str) -> str:
    """First period of a line in the words people use, or nothing: `Three months ended June 30, 2024` is `Q2 2024`."""
    if (ended := ENDED.search(line)) is not None:
        month, year = (ended[2], ended[3]) if ended["span"] else (ended[5], ended[6])
        return _spell_ended((ended["span"] or "year").lower(), month, year)
    found = PERIOD.search(line)
    return found[0] if found else ""


def read_columns(lines: Sequence[str], place: int) -> list[str]:
    """Periods of a table's columns where this line names two or more and nothing else; empty for any other line."""
    match = COLUMNS.match(lines[place])
    if match is None:
        return []
    found = PERIOD.findall(match["periods"])
    above = SPAN_LINE.match(lines[place - 1]) if place else None
    if above is None:
        return found
    span = "three" if above[1].lower() == "three months" else "year"
    return [_over_span(span, column) for column in found]


def recency(period: str) -> tuple[int, int]:
    """Sort key of a period in words: year, then month of its close (12 for a whole year, 0 without a year)."""
    year = re.search(r"20\d\d", period)
    if year is None:
        return (0, 0)
    part = re.match(r"([QH])([1-4])", period)
    if part is not None:
        return (int(year[0]), int(part[2]) * (3 if part[1] == "Q" else 6))
    month = next((number for number, name in enumerate(MONTHS, start=1) if period.startswith(name)), 12)
    return (int(year[0]), month)


def _over_span(span: str, column: str) -> str:
    if (date := re.match(rf"({MONTH}) \d{{1,2}}, (20\d\d)", column)) is not None:
        return _spell_ended(span, date[1], date[2])
    return column if span != "three" else ""


def _spell_ended(span: str, month: str, year: str) -> str:
    number = [name.lower() for name in MONTHS].index(month.lower()) + 1
    if span == "three" and number % 3 == 0:
        return f"Q{number // 3} {year}"
    return f"FY{year}" if span in ("year", "twelve") else ""


def _company(lines: Sequence[str]) -> str:
    """A name with a legal ending in the head, else capitalised words that begin the page and come again at its foot."""
    for line in lines[:N_HEAD_LINES]:
        if found := LEGAL.search(line):
            return found[1].title() if found[1].isupper() and len(found[1]) > 4 else found[1]
    for line in lines[:2]:
        words: list[str] = []
        for word in line.split():
            if not word[0].isupper() or word.strip(".,:").lower() in NOT_A_NAME or any(char.isdigit() for char in word):
                break
            words.append(word.strip(",:"))
        name = " ".join(words[:4])
        if name and any(name in other for other in lines[2:]):
            return name
    return ""


def _segment(head: Sequence[str]) -> str:
    for line in head:
        if (found := SEGMENT.search(line)) is None:
            continue
        name = str(found[1] or found[2])
        if not {word.lower() for word in name.split()} <= NOT_A_NAME:
            return name
    return ""


def _unit(lines: Sequence[str]) -> str:
    found = next((match for line in lines[:10] if (match := UNIT.search(line))), None)
    return f"(in {(found[1] or found[3]).lower()})" if found else ""
