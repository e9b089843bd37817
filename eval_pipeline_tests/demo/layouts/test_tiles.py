from eval_pipeline.demo.plan import PagePlan


def test_six_key_figures_with_the_period_below_the_title(draw_page):
    text, truth = draw_page(PagePlan(layout="key_figures"))
    assert len(truth.facts) == 6
    for fact in truth.facts:
        assert f"{fact.metric}\n{fact.shown}" in text
    assert "Three months ended June 30, 2024, unaudited" in text


def test_a_summary_repeats_the_facts_of_other_pages(draw_page):
    _, summary = draw_page(PagePlan(layout="summary"))
    facts = set()
    for layout in ("income_statement", "cash_flow", "key_figures"):
        _, other = draw_page(PagePlan(layout=layout))
        facts |= {(fact.metric, fact.period, abs(fact.value)) for fact in other.facts}
    assert {(fact.metric, fact.period, fact.value) for fact in summary.facts} <= facts
