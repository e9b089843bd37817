"""word_recall: how much of a reference text the extraction found, word by word."""

import re
import unicodedata
from collections import Counter

from eval_pipeline.foundation.errors import MeasureUndefined

_WORD = re.compile(r"\w+(?:[.,'’\-]\w+)*")


def words_of(text: str) -> Counter[str]:
    """Words as a multiset: compatibility forms folded, case folded; `1,234.5` is one word."""
    return Counter(_WORD.findall(unicodedata.normalize("NFKC", text).casefold()))


def share_found(reference: Counter[str], found: Counter[str]) -> float:
    """Matched reference tokens / reference tokens, as multisets.

    Raises:
        MeasureUndefined: the reference is empty (reason `empty_reference`).
    """
    if not reference:
        message = "the reference text holds no token to be found"
        raise MeasureUndefined(message, reason="empty_reference")
    return (reference & found).total() / reference.total()


def word_recall(*, reference: str, extracted: str) -> float:
    """Share of the words of the reference that the extracted text holds; a word that occurs twice counts twice.

    Worked: reference `net net sales`, extracted `net sales up` -> 2/3.

    Raises:
        MeasureUndefined: see `share_found`.
    """
    return share_found(words_of(reference), words_of(extracted))
