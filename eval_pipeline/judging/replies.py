"""What a reply must be to count: nothing is repaired, guessed or filled in."""

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from eval_pipeline.foundation.errors import JudgeFailed
from eval_pipeline.foundation.protocols import Verdict
from eval_pipeline.judging.prompts import FIELDS, Verb

FENCED = re.compile(r"```(?:json)?\s*\n(?P<inside>.*)\n```", re.DOTALL)
NO_REASON = "The judge gave no reason."
LONGEST_REASON = 2000
Confidence = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)] | None


class Said(BaseModel):
    """Base of replies: types are taken as they are, further fields are passed over."""

    model_config = ConfigDict(strict=True, extra="ignore", frozen=True)


class AnswerSaid(Said):
    """Reply to `answers` on one page.

    Attributes:
        page_id: page that it speaks of; may be left out where one page was shown.
        answer: the verdict.
        reason: in words.
        confidence: 0 to 1, or None.
    """

    page_id: str | None = None
    answer: Literal["yes", "no", "abstain"]
    reason: str = ""
    confidence: Confidence = None


class LabelSaid(Said):
    """Reply to `label` on one page.

    Attributes:
        page_id: page that it speaks of; may be left out where one page was shown.
        label: the grade.
        reason: in words.
        confidence: 0 to 1, or None.
    """

    page_id: str | None = None
    label: Literal["sufficient", "supporting", "irrelevant", "abstain"]
    reason: str = ""
    confidence: Confidence = None


class ListSaid(Said):
    """Reply on several pages.

    Attributes:
        verdicts: items, each checked by itself.
    """

    verdicts: list[dict[str, Any]]


_ITEMS: Mapping[str, type[AnswerSaid] | type[LabelSaid]] = {"answers": AnswerSaid, "label": LabelSaid}
_OUTCOMES = {
    "answers": ["yes", "no", "abstain"],
    "label": ["sufficient", "supporting", "irrelevant", "abstain"],
}
M = TypeVar("M", bound=BaseModel)


def schema_of(verb: Verb, *, is_many: bool) -> dict[str, Any]:
    """JSON schema of a reply: every field required, none besides, as endpoints that enforce schemas want it."""
    item = closed(
        {
            "page_id": {"type": "string"},
            "reason": {"type": "string"},
            FIELDS[verb]: {"type": "string", "enum": _OUTCOMES[verb]},
            "confidence": {"type": ["number", "null"]},
        }
    )
    return closed({"verdicts": {"type": "array", "items": item}}) if is_many else item


def closed(properties: Mapping[str, Any]) -> dict[str, Any]:
    """Schema of an object with these properties, all required."""
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


def read_one(content: str, *, verb: Verb, page_id: str) -> Verdict:
    """The verdict that a reply on one page gives.

    Raises:
        JudgeFailed: `malformed`, or `other pages` where it speaks of another page than was shown.
    """
    said = parse(_ITEMS[verb], load_json(content))
    if said.page_id is not None and said.page_id != page_id:
        message = f"the reply speaks of page {said.page_id[:40]!r}; shown was {page_id!r}"
        raise JudgeFailed(message, reason="other pages")
    return _to_verdict(said)


def read_many(content: str, *, verb: Verb, page_ids: Sequence[str]) -> dict[str, Verdict | JudgeFailed]:
    """Verdicts by page id, matched exactly: for every page that was shown a verdict or the reason why there is none.

    A page that is named twice has no verdict (`doubled`), whether or not the two agree; one that is not named is
    `missing`; items on pages that were not shown are passed over, and told of beside what is missing.

    Raises:
        JudgeFailed: `malformed`: the reply as a whole cannot be read; `other pages`: it names none that was shown.
    """
    items = parse(ListSaid, load_json(content)).verdicts
    named = [item.get("page_id") for item in items]
    strange = sorted({str(name)[:40] for name in named if name not in page_ids})
    if items and len(strange) == len({str(name)[:40] for name in named}):
        message = f"the reply speaks of {', '.join(strange[:5])} only, none of which was shown"
        raise JudgeFailed(message, reason="other pages")
    counts = Counter(name for name in named if isinstance(name, str))
    by_page = {name: item for name, item in zip(named, items, strict=True) if isinstance(name, str)}
    return {page_id: _read_item(page_id, counts, by_page, strange, verb) for page_id in page_ids}


def _read_item(
    page_id: str,
    counts: Mapping[str, int],
    by_page: Mapping[str, Mapping[str, Any]],
    strange: Sequence[str],
    verb: Verb,
) -> Verdict | JudgeFailed:
    if counts.get(page_id, 0) == 0:
        told = f"; it names {', '.join(strange[:5])}, which was not shown" if strange else ""
        return JudgeFailed(f"the reply leaves out page {page_id}{told}", reason="missing")
    if counts[page_id] > 1:
        return JudgeFailed(f"the reply names page {page_id} {counts[page_id]} times", reason="doubled")
    try:
        return _to_verdict(parse(_ITEMS[verb], by_page[page_id]))
    except JudgeFailed as error:
        return error


def load_json(content: str) -> Any:
    """JSON of a reply, which must be nothing else but for a fence of three backticks around the whole.

    Raises:
        JudgeFailed: `malformed`: it is no JSON, or a field stands in it twice.
    """
    try:
        bare = FENCED.fullmatch(content.strip())
        text = bare["inside"] if bare else content
        return json.loads(text, object_pairs_hook=_once, parse_constant=_refuse_constant)
    except ValueError as error:
        message = f"the reply is not the JSON that was asked for: {error}; it begins {content.strip()[:60]!r}"
        raise JudgeFailed(message, reason="malformed") from error


def parse(model: type[M], content: Any) -> M:
    """Checked reply.

    Raises:
        JudgeFailed: `malformed`, naming the field.
    """
    try:
        return model.model_validate(content)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "the reply"
        message = f"the reply has not the form that was asked for: {where}: {first['msg']}"
        raise JudgeFailed(message, reason="malformed") from error


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    twice = sorted(name for name, n in Counter(name for name, _ in pairs).items() if n > 1)
    if twice:
        message = f"field {twice[0]!r} stands in it twice"
        raise ValueError(message)
    return dict(pairs)


def _refuse_constant(name: str) -> Any:
    message = f"{name} is no number"
    raise ValueError(message)


def _to_verdict(said: AnswerSaid | LabelSaid) -> Verdict:
    outcome = said.answer if isinstance(said, AnswerSaid) else said.label
    reason = " ".join(said.reason.split())[:LONGEST_REASON] or NO_REASON
    return Verdict(outcome=outcome, reason=reason, confidence=said.confidence)
