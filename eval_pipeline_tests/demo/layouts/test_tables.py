from eval_pipeline.demo.plan import PagePlan


def test_income_statement_has_comparative_columns(draw_page):
    text, truth = draw_page(PagePlan(layout="income_statement"))
    revenue = [fact for fact in truth.facts if fact.metric == "Revenue"]
    assert [fact.period for fact in revenue] == ["2024-Q2", "2024-Q1", "2023-Q2"]
    assert "Revenue " + " ".join(fact.shown for fact in revenue) in text
    assert "June 30, 2024 March 31, 2024 June 30, 2023" in text


def test_cash_flow_has_one_column_and_names_its_period_once(draw_page):
    text, truth = draw_page(PagePlan(layout="cash_flow"))
    assert {fact.period for fact in truth.facts} == {"2024-Q2"}
    assert len(truth.facts) == 11
    assert text.count("June 30, 2024") == 1


def test_balance_sheet_stands_beside_the_end_of_the_year_before(draw_page):
    text, truth = draw_page(PagePlan(layout="balance_sheet"))
    goodwill = [fact for fact in truth.facts if fact.metric == "Goodwill"]
    assert [fact.period for fact in goodwill] == ["2024-Q2", "2023-Q4"]
    assert "June 30, 2024 December 31, 2023" in text
    assert "Goodwill " + " ".join(fact.shown for fact in goodwill) in text
