"""Days and months as reports spell them, and runs of whole months."""

import calendar
import datetime
import re
from dataclasses import dataclass

SNAP_DAYS = 7
"""A year of 52 or 53 weeks ends up to a week from a month's end; that month is meant."""

_FULL_NAMES = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
_MONTHS = {name[:n]: number for number, name in enumerate(_FULL_NAMES, start=1) for n in (3, len(name))} | {"sept": 9}


@dataclass(frozen=True, kw_only=True)
class Months:
    """A run of whole calendar months.

    Attributes:
        first: month number, counted from January of year 0.
        n: how many.
    """

    first: int
    n: int

    def __str__(self) -> str:
        year, month = divmod(self.first, 12)
        if self.n == 1:
            return f"{year:04d}-{month + 1:02d}"
        part = _part_of(month, self.n)
        if part is not None:
            return f"{year:04d}{part}"
        last_year, last_month = divmod(self.first + self.n - 1, 12)
        return f"{year:04d}-{month + 1:02d}..{last_year:04d}-{last_month + 1:02d}"

    def to_fiscal(self, year_end: int) -> str | None:
        """Canonical fiscal form under a year that ends with this month (1 to 12); None where the months fit none."""
        year, month = divmod(self.first - year_end, 12)
        part = "-9M" if self.n == 9 and month == 0 else _part_of(month, self.n)
        return None if part is None else f"FY{year + 1:04d}{part}"


def _part_of(month: int, n: int) -> str | None:
    """Name of a run of n months that begins at a month (0 to 11) of its year."""
    if n == 12 and month == 0:
        return ""
    if n in (3, 6) and month % n == 0:
        return f"{'Q' if n == 3 else 'H'}{month // n + 1}"
    return None


_DATE = (
    r"(?:(?P<y1>(?:19|20)\d{2})-(?P<m1>\d{2})-(?P<d1>\d{2})"
    r"|(?P<mn2>[a-z]+)\.? (?P<d2>\d{1,2})(?:st|nd|rd|th)?,? (?P<y2>(?:19|20)\d{2})"
    r"|(?P<d3>\d{1,2})(?:st|nd|rd|th|\.)?(?: of)?[ -](?P<mn3>[a-z]+)\.?,?[ -](?P<y3>(?:19|20)\d{2})"
    r"|(?P<a4>\d{1,2})(?P<s4>[/.])(?P<b4>\d{1,2})(?P=s4)(?P<y4>(?:19|20)\d{2}))"
)
_MONTH = r"(?:(?P<y>(?:19|20)\d{2})-(?P<m>\d{2})|(?P<mn>[a-z]+)\.?,?[ -](?P<yn>(?:19|20)\d{2}))"


def parse_date(text: str) -> datetime.date | None:
    """Day of `2024-09-30`, `September 30, 2024`, `30-Sep-2024`, `9/30/2024` or `30.9.2024`; None where it is unclear.

    Numbers with slashes or points count only where one of them cannot be a month, or both are the same.
    """
    matched = re.fullmatch(_DATE, text)
    if matched is None:
        return None
    of = {name: value for name, value in matched.groupdict().items() if value is not None}
    if "y1" in of:
        return _to_day(int(of["y1"]), int(of["m1"]), int(of["d1"]))
    if "y4" in of:
        first, second = int(of["a4"]), int(of["b4"])
        if first <= 12 and second <= 12 and first != second:
            return None  # month and day cannot be told apart
        month, day = (first, second) if first <= 12 else (second, first)
        return _to_day(int(of["y4"]), month, day)
    style = "2" if "y2" in of else "3"
    month_number = _MONTHS.get(of[f"mn{style}"])
    return _to_day(int(of[f"y{style}"]), month_number, int(of[f"d{style}"])) if month_number else None


def cut_dates(text: str) -> str:
    """A folded text with every day that is wholly understood replaced by a blank."""
    return re.sub(
        rf"(?<![\w.,/-]){_DATE}(?![\w/-])", lambda found: found[0] if parse_date(found[0]) is None else " ", text
    )


def _to_day(year: int, month: int, day: int) -> datetime.date | None:
    try:
        return datetime.date(year, month, day)
    except ValueError:
        return None


def parse_month(text: str) -> int | None:
    """Month number from January of year 0, of `2024-09`, `September 2024` or `Sept. 2024`."""
    matched = re.fullmatch(_MONTH, text)
    if matched is None:
        return None
    month = int(matched["m"]) if matched["m"] else _MONTHS.get(matched["mn"], 0)
    return int(matched["y"] or matched["yn"]) * 12 + month - 1 if 1 <= month <= 12 else None


def month_in_year_of(name: str, other: str) -> int | None:
    """Month number of a month's name in the year of another month: `July` in that of `September 2024`."""
    month, of_other = _MONTHS.get(name.rstrip(".")), parse_month(other)
    return None if month is None or of_other is None else of_other // 12 * 12 + month - 1


def snap_month(day: datetime.date) -> int | None:
    """Month number of the month's end that a day stands for, or None in the middle of a month."""
    month = day.year * 12 + day.month - 1
    if day.day > calendar.monthrange(day.year, day.month)[1] - SNAP_DAYS:
        return month
    return month - 1 if day.day <= SNAP_DAYS else None


def first_month(text: str) -> int | None:
    """Month number with which a run begins that is given by its first day or first month; None in mid-month."""
    day = parse_date(text)
    if day is None:
        return parse_month(text)
    before = snap_month(day - datetime.timedelta(days=1))
    return None if before is None else before + 1


def last_month(text: str) -> int | None:
    """Month number with which a run ends that is given by its last day (see `SNAP_DAYS`) or last month."""
    day = parse_date(text)
    return parse_month(text) if day is None else snap_month(day)
