"""Read the quarters that a question speaks of; written apart from the pipeline's own reader of periods."""

import re
from dataclasses import dataclass

MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4}
FISCAL = r"(?:fy|fiscal(?: year)?|financial year|calendar(?: year)?|the year)?[ ']*"
YEAR = r"(?:20)?(?P<year>\d{2})"
MONTH = (
    r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t|tember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
)
ORDINAL = r"(?P<ordinal>first|second|third|fourth)"
LONGER = re.compile(
    r"\b(?:six|nine|twelve) months\b|\b(?:year|fiscal year|half) ended\b|\bfull[- ]year\b|\bannual|\bh[12]\b|\bhalf\b"
)


@dataclass(frozen=True, kw_only=True)
class SpokenPeriod:
    """What a question says of a quarter.

    Attributes:
        year: four digits; None where the question gives none.
        quarter: 1 to 4; None where the question names a year only.
    """

    year: int | None
    quarter: int | None

    def fits(self, period: str) -> bool:
        """Whether a fact's period (`2024-Q2`) is one that is asked for."""
        year, quarter = period.split("-Q")
        return self.year in (None, int(year)) and self.quarter in (None, int(quarter))


FORMS: tuple[str, ...] = (
    r"\b20(?P<year>\d{2})-(?P<number>\d{2})-\d{2}\b",
    rf"\bq(?P<quarter>[1-4])[ ,/-]*(?:of )?{FISCAL}{YEAR}\b",
    rf"\b(?P<quarter>[1-4])q[ -]?{FISCAL}{YEAR}\b",
    rf"\b(?:fy ?)?{YEAR}[ ,/-]*q(?P<quarter>[1-4])\b",
    rf"\b{ORDINAL}[ -](?:fiscal )?quarter,? (?:of )?{FISCAL}{YEAR}\b",
    rf"\b{MONTH} \d{{1,2}},? {YEAR}\b",
    rf"\b\d{{1,2}} {MONTH},? {YEAR}\b",
    rf"\b{MONTH},? 20(?P<year>\d{{2}})\b",
    r"\b(?:fy ?'?(?:20)?|fiscal (?:year )?20|20)(?P<year>\d{2})\b",
    r"\bq(?P<quarter>[1-4])\b",
    rf"\b{ORDINAL}[ -]quarter\b",
)


def read_periods(question: str) -> tuple[frozenset[SpokenPeriod], str]:
    """Quarters that a question names, and the question without them.

    Args:
        question: lower case.
    """
    found: set[SpokenPeriod] = set()
    for form in FORMS:
        found.update(_to_period(match.groupdict()) for match in re.finditer(form, question))
        question = re.sub(form, " ", question)
    return frozenset(found), question


def speaks_of_longer_span(question: str) -> bool:
    """Whether a lower-case question asks for a half, nine months or a year, which no page of the demo gives."""
    return LONGER.search(question) is not None


def _to_period(parts: dict[str, str]) -> SpokenPeriod:
    year = 2000 + int(parts["year"]) if "year" in parts else None
    if "quarter" in parts:
        return SpokenPeriod(year=year, quarter=int(parts["quarter"]))
    if "ordinal" in parts:
        return SpokenPeriod(year=year, quarter=ORDINALS[parts["ordinal"]])
    if "month" in parts:
        return SpokenPeriod(year=year, quarter=MONTHS.index(parts["month"][:3]) // 3 + 1)
    if "number" in parts:
        return SpokenPeriod(year=year, quarter=(int(parts["number"]) + 2) // 3)
    return SpokenPeriod(year=year, quarter=None)
