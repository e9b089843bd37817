"""Reporting periods: many spellings, one canonical form, fiscal and calendar kept apart.

Canonical forms:

    FY2023          a fiscal year, named after the calendar year in which it ends
    FY2024Q3        a quarter of a fiscal year;  FY2024H1 a half;  FY2024-9M its first nine months
    2023            a calendar year;  2024Q3 a calendar quarter;  2024H1 a half;  2024-09 a month
    2023-07..2024-06    any other run of whole months, both ends included
    2024-09-30      a day (a balance sheet's date)

Where the fiscal year's end is known, months that are a fiscal quarter, half, nine months or year are written as such:
with a year end of `06-30`, `three months ended September 30, 2024`, `2024Q3` and `FY2025Q1` are all `FY2025Q1`.
What is not understood as a whole is None: nothing is guessed.
"""

import re
from dataclasses import dataclass

from eval_pipeline.corpus.dates import (
    Months,
    first_month,
    last_month,
    month_in_year_of,
    parse_date,
    parse_month,
    snap_month,
)
from eval_pipeline.corpus.normalising import fold_text

_NUMBERS = {
    name: number
    for number, names in {
        1: "one 1", 3: "three 3", 6: "six 6", 9: "nine 9", 12: "twelve 12",
        13: "thirteen 13", 26: "twenty-six 26", 39: "thirty-nine 39", 52: "fifty-two 52", 53: "fifty-three 53",
        14: "fourteen 14", 27: "twenty-seven 27", 40: "forty 40",
    }.items()
    for name in names.split()
}  # fmt: skip
_MONTHS_OF_WEEKS = {13: 3, 14: 3, 26: 6, 27: 6, 39: 9, 40: 9, 52: 12, 53: 12}
_MONTHS_OF_WORDS = {"month": 1, "quarter": 3, "quarterly": 3, "half": 6, "half-year": 6, "year": 12, "annual": 12}
_ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "1st": 1, "2nd": 2, "3rd": 3, "4th": 4}


def parse_period(text: str, *, fiscal_year_end: str | None = None, is_fiscal: bool = False) -> str | None:
    """Canonical form of a period.

    Args:
        text: as given.
        fiscal_year_end: `MM-DD` of the entity, or None where it is not declared.
        is_fiscal: whether a bare year or quarter is a fiscal one (the column that holds it says so).

    Returns:
        The canonical form; None where the text is not wholly understood.

    Raises:
        ValueError: `fiscal_year_end` is no `MM-DD` within a week of a month's end.
    """
    year_end = None if fiscal_year_end is None else parse_year_end(fiscal_year_end)
    plain = fold_text(text).strip(" .,;:()[]")
    for read in (_read_day, _read_range, _read_ended, _read_parts):
        found = read(plain, is_fiscal)
        if isinstance(found, Months):
            return (found.to_fiscal(year_end) if year_end else None) or str(found)
        if isinstance(found, _FiscalYearEnded):
            return found.months.to_fiscal(year_end or found.year_end) or str(found.months)
        if found is not None:
            return found
    return None


def parse_year_end(text: str) -> int:
    """Month (1 to 12) with which a fiscal year ends, from `MM-DD`.

    Raises:
        ValueError: it is no such day, or more than a week from the end of a month.
    """
    day = parse_date(f"2023-{'02-28' if text == '02-29' else text}")
    month = snap_month(day) if day else None
    if month is None:
        message = f"{text!r} should be the day of a fiscal year's end as MM-DD, at the end of a month"
        raise ValueError(message)
    return month % 12 + 1


@dataclass(frozen=True, kw_only=True)
class _FiscalYearEnded:
    """`fiscal year ended June 30, 2023`: the phrase itself says where the fiscal year ends."""

    months: Months
    year_end: int


_Found = Months | _FiscalYearEnded | str | None


def _read_day(text: str, _: bool) -> _Found:
    plain = re.sub(r"^(?:as of|as at|at|on) ", "", text)
    day = parse_date(plain)
    if day is not None:
        return day.isoformat()
    month = parse_month(plain)
    return None if month is None else Months(first=month, n=1)


def _read_range(text: str, _: bool) -> _Found:
    for separator in ("..", "/", " to ", " - ", " through ", " until ", "-"):
        start, found, end = text.removeprefix("from ").partition(separator)
        if not found:
            continue
        first, last = first_month(start), last_month(end)
        if first is None and parse_month(end) is not None:
            first = month_in_year_of(start, end)
        if first is not None and last is not None and last > first:
            return Months(first=first, n=last - first + 1)
        if first is not None and first == last:
            return Months(first=first, n=1)
    return None


_ENDED = re.compile(
    r"(?:for )?(?:the )?(?:(?P<number>[a-z]+(?:-[a-z]+)?|\d+)[ -](?P<unit>months?|weeks?)"
    r"|(?P<fiscal>fiscal |financial )?(?P<word>month|quarter|quarterly|half|half-year|year|annual))"
    r"(?: period)? (?:ended|ending|to) (?:on )?(?P<date>.+)"
)


def _read_ended(text: str, is_fiscal: bool) -> _Found:
    matched = _ENDED.fullmatch(text)
    if matched is None:
        return None
    last = last_month(matched["date"])
    if matched["word"]:
        n = _MONTHS_OF_WORDS[matched["word"]]
    else:
        n = _NUMBERS.get(matched["number"], 0)
        n = _MONTHS_OF_WEEKS.get(n, 0) if matched["unit"].startswith("week") else n if n <= 12 else 0
    if last is None or not n:
        return None
    months = Months(first=last - n + 1, n=n)
    if n == 12 and (matched["fiscal"] or is_fiscal):
        return _FiscalYearEnded(months=months, year_end=last % 12 + 1)
    return months


_TOKEN = re.compile(
    r"(?P<fiscal>f\.?y\.?(?![a-z])|fiscal year|fiscal|financial year|f(?=[1-4]?q))"
    r"|(?P<calendar>c\.?y\.?(?![a-z])|calendar year|calendar|c(?=[1-4]?q))"
    r"|(?P<part>[qh][1-4](?!\d)|[1-4][qh](?=[fc]y|[^a-z]|$)"
    r"|(?P<run>[369])m(?=[fc]y|[^a-z]|$)|first (?P<months>three|six|nine|3|6|9)[ -]months"
    r"|(?P<nth>first|second|third|fourth|1st|2nd|3rd|4th)[ -](?P<kind>quarter|qtr|half)"
    r"|(?P<kind2>quarter|qtr|half) (?P<no>[1-4])(?!\d))"
    r"|(?P<year>(?:19|20)\d{2}(?!\d))"
    r"|(?P<short>'?\d{2}(?!\d))"
    r"|(?P<filler>(?:full year|the|of|for|year|annual)(?![a-z]))"
    r"|(?P<gap>[\s,\-_/]+)"
)


def _read_parts(text: str, is_fiscal: bool) -> _Found:
    """A year with or without a quarter or half, in any order: `FY24 Q3`, `3Q24`, `third quarter of fiscal 2024`."""
    seen: dict[str, str] = {}
    place = 0
    while place < len(text):
        matched = _TOKEN.match(text, place)
        if matched is None:
            return None
        kind = next(name for name in _KINDS if matched[name] is not None)
        if kind in seen and kind not in ("gap", "filler"):
            return None
        seen[kind] = _part_name(matched) if kind == "part" else matched[kind]
        place = matched.end()
    return _join_parts(seen, is_fiscal)


_KINDS = ("fiscal", "calendar", "part", "year", "short", "filler", "gap")


_PARTS_OF_RUNS = {3: "Q1", 6: "H1", 9: "9M"}


def _part_name(matched: re.Match[str]) -> str:
    if run := matched["run"] or matched["months"]:
        return _PARTS_OF_RUNS[_NUMBERS[run]]
    number = _ORDINALS.get(matched["nth"] or "") or int(matched["no"] or re.sub(r"\D", "", matched["part"]))
    word = matched["kind"] or matched["kind2"] or matched["part"]
    return f"{'H' if 'h' in word and not word.startswith(('quarter', 'qtr')) else 'Q'}{number}"


def _join_parts(seen: dict[str, str], is_fiscal: bool) -> _Found:
    part, year = seen.get("part", ""), seen.get("year")
    if year is None and "short" in seen and (part or "fiscal" in seen or "calendar" in seen):
        number = int(seen["short"].lstrip("'"))
        year = str(number + (2000 if number < 70 else 1900))
    elif "short" in seen:
        return None
    if year is None or part in ("H3", "H4") or {"fiscal", "calendar"} <= set(seen):
        return None
    if "fiscal" in seen or (is_fiscal and "calendar" not in seen):
        return f"FY{year}-9M" if part == "9M" else f"FY{year}{part}"
    n = {"": 12, "Q": 3, "H": 6, "9": 9}[part[:1]]
    place = int(part[1:]) - 1 if part[:1] in ("Q", "H") else 0
    return Months(first=int(year) * 12 + place * n, n=n)
