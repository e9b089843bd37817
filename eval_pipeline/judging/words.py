"""Words as they are compared: folded, singular, without the little ones; phrases that mean the same become one."""

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

STOP_WORDS = frozenset(
    ["a", "an", "the", "of", "in", "on", "at", "for", "to", "by", "with", "from", "and", "or", "as", "is", "are", "was", "were", "be", "been", "did", "does", "do", "has", "have", "had", "its", "their", "his", "her", "this", "that", "these", "those", "it", "what", "which", "how", "much", "many", "who", "when", "where", "there", "any", "than", "per's", "s", "us", "our", "your", "during", "over", "under", "within", "end", "year-end", "period", "amount", "figure", "value", "level", "reported", "report", "state", "stated", "show", "shown", "recorded", "record", "total", "totaled", "totalled", "reach", "reached", "come", "came", "stand", "stood", "post", "posted", "company", "firm", "group", "consolidated", "whole", "overall", "according", "page", "document", "please", "tell", "me", "give", "find"]
) - {"total"}  # fmt: skip
HARMLESS = frozenset(
    [
        "total",
        "consolidated",
        "reported",
        "million",
        "billion",
        "thousand",
        "usd",
        "eur",
        "gbp",
        "group",
        "company",
        "usdm",
        "eurm",
        "m",
        "bn",
        "mn",
        "k",
        "note",
        "unaudited",
        "audited",
        "actual",
        "restated",
        "number",
    ]
)
LEGAL_SUFFIXES = frozenset(
    [
        "inc",
        "incorporated",
        "corp",
        "corporation",
        "co",
        "company",
        "ltd",
        "limited",
        "llc",
        "plc",
        "ag",
        "se",
        "sa",
        "nv",
        "gmbh",
        "spa",
        "ab",
        "oyj",
        "as",
        "asa",
        "kk",
        "holdings",
        "holding",
        "group",
        "bv",
        "lp",
        "llp",
        "pte",
        "pty",
    ]
)
SAME_MEANING: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("revenue", ("net sale", "net revenue", "sale revenue", "revenue", "sale", "turnover", "top line")),
    ("cost_of_sale", ("cost revenue", "cost sale", "cost good sold", "cogs", "cost net revenue", "cost net sale")),
    ("net_income", ("net income", "net earning", "net profit", "net income attributable shareholder", "net loss",
                    "net income loss", "bottom line", "profit after tax")),
    ("operating_income", ("operating income", "operating profit", "income operation", "profit operation",
                          "operating income loss", "operating loss", "operating earning", "ebit")),
    ("capex", ("capital expenditure", "capex", "capital spending", "capital spend")),
    ("headcount", ("headcount", "employee", "full time employee", "fte", "employee headcount", "staff")),
    ("gross_margin", ("gross margin", "gross profit margin")),
    ("inventory", ("inventory", "merchandise inventory")),
    ("eps", ("earning share", "eps")),
    ("equity", ("stockholder equity", "shareholder equity")),
)  # fmt: skip
WORD = re.compile(r"[a-z0-9]+(?:&[a-z0-9]+)*")


def fold(text: str) -> str:
    """Case, accents and typographic signs folded away; length may change."""
    plain = unicodedata.normalize("NFKD", text.replace("’", "'").replace("‘", "'"))
    return "".join(char for char in plain if not unicodedata.combining(char)).casefold()


def split_words(text: str) -> list[str]:
    """All words in order, folded, singular, possessive endings dropped."""
    return [singular(word) for word in WORD.findall(re.sub(r"'s\b", "", fold(text)))]


def singular(word: str) -> str:
    """A plural ending off; words that end in ss, us or is stay as they are."""
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
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
    words = split_words(name)
    kept = [word for word in words if word not in LEGAL_SUFFIXES]
    return kept or words


def contains_run(words: Sequence[str], run: Sequence[str]) -> bool:
    """Whether the run stands in the words, one after the other."""
    length = len(run)
    return length > 0 and any(words[place : place + length] == run for place in range(len(words) - length + 1))


# Words that stand on business pages without naming anybody: a heading made of these alone carries no entity.
PLAIN_HEADING_WORDS = frozenset(
    singular(word)
    for word in [
        "table",
        "contents",
        "part",
        "item",
        "balance",
        "sheet",
        "sheets",
        "statement",
        "statements",
        "operations",
        "income",
        "cash",
        "flow",
        "flows",
        "changes",
        "equity",
        "stockholders",
        "shareholders",
        "comprehensive",
        "loss",
        "earnings",
        "consolidated",
        "condensed",
        "combined",
        "unaudited",
        "audited",
        "millions",
        "thousands",
        "billions",
        "dollars",
        "amounts",
        "except",
        "share",
        "shares",
        "per",
        "data",
        "value",
        "par",
        "results",
        "summary",
        "highlights",
        "overview",
        "review",
        "report",
        "annual",
        "quarterly",
        "quarter",
        "year",
        "month",
        "period",
        "ended",
        "ending",
        "fiscal",
        "financial",
        "notes",
        "note",
        "assets",
        "liabilities",
        "current",
        "total",
        "revenue",
        "revenues",
        "sales",
        "net",
        "cost",
        "gross",
        "operating",
        "profit",
        "margin",
        "expenses",
        "expense",
        "headcount",
        "employees",
        "capital",
        "expenditures",
        "capex",
        "ebitda",
        "eps",
        "segment",
        "segments",
        "division",
        "region",
        "business",
        "key",
        "figures",
        "metrics",
        "performance",
        "indicators",
        "kpi",
        "kpis",
        "dashboard",
        "chart",
        "graph",
        "figure",
        "trend",
        "monthly",
        "comparison",
        "previous",
        "prior",
        "actual",
        "budget",
        "plan",
        "forecast",
        "variance",
        "change",
        "growth",
        "page",
        "confidential",
        "internal",
        "draft",
        "form",
        "selected",
        "supplementary",
        "discussion",
        "analysis",
        "management",
        "risk",
        "factors",
        "index",
        "exhibit",
        "schedule",
        "appendix",
        "and",
        "of",
        "the",
        "in",
        "for",
        "by",
        "with",
        "to",
        "as",
        "at",
        "on",
        "from",
        "vs",
        "versus",
        "see",
        "accompanying",
        "refer",
        "metric",
        "usd",
        "eur",
        "gbp",
        "first",
        "second",
        "third",
        "fourth",
        "first",
        "half",
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
        "q1",
        "q2",
        "q3",
        "q4",
        "h1",
        "h2",
        "fy",
    ]
)
