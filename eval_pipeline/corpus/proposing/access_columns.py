"""Which metadata column says who may see a document, where its values are levels whose order is known."""

import re
from collections.abc import Mapping, Sequence

from eval_pipeline.foundation.config import AccessConfig

ORDER = ("public", "internal", "confidential", "restricted", "secret")
"""Levels from least to most restricted, as they are commonly called."""
MIN_KNOWN = 0.9
"""Share of given values that have to be known levels; rows with another value are refused by a run, and listed."""
_NAMES = r"access([ _-]?level)?|clearance([ _-]?level)?|classification|confidentiality|sensitivity"


def propose_access(
    *, columns: Sequence[str], rows: Sequence[Mapping[str, str]]
) -> tuple[AccessConfig | None, str | None]:
    """Access levels of a column of that name.

    Documents without a level take the most restricted one that occurs.

    Returns:
        The declaration and None; or None and the column whose values have no known order; or None twice.
    """
    column = next((one for one in columns if re.fullmatch(_NAMES, one.strip(), re.IGNORECASE)), None)
    if column is None:
        return None, None
    given = [row[column].strip().casefold() for row in rows if row.get(column)]
    levels = tuple(level for level in ORDER if level in given)
    if not levels or sum(level in ORDER for level in given) < MIN_KNOWN * len(given):
        return None, column
    return AccessConfig(column=column, default=levels[-1], levels=levels), None
