"""Write questions from what the text of one page says, with rules and without a network.

A person (or a vision model) who sees one page names what stands near the figure: the company where the page heads
itself with one, the period where one stands over the figure, and sometimes neither. Which of them a question names is
a choice by hash of the page and the line, so that period-free and company-free questions arise in a fixed share. A
question without a period is about the page's current one: figures of earlier columns are always asked for by period.
"""

from eval_pipeline.foundation.ids import content_id, hash_unit
from eval_pipeline.foundation.protocols import PageContent
from eval_pipeline.questions.writers.page_facts import PageFact, read_facts
from eval_pipeline.questions.writers.written import WrittenQuestion

CODE_VERSION = "2"
SHARE_WITHOUT_PERIOD = 0.25
SHARE_WITHOUT_ENTITY = 0.2
SHARE_OF_EARLIER_PERIODS = 0.2


class RulesWriter:
    """Writes at most `per_page` questions per page.

    Args:
        per_page: questions per page.
        seed: seed of the choices by hash.
    """

    def __init__(self, *, per_page: int = 2, seed: int = 0) -> None:
        self.per_page = per_page
        self.seed = seed
        self.writer_id = f"rules/{content_id('wr', [CODE_VERSION, per_page, seed])}"

    def write(self, page: PageContent) -> list[WrittenQuestion]:
        """Questions on the figures that the page states, chosen by hash of page and line; empty for unread pages."""
        if page.text_quality != "good":
            return []
        facts = {fact.key: fact for fact in reversed(read_facts(page.text))}
        chosen = sorted(facts.values(), key=lambda fact: self._place(page, fact))[: self.per_page]
        return [self._ask(page, fact) for fact in chosen]

    def _place(self, page: PageContent, fact: PageFact) -> float:
        """Place of a fact on its page, lowest first; figures of earlier periods come last but for a share of them."""
        is_late = not fact.is_current and self._chance(page, fact, "earlier") >= SHARE_OF_EARLIER_PERIODS
        return self._chance(page, fact, "choice") + is_late

    def _chance(self, page: PageContent, fact: PageFact, what: str) -> float:
        return hash_unit(self.seed, page.unit_id, fact.key, what)

    def _ask(self, page: PageContent, fact: PageFact) -> WrittenQuestion:
        is_dated = not fact.is_current or self._chance(page, fact, "period") >= SHARE_WITHOUT_PERIOD
        names_period = bool(fact.period) and is_dated
        names_entity = bool(fact.entity) and self._chance(page, fact, "entity") >= SHARE_WITHOUT_ENTITY
        owner = f"{possessive(fact.entity)} " if names_entity else "the "
        when = f" {fact.preposition} {fact.period}" if names_period else ""
        verb = "were" if fact.subject.endswith("s") and not fact.subject.endswith(("ss", "us", "is")) else "was"
        named = {"metric"} | ({"period"} if names_period else set()) | ({"entity"} if names_entity else set())
        return WrittenQuestion(
            text=f"What {verb} {owner}{fact.subject}{when}?",
            expected_answer=fact.answer,
            subject=fact.subject,
            named_axes=frozenset(named),
            place=self._place(page, fact),
        )


def possessive(name: str) -> str:
    """`Acme's`, `Harris'`."""
    return f"{name}'" if name.endswith("s") else f"{name}'s"
