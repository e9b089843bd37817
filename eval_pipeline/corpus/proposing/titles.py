"""A pattern on page text for what a page shows, where no column says it: titles of financial statements."""

from eval_pipeline.corpus.proposing.facet_columns import ProposedFacet
from eval_pipeline.foundation.config import FacetConfig, PatternConfig

_HOLDERS = "(?:(?:stock|share)holders[’'] )?equity"
STATEMENT_TITLE = (
    "(?i)^(?:(?:condensed|unaudited|consolidated) )*(?P<metric>balance sheets?"
    "|statements? of (?:comprehensive income|income|operations|earnings|cash flows?|financial position|"
    f"{_HOLDERS})"
    f"|(?:comprehensive income|income|cash flows?|{_HOLDERS}) statements?)"
    r"(?: \(unaudited\))?$"
)
"""A line that is the title of a statement and nothing else; sentences that name one do not match."""


def propose_title() -> ProposedFacet:
    """The facet `metric` as a pattern on page text; whether it finds anything has to be measured."""
    config = FacetConfig(pattern=PatternConfig(text=STATEMENT_TITLE), parse="text")
    return ProposedFacet(config=config, source="pattern on page text: titles of statements")
