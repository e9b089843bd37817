from eval_pipeline.demo.plan import PagePlan


def test_a_cover_names_company_period_and_symbol(draw_page, world):
    text, truth = draw_page(PagePlan(layout="cover"))
    company = world.company(0)
    assert company.name in text
    assert f"Trading symbol: {company.ticker}" in text
    assert "Three months ended June 30, 2024" in text
    assert truth.facts == ()
