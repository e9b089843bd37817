"""Whose page it is: where a page carries the name that a question asks about."""

import re
from collections.abc import Iterable
from itertools import pairwise
from typing import Literal, TypeAlias

from eval_pipeline.judging.period_mentions import cut_periods
from eval_pipeline.judging.statements import PageReading
from eval_pipeline.judging.vocabulary import LEGAL_SUFFIXES
from eval_pipeline.judging.words import contains_run, is_plain_heading_word, name_words, split_words

Carried: TypeAlias = Literal["subject", "body", "other", "unnamed"]
N_HEAD_LINES, N_FOOT_LINES = 8, 3


def find_name(entity: str, page: PageReading) -> Carried:
    """Where the page carries a name.

    Returns:
        `subject`: in its first or last lines, in a row or in a table head; `body`: only in running text, and no other
        company heads the page; `other`: the page is headed by something else; `unnamed`: nothing on it names anybody.
    """
    wanted = name_words(entity)
    subject = [*page.lines[:N_HEAD_LINES], *page.lines[-N_FOOT_LINES:]]
    rows = [statement.label for statement in page.statements if not statement.is_prose]
    heads = [statement.heading for statement in page.statements if not statement.heading.endswith(".")]
    if _carries(wanted, [*subject, *rows, *heads]):
        return "subject"
    head = page.lines[:N_HEAD_LINES]
    if _carries(wanted, [" ".join(page.lines)]):
        return "other" if any(_has_legal_name(line) for line in head) else "body"
    return "other" if any(_names_somebody(line) for line in [*head, *page.lines[-N_FOOT_LINES:]]) else "unnamed"


def _carries(wanted: list[str], lines: Iterable[str]) -> bool:
    """Whether the name stands in a line as whole words; `Foot Locker` and `FOOTLOCKER` are one."""
    joined = "".join(wanted)
    for line in lines:
        words = split_words(line)
        if contains_run(words, wanted) or joined in words:
            return True
        if len(wanted) == 1 and any("".join(pair) == joined for pair in pairwise(words)):
            return True
    return False


def _has_legal_name(line: str) -> bool:
    found = re.search(r"[A-Z][\w&.'-]*,?\s+(\w+)\.?(?:\W|$)", line)
    words = [word.casefold() for word in re.findall(r"\w+", line)]
    short = LEGAL_SUFFIXES - {"group", "company", "holding", "holdings", "as", "co", "se", "sa"}
    return found is not None and len(words) <= 8 and any(word in short for word in words[1:])


def _names_somebody(line: str) -> bool:
    """Whether a line has a capitalised word that is not one of the words of any business page."""
    for word in re.findall(r"\b[A-Z][A-Za-z&'’-]{2,}\b", cut_periods(line)):
        if any(not is_plain_heading_word(part) for part in split_words(word)):
            return True
    return False
