"""What a question asks for, read from its wording alone with the vocabulary of the truth."""

import difflib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from eval_pipeline.demo.facts import PageTruth
from eval_pipeline.demo.spoken_periods import SpokenPeriod, read_periods, speaks_of_longer_span
from eval_pipeline.demo.world import CONSOLIDATED

ALIASES = {
    "Capital expenditure": ("capital expenditures", "capex", "capital spending"),
    "Research and development": ("r d", "research and development expense", "research and development expenses"),
    "Selling, general and administrative": ("sg a", "selling general and administrative expenses"),
    "Diluted earnings per share": ("diluted eps", "earnings per share", "eps"),
    "Operating income": ("operating profit", "income from operations"),
    "Revenue": ("revenues", "net sales", "sales", "turnover"),
    "Net income": ("net profit", "net earnings"),
    "Employees": ("headcount", "number of employees"),
    "Depreciation and amortization": ("depreciation and amortisation",),
    "Net cash from operating activities": ("operating cash flow", "net cash provided by operating activities"),
}
NEAR = 0.86  # how alike a misspelled company name must be; one swapped pair of letters in ten gives 0.9
NOT_NAMES = frozenset(
    {"three", "months", "month", "quarter", "fiscal", "year", "january", "february", "march", "april", "may", "june",
     "july", "august", "september", "october", "november", "december", "consolidated", "statement", "statements",
     "cash", "key", "figures", "risk", "review"}
)  # fmt: skip
UNKNOWN_NAME = re.compile(r"(?<![.?!] )(?<!^)\b[A-Z][a-z]+(?: [A-Z][a-z]+)+\b")


@dataclass(frozen=True, kw_only=True)
class Asked:
    """What a question asks for; what it leaves open is empty.

    Attributes:
        entities: companies named.
        metrics: metrics named, the longest reading of each place.
        scopes: segments named.
        periods: quarters named; a page must hold all of them.
        revision: `original` or `restated` where the question says which.
        is_longer: it asks for a half, nine months or a year.
        is_foreign: it names a company that the truth does not know.
    """

    entities: frozenset[str]
    metrics: frozenset[str]
    scopes: frozenset[str]
    periods: frozenset[SpokenPeriod]
    revision: str | None
    is_longer: bool
    is_foreign: bool


@dataclass(frozen=True, kw_only=True)
class Vocabulary:
    """Names that the truth knows.

    Attributes:
        entities: companies.
        metrics: metrics.
        scopes: segments by company.
    """

    entities: tuple[str, ...]
    metrics: tuple[str, ...]
    scopes: dict[str, frozenset[str]]

    @classmethod
    def of(cls, pages: Iterable[PageTruth]) -> "Vocabulary":
        """Collect the names of all pages."""
        scopes: dict[str, set[str]] = {}
        metrics: set[str] = set()
        for page in pages:
            own = scopes.setdefault(page.entity, set())
            own.update(fact.scope for fact in page.facts if fact.scope != CONSOLIDATED)
            metrics.update(fact.metric for fact in page.facts)
            metrics.update(mention.metric for mention in page.mentions)
        return cls(
            entities=tuple(sorted(scopes)),
            metrics=tuple(sorted(metrics)),
            scopes={entity: frozenset(names) for entity, names in scopes.items()},
        )


def read_question(question: str, vocabulary: Vocabulary) -> Asked:
    """Read a question word by word."""
    periods, rest = read_periods(question.lower())
    words = _plain(rest)
    entities, words = _take(words, {name: (name,) for name in vocabulary.entities})
    if not entities:
        entities, words = _take_misspelled(words, vocabulary.entities)
    names = {metric: (metric, *ALIASES.get(metric, ())) for metric in vocabulary.metrics}
    metrics, words = _take(words, names)
    segments = {
        scope: (scope,) for entity in entities or vocabulary.entities for scope in vocabulary.scopes.get(entity, ())
    }
    scopes, _ = _take(words, segments)
    return Asked(
        entities=entities,
        metrics=metrics,
        scopes=scopes,
        periods=periods,
        revision=_read_revision(question.lower()),
        is_longer=speaks_of_longer_span(question.lower()),
        is_foreign=not entities and _names_somebody(question, vocabulary),
    )


def _plain(words: str) -> str:
    """Letters and digits in lower case, one blank between words and at both ends; possessive endings dropped."""
    kept = re.sub(r"['\u2019]s\b", "", words.lower())
    return f" {' '.join(re.findall('[a-z0-9]+', kept))} "


def _take(words: str, names: Mapping[str, tuple[str, ...]]) -> tuple[frozenset[str], str]:
    """Names that stand in the words, the longest first, and the words without them."""
    spelled = [(_plain(spelling), name) for name, spellings in names.items() for spelling in spellings]
    found = set()
    for spelling, name in sorted(spelled, key=lambda pair: (-len(pair[0]), pair)):
        if spelling in words:
            found.add(name)
            words = words.replace(spelling, " | ")
    return frozenset(found), words


def _take_misspelled(words: str, names: tuple[str, ...]) -> tuple[frozenset[str], str]:
    for name in names:
        plain = _plain(name).strip()
        size = len(plain.split())
        parts = words.split()
        for start in range(len(parts) - size + 1):
            run = " ".join(parts[start : start + size])
            if run[0] == plain[0] and difflib.SequenceMatcher(None, run, plain).ratio() >= NEAR:
                return frozenset([name]), words.replace(f" {run} ", " | ")
    return frozenset(), words


def _read_revision(question: str) -> str | None:
    if re.search(
        r"\b(?:originally|initially|first|previously) (?:reported|published)|\bbefore (?:the )?restate", question
    ):
        return "original"
    return "restated" if re.search(r"\b(?:restated|revised|amended|corrected)\b", question) else None


def _names_somebody(question: str, vocabulary: Vocabulary) -> bool:
    known = {
        word
        for name in (*vocabulary.metrics, *(scope for scopes in vocabulary.scopes.values() for scope in scopes))
        for word in _plain(name).split()
    }
    return any(
        not set(_plain(match.group()).split()) & (known | NOT_NAMES) for match in UNKNOWN_NAME.finditer(question)
    )
