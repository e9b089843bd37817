"""One spelling for values that mean the same: text and names of entities."""

import re
import unicodedata

_LEGAL_SUFFIXES = frozenset(
    {
        *("inc", "incorporated", "corp", "corporation", "co", "company", "ltd", "limited", "llc", "lp", "llp", "plc"),
        *("gmbh", "ag", "kg", "kgaa", "ohg", "ug", "se", "sa", "sas", "sarl", "srl", "spa", "nv", "bv", "oy", "oyj"),
        *("ab", "asa", "as", "aps", "pty", "pte", "kk", "mbh", "publ", "aktiengesellschaft"),
    }
)
_DASHES = re.compile("[\u2010-\u2015\u2212\ufe58\ufe63\uff0d]")
_QUOTES = re.compile("[\u2018\u2019\u201a\u201b\u2032\uff07]")


def fold_text(value: str) -> str:
    """Fold letter case, blanks, invisible marks, dashes and Unicode forms; accents stay. Folding twice changes nothing.

    `"  Operating\u00a0Income "` and `"operating income"` are one; `"007"` and `"7"` stay two.
    """
    for _ in range(4):  # compatibility forms and case folding feed each other; two rounds are the most seen
        folded = _fold_once(value)
        if folded == value:
            break
        value = folded
    return value


def _fold_once(value: str) -> str:
    plain = unicodedata.normalize("NFKC", value).casefold()
    plain = "".join(letter for letter in plain if unicodedata.category(letter) not in {"Cf", "Cc"} or letter.isspace())
    plain = _QUOTES.sub("'", _DASHES.sub("-", plain))
    return unicodedata.normalize("NFKC", " ".join(plain.split()))


def fold_entity(value: str) -> str:
    """Fold the name of an entity: `fold_text`, then punctuation and legal suffixes at the end.

    `"Acme, Inc."`, `"ACME Incorporated"` and `"The Acme Co. Ltd"` are `"acme"`. A name that is nothing but a suffix
    (`"SE"`) stays; one that is nothing but punctuation is empty, which means that it cannot be read. `and` is `&`, with
    or without blanks: `"AT&T"` and `"AT and T"` are `"at & t"`.
    """
    words = _entity_words(fold_text(value))
    while len(words) > 1 and (words[-1] in _LEGAL_SUFFIXES or words[-1] == "&"):
        words.pop()
    if len(words) > 1 and words[0] == "the":
        words = words[1:]
    return fold_text(" ".join(words))


def _entity_words(folded: str) -> list[str]:
    initials = re.sub(r"\b(\w)\.(?:(?=\w\b)| (?=\w\.))", r"\1", folded)  # s.p.a. -> spa., j. p. -> jp.
    spelled = re.sub(r"\ba/s\b", "as", re.sub(r"\bsà ?rl\b", "sarl", initials.replace("&amp;", "&")))
    plain = "".join(letter if _is_of_word(letter) else " " for letter in spelled.replace("'", ""))
    words = [part.strip("-+") for part in plain.replace("&", " & ").split()]
    return ["&" if word == "and" else word for word in words if word]


def _is_of_word(letter: str) -> bool:
    """Letters, digits and the marks that belong to them (vowel signs of Indic scripts are no letters)."""
    return letter.isalnum() or letter in "&+-" or unicodedata.category(letter).startswith("M")
