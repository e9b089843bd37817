"""The judge that reads the page text: a line that states the metric, under the period, for the name. No network."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from eval_pipeline.foundation.ids import content_id
from eval_pipeline.foundation.protocols import Answer, Grade, PageContent, Verdict
from eval_pipeline.judging.matching import describe_periods, find_matches, find_near_lines
from eval_pipeline.judging.names import find_name
from eval_pipeline.judging.page_reading import read_page
from eval_pipeline.judging.question_reading import Asked, QuestionReading, read_question
from eval_pipeline.judging.statements import PageReading
from eval_pipeline.judging.words import contains_run, content_words, name_words, split_words

CODE_VERSION = "1"
OPEN_SHARE = 0.5  # an open question of which fewer words stand on the page is not about this page


@dataclass(frozen=True, kw_only=True)
class _Finding:
    """Both verbs rest on this, so that they agree.

    Attributes:
        answer: yes, no or abstain.
        is_about: whether the page mentions the subject of the question.
        reason: for a person to check.
    """

    answer: Answer
    is_about: bool
    reason: str


class TextMatchJudge:
    """Judges by question text and page text only.

    It answers yes when a line of the page states a figure for the metric that the question names, and nothing that
    the question names contradicts the page: the name must be on it, and the figure must stand under the asked period.
    It abstains where the text is missing or garbled, and where the question asks for more than looking up.
    """

    kind = "text-match"

    def __init__(self, *, name: str = "text") -> None:
        self.name = name
        self.judge_id = content_id("jd", [self.kind, CODE_VERSION, dict(self.settings())])

    def settings(self) -> Mapping[str, str | int | float | bool | None]:
        """Everything that could change a verdict."""
        return {"code_version": CODE_VERSION, "open_share": OPEN_SHARE}

    def answers(self, question: str, page: PageContent) -> Verdict:
        """Whether the page's text alone answers the question: yes, no or abstain."""
        found = _examine(question, page)
        return Verdict(outcome=found.answer, reason=found.reason)

    def label(self, question: str, page: PageContent) -> Verdict:
        """Grade of the page: sufficient exactly where `answers` is yes, abstain exactly where it abstains."""
        found = _examine(question, page)
        grade: Grade
        if found.answer == "no":
            grade = "supporting" if found.is_about else "irrelevant"
        else:
            grade = "sufficient" if found.answer == "yes" else "abstain"
        return Verdict(outcome=grade, reason=found.reason)


_read_page = lru_cache(maxsize=4096)(read_page)
_read_question = lru_cache(maxsize=512)(read_question)


def _examine(question: str, page: PageContent) -> _Finding:
    if page.text_quality != "good" or not page.text.strip():
        quality = "missing" if not page.text.strip() else page.text_quality
        return _Finding(answer="abstain", is_about=False, reason=f"The text of the page is {quality}.")
    asked, shown = _read_question(question), _read_page(page.text)
    if asked.kind == "open":
        return _examine_open(asked, shown)
    carried = find_name(asked.entity, shown) if asked.entity else "subject"
    if carried == "other":
        is_about = any(find_matches(part.words, shown, entity=asked.entity) for part in asked.parts)
        return _Finding(answer="no", is_about=is_about, reason=f"The page does not name {asked.entity}.")
    found = _examine_parts(asked, shown)
    if found.answer == "yes" and carried == "unnamed":
        reason = (
            f"{found.reason} But the page names nobody, so whether it is about {asked.entity} cannot be told from it."
        )
        return _Finding(answer="abstain", is_about=True, reason=reason)
    is_about = found.is_about or (bool(asked.entity) and carried != "unnamed")
    return _Finding(answer=found.answer, is_about=is_about, reason=found.reason)


def _examine_parts(asked: QuestionReading, shown: PageReading) -> _Finding:
    for called, value in asked.conditions:
        if not contains_run([word for line in shown.lines for word in split_words(line)], split_words(value)):
            reason = f"The question asks where {called} is {value}, which the page does not say."
            return _Finding(answer="no", is_about=_mentions(asked, shown), reason=reason)
    results = [_examine_part(part, asked, shown) for part in asked.parts]
    missing = [result for result in results if result.answer != "yes"]
    is_about = any(result.is_about for result in results)
    if not missing:
        reasons = list(dict.fromkeys(result.reason for result in results))
        return _Finding(answer="yes", is_about=True, reason=" ".join(reasons))
    answer: Literal["no", "abstain"] = "no"
    if asked.kind != "lookup" and all(result.answer == "abstain" for result in missing):
        answer = "abstain"
    return _Finding(answer=answer, is_about=is_about, reason=missing[0].reason)


def _examine_part(part: Asked, asked: QuestionReading, shown: PageReading) -> _Finding:
    wording = (
        " ".join(sorted(word.replace("_", " ") for word in part.words)) if asked.kind == "formula" else asked.phrase
    )
    matches = find_matches(part.words, shown, entity=asked.entity)
    for match in matches:
        figure = match.figure_for(part.periods)
        if figure is not None:
            under = f" under {part.periods[0]}" if part.periods else ""
            return _Finding(
                answer="yes",
                is_about=True,
                reason=f"The page states {wording}{under}: {figure.shown} ('{match.line}').",
            )
    wanted = ", ".join(str(period) for period in part.periods)
    if matches:
        have = describe_periods(matches)
        reason = f"The page states {wording} {have}, not for {wanted} ('{matches[0].line}')."
        return _Finding(answer="no", is_about=True, reason=reason)
    near = find_near_lines(part.words, shown, periods=part.periods)
    if near and asked.kind != "lookup":
        reason = f"No line states {wording} itself; '{near[0]}' and the like would have to be added up."
        return _Finding(answer="abstain", is_about=True, reason=reason)
    reason = f"No line of the page states a figure for {wording}."
    return _Finding(answer="no", is_about=_mentions(asked, shown), reason=reason)


def _mentions(asked: QuestionReading, shown: PageReading) -> bool:
    """Whether all words of the metric stand on the page, in whatever place."""
    words = {word for line in shown.lines for word in content_words(line)}
    return any(part.words <= words for part in asked.parts)


def _examine_open(asked: QuestionReading, shown: PageReading) -> _Finding:
    words = {word for line in shown.lines for word in content_words(line)}
    entity = set(name_words(asked.entity)) if asked.entity else set()
    wanted = asked.all_words - entity
    found = {word for word in wanted if word in words}
    share = len(found) / len(wanted) if wanted else 1.0
    listed = ", ".join(sorted(found)[:6]) or "none"
    if share >= OPEN_SHARE:
        reason = f"The question takes more than looking up a figure; the page has its words ({listed})."
        return _Finding(answer="abstain", is_about=True, reason=reason)
    reason = f"The page has {len(found)} of the {len(wanted)} words of the question ({listed})."
    return _Finding(answer="no", is_about=False, reason=reason)
