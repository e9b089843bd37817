"""number_recall: how many of the numbers of a reference text the extraction found."""

import re
import unicodedata
from collections import Counter

from eval_pipeline.metrics.measures.word_recall import share_found

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


def numbers_of(text: str) -> Counter[str]:
    """Numbers as a multiset of their digits and separators: `1,234` and `1234` are two spellings and do not match."""
    return Counter(_NUMBER.findall(unicodedata.normalize("NFKC", text)))


def number_recall(*, reference: str, extracted: str) -> float:
    """Share of the numbers of the reference that the extracted text holds, as multisets.

    Worked: reference `1,234 and 56`, extracted `56` -> 1/2.

    Raises:
        MeasureUndefined: the reference holds no number (reason `empty_reference`).
    """
    return share_found(numbers_of(reference), numbers_of(extracted))
