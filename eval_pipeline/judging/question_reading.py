"""Read what a question asks for: metric, name, periods, and whether it takes a calculation."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from eval_pipeline.judging.period_mentions import Mention, Period, cut_periods, find_periods
from eval_pipeline.judging.vocabulary import HARMLESS, LEGAL_SUFFIXES, word_set
from eval_pipeline.judging.words import content_words, core_words, is_plain_heading_word, split_words

ASKING = re.compile(
    r"(?:^|[,;:]\s+|\band\s+)(what|how\s+much|how\s+many|how\s+large|how\s+high|which|who|when|where|why|has|have|had|did|"
    r"does|do|was|were|is|are|by\s+how\s+much|by\s+what)\b",
    re.IGNORECASE,
)
LOOKUP = re.compile(
    r"^(?:by\s+)?(?:what|how\s+much|how\s+many|how\s+large|how\s+high|which\s+\w+\s+(?:was|is)|give|state)\b",
    re.IGNORECASE,
)
CHANGE = re.compile(
    r"\b(?:year[- ]over[- ]year|quarter[- ]over[- ]quarter|yoy|y/y|qoq|change[ds]?|growth|grow|grew|grown|"
    r"increase[ds]?|decrease[ds]?|decline[ds]?|rise|risen|rose|fall|fallen|fell|difference|compared?|comparison|improve[ds]?|"
    r"higher|lower|percent(?:age)?s?|rate)\b",
    re.IGNORECASE,
)
BY_QUARTER = re.compile(r"\bquarter[- ]over[- ]quarter|qoq|previous\s+quarter|prior\s+quarter\b", re.IGNORECASE)
DEFINITION = re.compile(
    r"\b(?:is|are)?\s*(?:defined|calculated|computed)\s+as:?\s*(.+?)(?:\.(?:\s|$)|$)", re.IGNORECASE
)
OPEN_WORDS = re.compile(
    r"\b(?:any|why|who|whom|explain|describe|highest|lowest|largest|smallest|most|least|top|substantially|best|worst|"
    r"main|drivers?|reasons?|list)\b",
    re.IGNORECASE,
)
ASIDES = re.compile(
    r"\([^)]*\)|\b(?:in|answer in)\s+(?:usd|us\s+dollars|eur|gbp)?\s*(?:thousands|millions|billions)\b", re.IGNORECASE
)
SOURCES = re.compile(
    r"\b(?:according\s+to|based\s+on|as\s+shown\s+(?:in|on)|as\s+stated\s+(?:in|on)|per|on|in|from|within|using(?:\s+only)?)\s+"
    r"(?:the\s+|its\s+|their\s+|this\s+)?(?:consolidated\s+)?(?:balance\s+sheets?|income\s+statements?|statements?\s+of\s+\w+|"
    r"cash\s+flow\s+statements?|p&l(?:\s+statement)?|page|chart|table|report|filing|document|10-?k|10-?q|dashboard)\b",
    re.IGNORECASE,
)
ATTRIBUTION = re.compile(r"\battributable\s+to\s+(?:the\s+)?(?:company'?s?\s+)?(?:common\s+)?\w+", re.IGNORECASE)
TOPIC = re.compile(r",?\s+(?:regarding|concerning|with\s+respect\s+to)\s+(?:the\s+metric\s+)?([^,?]+)", re.IGNORECASE)
CONDITION = re.compile(r",?\s+where\s+(?:the\s+)?(\w+)\s+is\s+([^,?]+)", re.IGNORECASE)
NAME = r"(?:[A-Z][\w&.'-]*|[a-z]?[A-Z]{2,}\w*|\d+[A-Z]\w*)(?:\s+(?:(?:&|and|of|de|von|the)\s+)?[A-Z][\w&.-]*)*"
POSSESSIVE = re.compile(rf"({NAME}(?:,\s+Inc\.?)?)'s?(?=\s)")
AFTER = re.compile(rf"\b(?i:for|at|by|of|from|did|does|do|has|have|had)\s+(?:the\s+)?(?:company\s+)?({NAME})")
SEGMENT_AFTER = re.compile(r"^\s*(?:segments?|divisions?|business(?:\s+unit)?|units?|regions?|line)\b", re.IGNORECASE)
NOT_NAMES = word_set(
    """
    q1 q2 q3 q4 h1 h2 fy what how which usd eur gbp us ebitda eps p&l capex opex dpo the its company total
    """
)


@dataclass(frozen=True, kw_only=True)
class Asked:
    """One thing to look up.

    Attributes:
        words: core words of the metric phrase.
        periods: periods under which a figure must stand; empty where none is named.
    """

    words: frozenset[str]
    periods: tuple[Period, ...]


@dataclass(frozen=True, kw_only=True)
class QuestionReading:
    """What was read of a question.

    Attributes:
        kind: `lookup` of one figure, `change` between periods, `formula` over several figures, or `open` for what
            cannot be looked up.
        phrase: the metric as it was worded, for reasons.
        entity: the name asked about; empty where none is named.
        parts: what must all be stated.
        conditions: further words that the page must carry, by what they are called.
        all_words: content words, for open questions.
    """

    kind: Literal["lookup", "change", "formula", "open"]
    phrase: str
    entity: str
    parts: tuple[Asked, ...]
    conditions: tuple[tuple[str, str], ...]
    all_words: frozenset[str]


def read_question(text: str) -> QuestionReading:
    """Read a question; what it says about rounding, units and where to look changes nothing."""
    plain = " ".join(text.replace("’", "'").replace("‘", "'").split())
    main = _main_sentence(plain)
    conditions = tuple((match[1].lower(), match[2].strip()) for match in CONDITION.finditer(main))
    topics = [match[1].strip() for match in TOPIC.finditer(main)]
    main = TOPIC.sub(" ", CONDITION.sub(" ", main))
    mentions = find_periods(main)
    entity = _find_entity(main, mentions)
    periods = tuple(mention.period for mention in mentions if mention.period.year is not None)
    phrase, words = _metric_of(main, entity)
    words |= frozenset(word for topic in topics for word in core_words(topic))
    kind, parts = _parts_of(plain, main, words, periods)
    return QuestionReading(
        kind=kind,
        phrase=" ".join([phrase, *topics]).strip(),
        entity=entity,
        parts=parts,
        conditions=conditions,
        all_words=frozenset(content_words(main)),
    )


def _main_sentence(text: str) -> str:
    """The sentence that asks, from its question word on."""
    sentences = re.split(r"(?<=[?])\s+|(?<=[a-z0-9)]\.)\s+(?=[A-Z])", text)
    asking = next((sentence for sentence in sentences if "?" in sentence), sentences[0])
    found = ASKING.search(asking)
    if found is None or found.start(1) == 0:
        return asking
    before = asking[: found.start(1)].rstrip(" ,;:")
    return f"{asking[found.start(1) :]}" if not find_periods(before) else f"{asking[found.start(1) :]} ({before})"


def _find_entity(text: str, mentions: Sequence[Mention]) -> str:
    """The first name in a place where names stand: before `'s`, or after `for`, `at`, `by`, `did` and the like."""
    masked = list(text)
    for mention in mentions:
        masked[mention.start : mention.end] = "·" * (mention.end - mention.start)
    plain = "".join(masked)
    for pattern in (POSSESSIVE, AFTER):
        for match in pattern.finditer(plain):
            name = _trim_name(match[1])
            if name and not SEGMENT_AFTER.match(plain[match.end(1) :]):
                return name
    return ""


def _trim_name(raw: str) -> str:
    words = raw.split()
    while words and words[0].lower().strip(".,") in NOT_NAMES | {
        "has",
        "have",
        "did",
        "does",
        "was",
        "were",
        "is",
        "for",
    }:
        words.pop(0)
    while words and words[-1].lower() in {"and", "of", "the", "&"}:
        words.pop()
    is_plain = all(is_plain_heading_word(part) for word in words for part in split_words(word))
    has_other = any(word.lower().strip(".,") in NOT_NAMES for word in words)
    return "" if is_plain or has_other else " ".join(words).strip(".,")


def _metric_of(main: str, entity: str) -> tuple[str, frozenset[str]]:
    """The metric phrase in words, and its core words."""
    rest = ATTRIBUTION.sub(" ", SOURCES.sub(" ", ASIDES.sub(" ", cut_periods(main))))
    rest = re.sub(r"\byear[- ]end\b|\bend\s+of\b", " ", rest, flags=re.IGNORECASE)
    if entity:
        rest = re.sub(rf"{re.escape(entity)}(?:'s?)?", " ", rest)
    rest = re.sub(r"\b(?:segment|division|business unit)(?:'s)?\b", " ", rest, flags=re.IGNORECASE)
    words = [
        word for word in content_words(rest) if word not in ASKING_WORDS and word not in LEGAL_SUFFIXES - {"group"}
    ]
    shown = [word for word in re.findall(r"[\w&'-]+", rest) if content_words(word) and not _is_asking(word)]
    return " ".join(shown), frozenset(words) - HARMLESS


def _is_asking(word: str) -> bool:
    return bool({word.casefold(), *content_words(word)} & (ASKING_WORDS | CHANGE_WORDS))


ASKING_WORDS = word_set(
    """
    much many calculate using only drawing conclusion information between asked utilizing employed worked employ
    generate earn spend spent worth could would should
    """
)
CHANGE_WORDS = word_set(
    """
    change changed growth grow grew grown increase increased decrease decreased decline declined rise risen rose
    fall fallen fell difference compare compared comparison improve improved higher lower percent percentage
    rate year-over-year year quarter yoy y qoq over prior previous unit
    """
)


def _parts_of(
    text: str, main: str, words: frozenset[str], periods: tuple[Period, ...]
) -> tuple[Literal["lookup", "change", "formula", "open"], tuple[Asked, ...]]:
    definition = DEFINITION.search(text)
    if definition is not None:
        parts = _formula_parts(definition[1])
        return ("formula", parts) if parts else ("open", ())
    if CHANGE.search(main) and (len(periods) > 1 or not LOOKUP.search(main) or _is_year_over_year(main)):
        plain = words - CHANGE_WORDS
        both = periods if len(periods) > 1 else tuple(_with_prior(periods, by_quarter=bool(BY_QUARTER.search(main))))
        if plain and len(both) > 1:
            return "change", tuple(Asked(words=plain, periods=(period,)) for period in both)
        return "open", ()
    if not words or len(words) > 8 or OPEN_WORDS.search(main) or not LOOKUP.search(main):
        return "open", ()
    if not periods:
        return "lookup", (Asked(words=words, periods=()),)
    return "lookup", tuple(Asked(words=words, periods=(period,)) for period in dict.fromkeys(periods))


def _is_year_over_year(text: str) -> bool:
    return bool(
        re.search(r"\b(?:year|quarter)[- ]over[- ](?:year|quarter)\b|\byoy\b|\bqoq\b|\by/y\b", text, re.IGNORECASE)
    )


def _with_prior(periods: tuple[Period, ...], *, by_quarter: bool) -> list[Period]:
    found = list(periods[:1])
    for period in periods[:1]:
        if period.year is None:
            continue
        if by_quarter and period.part.startswith("Q"):
            number = int(period.part[1])
            found.append(Period(year=period.year - (number == 1), part=f"Q{(number + 2) % 4 + 1}"))
        else:
            found.append(Period(year=period.year - 1, part=period.part, month=period.month))
    return found


def _formula_parts(formula: str) -> tuple[Asked, ...]:
    """Figures that a formula is made of: its terms between operators, each with the periods that it names."""
    found: list[Asked] = []
    for term in re.split(r"\s[-–−]\s|[*/+÷×()=]", formula):
        periods = tuple(mention.period for mention in find_periods(term) if mention.period.year is not None)
        words = core_words(cut_periods(term)) - CHANGE_WORDS - {"average", "mean", "between"}
        words = frozenset(word for word in words if not word.isdigit())
        if words:
            found.extend(Asked(words=words, periods=(period,)) for period in periods)
            if not periods:
                found.append(Asked(words=words, periods=()))
    return tuple(dict.fromkeys(found))
