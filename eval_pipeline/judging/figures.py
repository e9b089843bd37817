"""Read the figures of a line: amounts, signs, percentages and the dashes that hold an empty place."""

import re
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

FIGURE = re.compile(
    r"""
    (?P<dash>(?<!\S)(?:—|–|-|\*)(?!\S)|\bn\.?/?[am]\.?(?![\w/])|\bnm\b)
    |
    (?P<open>\()?\s?
    (?P<sign>[-−–+])?\s?(?P<currency>US\$|C\$|A\$|[$€£¥]|USD\s?|EUR\s?|GBP\s?)?\s?(?P<late_sign>[-−])?
    (?<![\w.,])(?<!\w[-–])(?P<digits>\d{1,3}(?:[,\u2009\u202f]\d{3})+|\d+)(?P<fraction>\.\d+)?
    \s?(?P<scale>(?:trillion|billion|million|thousand|bn|mn|tn|mm|[kmb])(?!\w))?
    \s?(?P<percent>%|percent\b|pp\b|bps\b)?
    \s?(?P<close>\))?
    (?![\w]|[.,/]\d|-[A-Za-z])
    """,
    re.IGNORECASE | re.VERBOSE,
)
SCALES = {
    "thousand": 3,
    "k": 3,
    "million": 6,
    "mn": 6,
    "mm": 6,
    "m": 6,
    "billion": 9,
    "bn": 9,
    "b": 9,
    "trillion": 12,
    "tn": 12,
}
PAGE_SCALE = re.compile(
    r"\b(?:in|usd|eur|\$|€)\s*(?:us\s*)?(?:\$|dollars|usd|eur|€)?\s*(?:in\s+)?(thousands?|millions?|billions?)\b"
    r"|\(?[$€£]\s?(m|mm|bn|k)\)?(?!\w)",
    re.IGNORECASE,
)


@dataclass(frozen=True, kw_only=True)
class Figure:
    """A figure at a place in a line.

    Attributes:
        value: amount with sign and its own scale, percentages as written (8.1 for 8.1%); None for a dash.
        is_percent: whether a percent sign follows.
        shown: as it is printed.
        start: first character.
        end: one past the last.
    """

    value: Decimal | None
    is_percent: bool
    shown: str
    start: int
    end: int


@lru_cache(maxsize=4096)
def find_figures(line: str) -> tuple[Figure, ...]:
    """Figures of a line, in order; parentheses and minus signs make a value negative, a dash has none."""
    return tuple(_to_figure(match) for match in FIGURE.finditer(line))


def find_scale(text: str) -> int:
    """Power of ten in which a page states its amounts (`in millions` is 6); 0 where it says nothing."""
    match = PAGE_SCALE.search(text)
    if match is None:
        return 0
    return SCALES[(match[1] or match[2]).lower().rstrip("s")]


def _to_figure(match: re.Match[str]) -> Figure:
    shown, start, end = match[0].strip(), match.start(), match.end()
    start += len(match[0]) - len(match[0].lstrip())
    if match["dash"]:
        return Figure(value=None, is_percent=False, shown=shown, start=start, end=end)
    if match["open"] and not match["close"]:
        start, shown = match.start() + match[0].index("(") + 1, shown.lstrip("( ")
    if match["close"] and not match["open"]:
        end, shown = end - 1, shown.rstrip(") ")
    digits = re.sub(r"[,\u2009\u202f]", "", match["digits"]) + (match["fraction"] or "")
    is_negative = bool((match["open"] and match["close"]) or (match["sign"] or match["late_sign"] or "+") in "-−–")
    value = Decimal(digits).scaleb(SCALES.get((match["scale"] or "").lower(), 0))
    return Figure(
        value=-value if is_negative else value, is_percent=bool(match["percent"]), shown=shown, start=start, end=end
    )
