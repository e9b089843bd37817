"""Texts that belong to a page: questions as the rules writer and people ask them, and captions that name the page."""

from collections.abc import Callable, Sequence

from eval_pipeline.demo.facts import Fact, PageTruth
from eval_pipeline.demo.metadata import TOPICS
from eval_pipeline.demo.world import CONSOLIDATED, MONTH_ENDS, ORDINALS
from eval_pipeline.foundation.ids import hash_unit

N_CAPTIONS = 16  # of one page; a training step draws one of them
SHARE_WITHOUT_PERIOD = 0.4
SHARE_WITHOUT_ENTITY = 0.4
QUESTION_SHARE = 0.7  # in the plain form of the rules writer; the others are paraphrases
LAYOUT_WORDS = {
    "cover": ("cover page", "title page of the quarterly report", "first page of the report"),
    "summary": ("the quarter at a glance", "summary of the quarter", "highlights page"),
    "key_figures": ("key figures", "tiles with key figures", "key performance indicators"),
    "income_statement": ("consolidated statements of income", "income statement", "profit and loss statement"),
    "cash_flow": ("statement of cash flows", "cash flow statement", "table of cash flows"),
    "bars": ("{metric} by segment", "bar chart of {metric} by segment", "segment {metric}"),
    "trend": ("{metric}, last eight quarters", "line chart of {metric}", "{metric} trend"),
    "balance_sheet": ("consolidated balance sheets", "balance sheet", "statement of financial position"),
    "segment_page": ("{metric} segment", "results of the {metric} segment", "page of the {metric} segment"),
    "organization": ("organization", "organization chart", "who leads which segment"),
    "risks": ("risk factors", "summary of principal risks", "what could go wrong"),
    "review_report": ("review report of the auditor", "auditor's report", "report on the review of the statements"),
    "signatures": ("signatures", "signature page", "who signed the report"),
}
PARAPHRASES: tuple[str, ...] = (
    "How much {subject} did {owner} report{when}?",
    "How high was {owner_s} {subject}{when}?",
    "Which page shows {owner_s} {subject}{when}?",
    "{owner_s} {subject}{when}",
    "{subject}{when}, {owner}",
    "Find {subject} of {owner}{when}",
    "What did {owner} report as {subject}{when}?",
)

Chance = Callable[..., float]


def write_captions(page: PageTruth, metric: str | None, *, seed: int, strangers: Sequence[str] = ()) -> tuple[str, ...]:
    """`N_CAPTIONS` texts for one page, chosen by hash; the same page and seed give the same texts.

    Args:
        page: what is true on it; only values that a reader can see are asked for.
        metric: metric of a chart.
        seed: of the choices.
        strangers: companies that stand in for the page's own wherever a text names it; nothing else changes. An
            encoder that cannot read names learns from these to look past them.
    """
    visible = [fact for fact in page.facts if fact.is_readable] or list(page.facts)

    def chance(place: int, what: str) -> float:
        return hash_unit(seed, page.document, str(page.page), str(place), what)

    def owner_of(place: int) -> str:
        return strangers[int(chance(place, "stranger") * len(strangers))] if strangers else page.entity

    return tuple(
        _ask(page, visible, owner_of(place), place, chance)
        if visible and chance(place, "kind") < 0.85
        else _caption(page, metric, owner_of(place), place, chance)
        for place in range(N_CAPTIONS)
    )


def _ask(page: PageTruth, facts: Sequence[Fact], company: str, place: int, chance: Chance) -> str:
    fact = facts[int(chance(place, "fact") * len(facts))]
    subject = _subject(page, fact)
    names_entity = chance(place, "entity") >= SHARE_WITHOUT_ENTITY
    owner = company if names_entity else "the company"
    when = _when(fact.period, place, chance) if chance(place, "period") >= SHARE_WITHOUT_PERIOD else ""
    if chance(place, "form") < QUESTION_SHARE:
        verb = "were" if subject.endswith("s") and not subject.endswith(("ss", "us", "is")) else "was"
        return f"What {verb} {_possessive(owner) if names_entity else 'the'} {subject}{when}?"
    form = PARAPHRASES[int(chance(place, "words") * len(PARAPHRASES))]
    return form.format(subject=subject, owner=owner, owner_s=_possessive(owner), when=when)


def _subject(page: PageTruth, fact: Fact) -> str:
    """The metric as the page words it: `Cloud segment revenue`, `total revenue` on a chart by segment."""
    metric = _lower_first(fact.metric)
    if fact.scope != CONSOLIDATED:
        return f"{fact.scope} segment {metric}"
    return f"total {metric}" if page.layout == "bars" else metric


def _caption(page: PageTruth, metric: str | None, company: str, place: int, chance: Chance) -> str:
    words = (*LAYOUT_WORDS.get(page.layout, (page.layout.replace("_", " "),)), TOPICS.get(page.layout, ""))
    named = [choice for choice in words if choice]
    what = named[int(chance(place, "words") * len(named))].format(metric=_lower_first(metric or ""))
    owner = f" of {company}" if chance(place, "entity") >= SHARE_WITHOUT_ENTITY else ""
    when = _when(page.period, place, chance) if chance(place, "period") >= SHARE_WITHOUT_PERIOD else ""
    return f"{what}{owner}{when}"


def _when(period: str, place: int, chance: Chance) -> str:
    """A quarter in one of the ways in which people write it; most often as `in Q2 2014`."""
    year, quarter = period.split("-Q")
    number = int(quarter) - 1
    spellings = (
        f" in the {ORDINALS[number]} quarter of {year}",
        f" for the three months ended {MONTH_ENDS[number]}, {year}",
        f" for Q{quarter} {year}",
    )
    draw = chance(place, "spelling")
    return f" in Q{quarter} {year}" if draw < 0.7 else spellings[int((draw - 0.7) / 0.3 * len(spellings))]


def _possessive(name: str) -> str:
    return f"{name}'" if name.endswith("s") else f"{name}'s"


def _lower_first(label: str) -> str:
    return label[:1].lower() + label[1:]
