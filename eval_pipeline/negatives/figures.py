"""The figures that a page states, to tell a restated page with the same values from one with others (MEASURES 1)."""

import re

from eval_pipeline.corpus.dates import cut_dates
from eval_pipeline.corpus.normalising import fold_text

CODE_VERSION = "1"
MIN_FIGURES = 3
"""Fewer figures say too little of a page to call two of them the same."""
_FIGURE = re.compile(r"[(\-]?[$€£]?\d(?:[\d.,]*\d)?%?")


def read_figures(text: str) -> str | None:
    """The figures of a page in reading order, without days; None where there are fewer than three.

    Two pages with equal figures state the same values: a stamp such as `Restated on March 15, 2025` changes none. A
    sign, a bracket, a currency mark and each digit count.

    >>> read_figures("Revenue 1,234 (12) 5%. As filed on June 30, 2024")
    '1,234 (12 5%'
    """
    found = _FIGURE.findall(cut_dates(fold_text(text)))
    return " ".join(found) if len(found) >= MIN_FIGURES else None
