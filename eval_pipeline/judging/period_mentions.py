"""Find the periods that a text mentions, and tell whether one that is shown covers one that is asked for.

Calendar and fiscal years are not told apart: `FY2023`, `fiscal 2023` and `2023` are one year here, because a page
that says `June 30, 2023` at the head of a column and a question that says FY2023 mean the same figures.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "1st": 1, "2nd": 2, "3rd": 3, "4th": 4}
SPANS = {"three": 3, "3": 3, "six": 6, "6": 6, "nine": 9, "9": 9, "twelve": 12, "12": 12, "thirteen": 3, "13": 3}

_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|"
    r"nov(?:ember)?|dec(?:ember)?)\.?"
)
_ORDINAL = r"(?P<ordinal>first|second|third|fourth|1st|2nd|3rd|4th)"
_DAY = r"\d{1,2}(?:st|nd|rd|th)?"
_FY = r"(?:fy|fiscal(?:\s+year)?|financial\s+year)"
_YEAR = r"(?:19|20)\d{2}"
_SHORT = rf"(?:{_YEAR}|['’]?\d{{2}})"
_DURATION = (
    r"(?P<span>three|six|nine|twelve|thirteen|3|6|9|12|13)\s+(?:months?|weeks?)|"
    r"(?P<whole>(?:fiscal\s+)?years?|52\s+weeks|53\s+weeks)|(?P<quarter>quarters?)"
)

_QUARTER_OF_YEAR = (
    rf"\b{_ORDINAL}\s+(?:fiscal\s+)?quarter,?\s+(?:of\s+)?(?:the\s+)?(?:{_FY}\s+|year\s+)?(?P<year>{_YEAR})\b"
)
FORMS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (name, re.compile(pattern, re.IGNORECASE))
    for name, pattern in (
        ("ended", rf"\b(?:{_DURATION})\s+end(?:ed|ing)\s+(?P<month>{_MONTH})(?:\s*{_DAY})?,?\s+(?P<year>{_YEAR})\b"),
        ("quarter", rf"\bq\s?(?P<part>[1-4])[\s,/\-]*(?:of\s+)?(?:{_FY})?[\s\-]*(?P<year>{_SHORT})\b"),
        ("quarter", rf"\b(?P<part>[1-4])q[\s,/\-]*(?:{_FY})?[\s\-]*(?P<year>{_SHORT})\b"),
        ("quarter", rf"\b(?:{_FY}\s*)?(?P<year>{_YEAR})[\s,/\-]*q(?P<part>[1-4])\b"),
        ("quarter", _QUARTER_OF_YEAR),
        ("quarter", rf"\b(?:{_FY}\s*)?(?P<year>{_YEAR})[\s,]+{_ORDINAL}\s+quarter\b"),
        ("half", rf"\bh\s?(?P<part>[12])[\s,/\-]*(?:{_FY})?[\s\-]*(?P<year>{_SHORT})\b"),
        ("half", rf"\b(?:{_FY}\s*)?(?P<year>{_YEAR})[\s,/\-]*h(?P<part>[12])\b"),
        ("half", rf"\b(?P<ordinal>first|second)\s+half\s+(?:of\s+)?(?:{_FY}\s+)?(?P<year>{_YEAR})\b"),
        ("date", rf"\b(?P<month>{_MONTH})\s+\d{{1,2}}(?:st|nd|rd|th)?,?\s+(?P<year>{_YEAR})\b"),
        ("date", rf"\b\d{{1,2}}(?:st|nd|rd|th)?\s+(?P<month>{_MONTH}),?\s+(?P<year>{_YEAR})\b"),
        ("date", rf"\b(?P<year>{_YEAR})-(?P<number>0[1-9]|1[0-2])-[0-3]\d\b"),
        ("month", rf"\b(?P<month>{_MONTH}),?\s+(?P<year>{_YEAR})\b"),
        ("year", rf"\b{_FY}\s?(?P<year>{_SHORT})\b"),
        ("year", rf"(?<![\d.,$€£#])(?P<year>{_YEAR})(?![\d%]|[.,]\d)(?:E|A)?\b"),
        ("bare_quarter", r"\bq(?P<part>[1-4])\b"),
        ("bare_quarter", r"\b(?P<ordinal>first|second|third|fourth)\s+quarter\b"),
    )
)  # fmt: skip

# Every form has a year, `FY24`, `Q3` or `quarter` in it: lines without any need no closer look.
HINT = re.compile(r"(?:19|20)\d\d|\bfy|fiscal|financial|\bq\s?[1-4]|[1-4]q|\bh\s?[12]|quarter", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True)
class Period:
    """A period, or a day that stands for the period it ends.

    Attributes:
        year: four digits; None for a quarter without a year.
        part: empty for a year, `Q1`..`Q4`, `H1`, `H2`, `9M`, or `M01`..`M12`.
        month: month of the closing date, 1 to 12; None where no date is given.
    """

    year: int | None
    part: str = ""
    month: int | None = None

    def __str__(self) -> str:
        if self.year is None:
            return self.part
        if self.part.startswith("M"):
            return f"{MONTHS[int(self.part[1:]) - 1].title()} {self.year}"
        if not self.part and self.month is not None:
            return f"{MONTHS[self.month - 1].title()} {self.year}"
        return f"{self.part} {self.year}".strip()


@dataclass(frozen=True, kw_only=True)
class Mention:
    """A period at a place in a text.

    Attributes:
        period: what is meant.
        start: first character.
        end: one past the last.
    """

    period: Period
    start: int
    end: int


@lru_cache(maxsize=4096)
def find_periods(text: str) -> tuple[Mention, ...]:
    """Periods mentioned in a text, in order of place; the longest reading of each place counts once."""
    if not HINT.search(text):
        return ()
    taken: list[Mention] = []
    for name, form in FORMS:
        for match in form.finditer(text):
            if any(match.start() < mention.end and mention.start < match.end() for mention in taken):
                continue
            period = _to_period(name, match.groupdict())
            taken.append(Mention(period=period, start=match.start(), end=match.end()))
    return tuple(sorted(taken, key=lambda mention: mention.start))


def cut_periods(text: str) -> str:
    """The text with every mention of a period replaced by a blank."""
    for mention in reversed(find_periods(text)):
        text = f"{text[: mention.start]} {text[mention.end :]}"
    return text


def covers(*, asked: Period, shown: Period) -> bool:
    """Whether a figure shown for one period is a figure for the asked one.

    A closing date covers its year and its calendar quarter; a quarter never covers a year, nor a year a quarter.
    """
    if asked.year is None or shown.year is None:
        return asked.year == shown.year and asked.part == shown.part
    if asked.year != shown.year:
        return False
    if asked.part == shown.part:
        return asked.part != "" or asked.month is None or shown.month is None or asked.month == shown.month
    if shown.part == "" and shown.month is not None:
        return asked.part in (f"Q{(shown.month + 2) // 3}", f"M{shown.month:02d}")
    if asked.part == "" and asked.month is not None:
        return shown.part in (f"Q{(asked.month + 2) // 3}", f"M{asked.month:02d}")
    return False


def covers_any(asked: Sequence[Period], shown: Sequence[Period]) -> bool:
    """Whether any shown period covers any asked one."""
    return any(covers(asked=one, shown=other) for one in asked for other in shown)


def _to_period(form: str, found: dict[str, str | None]) -> Period:
    year = _to_year(found.get("year"))
    month = _to_month(found)
    match form:
        case "ended":
            return Period(year=year, part=part_of_span(found, month), month=month)
        case "quarter" | "bare_quarter":
            return Period(year=year, part=f"Q{_number(found)}")
        case "half":
            return Period(year=year, part=f"H{_number(found)}")
        case "month":
            return Period(year=year, part=f"M{month:02d}")
        case _:
            return Period(year=year, month=month)


def part_of_span(found: dict[str, str | None], month: int | None) -> str:
    """Part of the year that a duration with its closing month means: `Q3`, `H1`, `9M` or the whole year."""
    months = 3 if found.get("quarter") else SPANS.get((found.get("span") or "twelve").lower(), 12)
    if months == 12 or month is None:
        return ""
    return {3: f"Q{(month + 2) // 3}", 6: "H1" if month <= 6 else "H2"}.get(months, "9M")


def _number(found: dict[str, str | None]) -> int:
    return int(part) if (part := found.get("part")) else ORDINALS[(found.get("ordinal") or "").lower()]


def _to_month(found: dict[str, str | None]) -> int | None:
    if number := found.get("number"):
        return int(number)
    name = found.get("month")
    return None if name is None else month_number(name)


def month_number(name: str) -> int:
    """1 to 12 for the name of a month, long or short."""
    return MONTHS.index(name[:3].lower()) + 1


def _to_year(text: str | None) -> int | None:
    if text is None:
        return None
    digits = text.lstrip("'’")
    return int(digits) if len(digits) == 4 else 2000 + int(digits)
