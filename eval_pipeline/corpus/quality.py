"""Whether a text layer can be read, or is made of glyph codes."""

import re
from typing import Literal

TextQuality = Literal["good", "garbled", "missing"]

MAX_UNREADABLE_SHARE = 0.05
"""Share of unreadable characters above which a layer is garbled."""
MIN_VOWEL_SHARE = 0.28
"""Share of vowels among Latin letters below which a long text is no language (filings: above 0.36)."""
MIN_LETTERS = 300
"""Letters below which the share of vowels says nothing."""

_UNREADABLE = re.compile("[\ufffd\ue000-\uf8ff\U000f0000-\U0010fffd]")
_LATIN = re.compile("[A-Za-z]")
_VOWEL = re.compile("[AEIOUYaeiouy]")


def rate_text(text: str) -> TextQuality:
    """Rate a cleaned text layer.

    `missing` without any visible character; `garbled` where more than one visible character in twenty is a control,
    private-use or replacement character, or where a long Latin text has too few vowels to be a language (a font whose
    codes are shifted letters); `good` otherwise.
    """
    visible = re.sub(r"\s", "", text)
    if not visible:
        return "missing"
    if len(_UNREADABLE.findall(visible)) > MAX_UNREADABLE_SHARE * len(visible):
        return "garbled"
    letters = len(_LATIN.findall(visible))
    if letters >= MIN_LETTERS and len(_VOWEL.findall(visible)) < MIN_VOWEL_SHARE * letters:
        return "garbled"
    return "good"
