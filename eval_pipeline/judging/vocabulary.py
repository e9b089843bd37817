"""The fixed words of the text judge, in one place: lists that a reader may want to check or extend."""


def word_set(text: str) -> frozenset[str]:
    """Words of a text, as a set."""
    return frozenset(text.split())


# Little words, and verbs of stating: they carry no part of a metric's name.
STOP_WORDS = word_set(
    """
    a an the of in on at for to by with from and or as is are was were be been did does do has have had its
    their his her this that these those it what which how much many who when where there any than per's s us our
    your during over under within end year-end period amount figure value level reported report state stated
    show shown recorded record totaled totalled reach reached come came stand stood post posted company
    firm group consolidated whole overall according page document please tell me give find
    """
)
# Words that change nothing about what a label states.
HARMLESS = word_set(
    """
    total consolidated reported million billion thousand usd eur gbp group company usdm eurm m bn mn k note
    unaudited audited actual restated number
    """
)
# Endings of company names.
LEGAL_SUFFIXES = word_set(
    """
    inc incorporated corp corporation co company ltd limited llc plc ag se sa nv gmbh spa ab oyj as asa kk
    holdings holding group bv lp llp pte pty
    """
)
# Phrases that mean the same, by the word that stands for them; plural forms are folded when they are compared.
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
# Words that stand on business pages without naming anybody: a heading made of these alone carries no entity.
PLAIN_HEADING_WORDS = word_set(
    """
    table contents part item balance sheet sheets statement statements operations income cash flow flows changes
    equity stockholders shareholders comprehensive loss earnings consolidated condensed combined unaudited
    audited millions thousands billions dollars amounts except share shares per data value par results summary
    highlights overview review report annual quarterly quarter year month period ended ending fiscal financial
    notes note assets liabilities current total revenue revenues sales net cost gross operating profit margin
    expenses expense headcount employees capital expenditures capex ebitda eps segment segments division region
    business key figures metrics performance indicators kpi kpis dashboard chart graph figure trend monthly
    comparison previous prior actual budget plan forecast variance change growth page confidential internal
    draft form selected supplementary discussion analysis management risk factors index exhibit schedule
    appendix and of the in for by with to as at on from vs versus see accompanying refer metric usd eur gbp
    first second third fourth half january february march april may june july august september october november
    december q1 q2 q3 q4 h1 h2 fy
    """
)
# Verbs of change: a percentage after one is not a value of the metric.
CHANGES = word_set("increased decreased grew rose fell declined climbed dropped improved")
# Words that may stand between a metric and its figure: `revenue for the quarter rose 8% to $4.2 billion`.
LINKS = word_set(
    """
    was were is are of to at for in the a an by with and total totaled totalled reached amounted came stood
    equaled equalled approximately about around nearly roughly over almost increased decreased grew rose fell
    declined climbed dropped improved remained quarter year period month first second third fourth fiscal ended
    ending this that same percent usd eur gbp it its our
    """
)
# A word before the phrase that makes it another metric: `cost of revenue`, `an increase in net income of`.
MODIFIERS = word_set(
    """
    cost deferred unearned effect impact benefit increase decrease reduction change growth share percentage
    portion excess part loss gain
    """
)
