import pytest

from eval_pipeline.demo.plan import PagePlan


@pytest.mark.parametrize("number", [0, 3, 6])
def test_a_cover_names_company_period_and_symbol(draw_page, world, number):
    text, truth = draw_page(PagePlan(layout="cover"), number=number)
    company = world.company(number)
    assert company.name in text
    assert f"Trading symbol: {company.ticker}" in text
    assert "Three months ended June 30, 2024" in text
    assert truth.facts == ()
