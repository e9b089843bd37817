"""The text layer as it is stored: one spelling for what looks the same, before anything is hashed."""

import re
import unicodedata

_DROPPED = dict.fromkeys(map(ord, "\x00\u200b\u2060\ufeff"))
_UNREADABLE = re.compile("[\x01-\x08\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffd\ufffe\uffff]")
_SPACES = re.compile("[\t\x0b\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]")


def clean_text(text: str) -> str:
    r"""Clean the text of a page.

    PDFium writes U+FFFE for a hyphen at the end of a line and joins the next line to it: it becomes `-`, which is what
    is drawn. A soft hyphen goes, with the line break behind it. Blanks of any width become one kind, line ends `\n`,
    NUL and zero-width marks go, other control characters become U+FFFD (glyph codes stay countable), the whole is NFC.

    Returns:
        Text in the given reading order; cleaning it again changes nothing.
    """
    text = text.replace("\ufffe", "-").replace("\r\n", "\n").replace("\r", "\n").replace("\f", "\n")
    text = re.sub("\u00ad\n?", "", text).translate(_DROPPED)
    text = _SPACES.sub(" ", _UNREADABLE.sub("\ufffd", text))
    text = re.sub(r" +\n", "\n", re.sub(r"[\u2028\u2029]", "\n", text))
    return unicodedata.normalize("NFC", text).strip(" \n")
