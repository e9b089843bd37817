"""Words as they are compared: folded, singular, without the little ones; phrases that mean the same become one."""

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

from eval_pipeline.judging.vocabulary import HARMLESS, LEGAL_SUFFIXES, PLAIN_HEADING_WORDS, SAME_MEANING, STOP_WORDS

WORD = re.compile(r"[a-z0-9]+(?:&[a-z0-9]+)*")


def fold(text: str) -> str:
    """Case, accents and typographic signs folded away; length may change."""
    if text.isascii():
        return text.casefold()
    plain = unicodedata.normalize("NFKD", text.replace("’", "'").replace("‘", "'"))
    return "".join(char for char in plain if not unicodedata.combining(char)).casefold()


@lru_cache(maxsize=65536)
def split_words(text: str) -> tuple[str, ...]:
    """All words in order, folded, singular, possessive endings dropped."""
    return tuple(singular(word) for word in WORD.findall(re.sub(r"'s\b", "", fold(text))))


def singular(word: str) -> str:
    """A plural ending off; words that end in ss, us or is stay as they are."""
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("xes", "ches", "shes", "sses")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def _index_phrases() -> dict[str, list[tuple[tuple[str, ...], str]]]:
    """Known phrases by their first word, longest first, in the form in which words are compared."""
    found: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    for name, phrases in SAME_MEANING:
        for phrase in phrases:
            words = tuple(singular(word) for word in phrase.split())
            found.setdefault(words[0], []).append((words, name))
    return {first: sorted(items, key=lambda item: -len(item[0])) for first, items in found.items()}


PHRASES = _index_phrases()


@lru_cache(maxsize=65536)
def content_words(text: str) -> tuple[str, ...]:
    """Words that carry meaning, in order, with phrases that mean the same replaced by one word."""
    return join_synonyms([word for word in split_words(text) if word not in STOP_WORDS])


def join_synonyms(words: Sequence[str]) -> tuple[str, ...]:
    """Replace the longest known phrase at each place by the word that stands for it."""
    joined: list[str] = []
    place = 0
    while place < len(words):
        length, name = next(
            (
                (len(phrase), name)
                for phrase, name in PHRASES.get(words[place], ())
                if tuple(words[place : place + len(phrase)]) == phrase
            ),
            (0, ""),
        )
        joined.append(name if length else words[place])
        place += max(length, 1)
    return tuple(joined)


def core_words(text: str) -> frozenset[str]:
    """Content words of a label or phrase without those that change nothing (total, reported, millions, ...)."""
    return frozenset(content_words(text)) - HARMLESS


def name_words(name: str) -> list[str]:
    """Words of a company name without legal suffixes; all of them where nothing else is left."""
    words = list(split_words(name))
    return [word for word in words if word not in LEGAL_SUFFIXES] or words


def contains_run(words: Sequence[str], run: Sequence[str]) -> bool:
    """Whether the run stands in the words, one after the other."""
    wanted, length = tuple(run), len(run)
    return length > 0 and any(
        tuple(words[place : place + length]) == wanted for place in range(len(words) - length + 1)
    )


def is_plain_heading_word(word: str) -> bool:
    """Whether a word, singular or not, is one of any business page."""
    return word in _PLAIN


_PLAIN = frozenset(singular(word) for word in PLAIN_HEADING_WORDS)
