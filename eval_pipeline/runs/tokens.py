"""Words and numbers of a page or a question, the same for both."""

import re
import unicodedata

CODE_VERSION = "1"
_TOKEN = re.compile(r"\d+(?:[.,'’]\d+)*|[^\W\d_]+")
_THOUSANDS = re.compile(r"[,'’](?=\d{3}(?:\D|$))")


def tokenize(text: str) -> list[str]:
    """Split text into folded words and numbers, in order.

    Compatibility forms and case are folded; digits stand apart from letters (`FY2024` gives `fy`, `2024`); thousands
    separators are removed, so that `1,204.5` and `1204.5` are one token.
    """
    folded = unicodedata.normalize("NFKC", text).casefold()
    return [_THOUSANDS.sub("", token) for token in _TOKEN.findall(folded)]
