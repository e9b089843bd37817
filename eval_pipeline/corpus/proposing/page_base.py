"""Whether people count the pages of their evidence from 0 or from 1, by what stands on the pages they name."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from eval_pipeline.corpus.normalising import fold_text

_WORD = re.compile(r"\d[\d.,]*\d|[^\W\d_]{4,}")


@dataclass(frozen=True, kw_only=True)
class NamedPage:
    """A page that is named as evidence.

    Attributes:
        document: relative path.
        page: the number as given.
        words: the quoted passage, or the question and its answer.
    """

    document: str
    page: int
    words: str


@dataclass(frozen=True, kw_only=True)
class PageBase:
    """How pages are counted.

    Attributes:
        base: number of the first page.
        reason: what speaks for it, in words.
        is_sure: whether the tables or the pages say so.
    """

    base: Literal[0, 1]
    reason: str
    is_sure: bool


def pages_to_read(named: Sequence[NamedPage]) -> dict[str, tuple[int, ...]]:
    """0-based pages that `find_page_base` wants to compare, by document."""
    wanted: dict[str, set[int]] = {}
    for one in named:
        wanted.setdefault(one.document, set()).update({one.page, one.page - 1} - {-1})
    return {document: tuple(sorted(indexes)) for document, indexes in sorted(wanted.items())}


def find_page_base(
    *, named: Sequence[NamedPage], n_pages: Mapping[str, int], texts: Mapping[tuple[str, int], str]
) -> PageBase:
    """Tell how pages are counted.

    Args:
        named: pages that questions name.
        n_pages: pages by document.
        texts: text by document and 0-based page, of the pages in `pages_to_read`.

    Returns:
        0 where a page 0 is named, 1 where a page is named that only counting from 1 has; else the one under which more
        named pages share more of the given words than the page beside them; else 1. Sure where most do.
    """
    if any(one.page == 0 for one in named):
        return PageBase(base=0, reason="a page 0 is named", is_sure=True)
    if any(one.page == n_pages.get(one.document) for one in named):
        return PageBase(base=1, reason="a last page is named that counting from 0 does not have", is_sure=True)
    votes = [_vote(one, texts) for one in named]
    for_zero, for_one = sum(vote > 0 for vote in votes), sum(vote < 0 for vote in votes)
    if for_zero == for_one:
        return PageBase(base=1, reason="nothing tells whether pages are counted from 0 or from 1", is_sure=False)
    base: Literal[0, 1] = 0 if for_zero > for_one else 1
    most, least = max(for_zero, for_one), min(for_zero, for_one)
    reason = f"the words on {most} named pages speak for it, on {least} against it"
    return PageBase(base=base, reason=reason, is_sure=most >= 2 * least + 2)


def _vote(named: NamedPage, texts: Mapping[tuple[str, int], str]) -> int:
    """How many more words the page shares when counted from 0 than when counted from 1."""
    words = _words(named.words)
    zero, one = (texts.get((named.document, index), "") for index in (named.page, named.page - 1))
    if not zero or not one:
        return 0
    return len(words & _words(zero)) - len(words & _words(one))


def _words(text: str) -> set[str]:
    return set(_WORD.findall(fold_text(text)))
