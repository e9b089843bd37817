"""Numbers as values of a facet (a visit, a dose, a year of a plan): one spelling for equal amounts."""

import re
from decimal import Decimal

from eval_pipeline.corpus.normalising import fold_text

_NUMBER = re.compile(r"[+-]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:e[+-]?\d{1,2})?", re.ASCII)


def parse_number(text: str) -> str | None:
    """Plain decimal spelling of a number; None where the text is not wholly one. No digit is rounded away.

    The decimal mark is a point; commas count only between groups of three digits.

    >>> parse_number("1,200.50"), parse_number("007"), parse_number("1,5"), parse_number("12 mg")
    ('1200.5', '7', None, None)
    """
    plain = fold_text(text)
    if _NUMBER.fullmatch(plain) is None:
        return None
    spelled = f"{Decimal(plain.replace(',', '')):f}"
    if "." in spelled:
        spelled = spelled.rstrip("0").removesuffix(".")
    return "0" if spelled in ("-0", "") else spelled
