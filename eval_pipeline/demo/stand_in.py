"""A stand-in for a person: it adjudicates from the truth, and says so (author kind `generator-truth`, never human)."""

from os import PathLike
from pathlib import Path
from typing import Literal

from eval_pipeline.demo.asking import Asked, Vocabulary, read_question
from eval_pipeline.demo.facts import Fact, PageTruth
from eval_pipeline.demo.truth import read_truth
from eval_pipeline.demo.world import CONSOLIDATED
from eval_pipeline.foundation.files import resolve_inside
from eval_pipeline.foundation.protocols import Adjudication

AUTHOR = "demo generator"


class StandInReviewer:
    """Reads a question's wording, looks up what the page truly holds, and grades the pair.

    It knows nothing of gold units, expected answers or other labels. Where the truth file is absent, the page is not
    in it, or the question names no metric and no segment of this world, it leaves the pair to others.
    """

    def __init__(self, *, truth: str, home: str | PathLike[str]) -> None:
        self._pages = read_truth(resolve_inside(Path(home), truth))
        self._vocabulary = Vocabulary.of(self._pages.values())
        self._read: dict[str, Asked] = {}

    def adjudicate(self, question: str, document_path: str, page_number: int) -> Adjudication | None:
        """Grade one page for one question.

        Args:
            question: as asked.
            document_path: path of the document, relative to the project folder.
            page_number: 1-based.

        Returns:
            `sufficient` where the page holds a readable value for everything that is asked; `supporting` where it
            speaks of the same metric of the same company (or of any, where none is named) without holding it;
            otherwise `irrelevant`. None where there is no truth to decide by.
        """
        page = self._pages.get((document_path, page_number))
        if page is None:
            return None
        if question not in self._read:
            self._read[question] = read_question(question, self._vocabulary)
        asked = self._read[question]
        if not asked.metrics and not asked.scopes:
            return None
        if not self._is_of(asked, page):
            return _say("irrelevant", f"is a page of {page.entity}")
        return _decide(asked, page)

    def _is_of(self, asked: Asked, page: PageTruth) -> bool:
        """Whether the page is of a company that the question names, or leaves open."""
        if asked.is_foreign or (asked.entities and page.entity not in asked.entities):
            return False
        return not asked.scopes or not asked.scopes.isdisjoint(self._vocabulary.scopes[page.entity])


def _decide(asked: Asked, page: PageTruth) -> Adjudication:
    subject = [fact for fact in page.facts if _is_subject(asked, fact)]
    held = [fact for fact in subject if _answers(asked, fact)]
    if held and _covers_all(asked, held):
        fact = held[0]
        what = f"{fact.metric} ({fact.scope}) of {fact.entity} for {fact.period}: {fact.shown}"
        return _say("sufficient", f"holds {what}")
    if subject or any(mention.metric in asked.metrics for mention in page.mentions):
        return _say("supporting", f"speaks of the metric on a page of {page.entity}, but does not hold what is asked")
    return _say("irrelevant", "does not speak of what is asked")


def _is_subject(asked: Asked, fact: Fact) -> bool:
    return (not asked.metrics or fact.metric in asked.metrics) and (bool(asked.metrics) or fact.scope in asked.scopes)


def _answers(asked: Asked, fact: Fact) -> bool:
    return (
        fact.is_readable
        and not asked.is_longer
        and fact.scope in (asked.scopes or {CONSOLIDATED})
        and (not asked.periods or any(period.fits(fact.period) for period in asked.periods))
        and asked.revision in (None, fact.revision)
    )


def _covers_all(asked: Asked, held: list[Fact]) -> bool:
    """Whether every name in the question is met: each company, metric, segment and quarter."""
    return (
        asked.entities <= {fact.entity for fact in held}
        and asked.metrics <= {fact.metric for fact in held}
        and asked.scopes <= {fact.scope for fact in held}
        and all(any(period.fits(fact.period) for fact in held) for period in asked.periods)
    )


def _say(grade: Literal["sufficient", "supporting", "irrelevant"], what: str) -> Adjudication:
    return Adjudication(grade=grade, author_kind="generator-truth", author=AUTHOR, reason=f"The page {what}.")
