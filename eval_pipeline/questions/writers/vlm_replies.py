"""What a writer's reply must be to count, and which of its questions are left out."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import Field

from eval_pipeline.foundation.errors import JudgeFailed
from eval_pipeline.foundation.ids import Jsonable, canonical_json
from eval_pipeline.judging.replies import Said, closed, load_json, parse
from eval_pipeline.questions.writers.written import WrittenQuestion

LONGEST_QUESTION = 400
POINTING = re.compile(
    r"\b(?:this|the (?:above|following|given|shown|attached)|shown in the) "
    r"(?:page|slide|chart|graph|table|figure|document|image|picture|diagram|report)\b|\bon (?:this|the) page\b",
    re.IGNORECASE,
)
"""Words that point at a page: whoever is asked has not got one before them."""
NUMBER = re.compile(r"\d[\d.,]*\d|\d")
WORD = re.compile(r"[^\W_]{2,}")


class NamedAxis(Said):
    """A facet that a question names.

    Attributes:
        axis: name of the facet.
        words: the words of the question that name it.
    """

    axis: str
    words: str


class QuestionSaid(Said):
    """One question of a reply.

    Attributes:
        question: the question.
        answer: as the page gives it.
        evidence: words of the page on which the answer rests, verbatim.
        named: facets that the question names.
    """

    question: str
    answer: str
    evidence: str
    named: list[NamedAxis] = Field(default_factory=list)


class PageSaid(Said):
    """A writer's reply on one page.

    Attributes:
        page_id: page that it speaks of.
        questions: may be none.
    """

    page_id: str | None = None
    questions: list[QuestionSaid]


@dataclass(frozen=True, kw_only=True)
class Kept:
    """Questions of a reply that count.

    Attributes:
        written: as a JSON list, as stored.
        left_out: why others do not count, in words; empty where all do.
    """

    written: str
    left_out: str


def schema_of(axes: Sequence[str]) -> dict[str, object]:
    """JSON schema of a reply."""
    named = closed({"axis": {"type": "string", "enum": list(axes)}, "words": {"type": "string"}})
    words = {"type": "string"}
    item = closed({"question": words, "answer": words, "evidence": words, "named": {"type": "array", "items": named}})
    return closed({"page_id": words, "questions": {"type": "array", "items": item}})


def read_page_reply(
    content: str, *, page_id: str, text: str | None, is_text_only: bool, axes: Sequence[str], per_page: int
) -> Kept:
    """Questions of a reply that stand up to a look at the page.

    Left out are questions without words, ones that point at "this page", ones without an answer, ones asked twice,
    those beyond `per_page`, and those whose evidence is not on the page: where only the text was shown, its figures
    must stand there and most of its words; beside a picture, which may show more than its text layer, some word must.

    Args:
        content: of the reply.
        page_id: of the page that was shown.
        text: text layer that was shown; None where none was.
        is_text_only: whether no picture was shown.
        axes: facets that may be named.
        per_page: questions wanted.

    Raises:
        JudgeFailed: `malformed`; `other pages` where it speaks of another page or nothing in it is on this one.
    """
    said = parse(PageSaid, load_json(content))
    if said.page_id is not None and said.page_id != page_id:
        message = f"the reply speaks of page {said.page_id[:40]!r}; shown was {page_id!r}"
        raise JudgeFailed(message, reason="other pages")
    kept: list[dict[str, Jsonable]] = []
    faults: list[str] = []
    for item in said.questions:
        fault = _fault_of(item, text, is_text_only=is_text_only)
        if fault is None and any(item.question.strip() == one["text"] for one in kept):
            fault = "asked twice"
        if fault is None and len(kept) >= per_page:
            fault = f"more than {per_page}"
        if fault is None:
            kept.append(_to_plain(item, axes))
        else:
            faults.append(fault)
    if said.questions and not kept:
        strange = all(fault == NOT_ON_PAGE for fault in faults)
        message = f"none of the {len(said.questions)} questions counts: {', '.join(sorted(set(faults)))}"
        raise JudgeFailed(message, reason="other pages" if strange else "malformed")
    left_out = f"left out {len(faults)}: {', '.join(sorted(set(faults)))}" if faults else ""
    return Kept(written=canonical_json(kept), left_out=left_out)


NOT_ON_PAGE = "evidence is not on the page"


def _fault_of(item: QuestionSaid, text: str | None, *, is_text_only: bool) -> str | None:
    question = item.question.strip()
    if not question or len(question) > LONGEST_QUESTION:
        return "no question" if not question else "too long"
    if not item.answer.strip() or not item.evidence.strip():
        return "no answer or evidence"
    if POINTING.search(question):
        return "points at the page instead of naming what it asks for"
    if text is not None and not _is_on_page(item.evidence, text, is_text_only=is_text_only):
        return NOT_ON_PAGE
    return None


def _is_on_page(evidence: str, text: str, *, is_text_only: bool) -> bool:
    wanted, there = _words(evidence), _words(text)
    shared = len(wanted & there)
    if not is_text_only:
        return shared > 0 or not wanted
    numbers = set(NUMBER.findall(text))
    return set(NUMBER.findall(evidence)) <= numbers and 2 * shared >= len(wanted)


def _words(text: str) -> set[str]:
    return {word.casefold() for word in WORD.findall(text)}


def _to_plain(item: QuestionSaid, axes: Sequence[str]) -> dict[str, Jsonable]:
    """The question as stored; an axis counts as named where its words stand in the question."""
    question = " ".join(item.question.split())
    folded = question.casefold()
    named = {
        one.axis: one.words.strip()
        for one in item.named
        if one.axis in axes and one.words.strip() and " ".join(one.words.split()).casefold() in folded
    }
    return {
        "text": question,
        "expected_answer": " ".join(item.answer.split()),
        "evidence": " ".join(item.evidence.split()),
        "named": named,
    }


def to_questions(written: str) -> list[WrittenQuestion]:
    """Questions as stored, in the order of the reply."""
    return [
        WrittenQuestion(
            text=one["text"],
            expected_answer=one["expected_answer"],
            subject=one["named"].get("metric", ""),
            named_axes=frozenset(one["named"]),
            place=float(place),
        )
        for place, one in enumerate(json.loads(written))
    ]
