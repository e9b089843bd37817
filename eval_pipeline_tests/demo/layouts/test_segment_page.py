import pytest

from eval_pipeline.demo.plan import PagePlan


@pytest.mark.parametrize("segment", range(4))
def test_one_segment_with_the_quarter_a_year_before(draw_page, world, segment):
    text, truth = draw_page(PagePlan(layout="segment_page", segment=segment))
    name = world.company(0).segments[segment]
    assert {fact.scope for fact in truth.facts} == {name}
    assert {fact.period for fact in truth.facts} == {"2024-Q2", "2023-Q2"}
    revenue = [fact.shown for fact in truth.facts if fact.metric == "Revenue"]
    assert f"{name} segment revenue {revenue[0]} {revenue[1]}" in text


def test_it_repeats_what_the_chart_by_segment_says(draw_page):
    _, chart = draw_page(PagePlan(layout="bars", metric="Operating income"))
    _, page = draw_page(PagePlan(layout="segment_page", segment=1))
    scope = page.facts[0].scope
    both = [
        {
            fact.value
            for fact in truth.facts
            if (fact.scope, fact.metric, fact.period) == (scope, "Operating income", "2024-Q2")
        }
        for truth in (chart, page)
    ]
    assert both[0] == both[1]
    assert len(both[0]) == 1


def test_bars_carry_no_values(draw_page):
    _, truth = draw_page(PagePlan(layout="segment_page"))
    assert len(truth.facts) == 12
