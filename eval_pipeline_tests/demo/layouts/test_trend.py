from eval_pipeline.demo.plan import PagePlan


def test_only_the_last_point_has_a_value(draw_page):
    text, truth = draw_page(PagePlan(layout="trend", metric="Order backlog"))
    assert [(fact.metric, fact.period) for fact in truth.facts] == [("Order backlog", "2024-Q2")]
    assert text.count(truth.facts[0].shown) == 2
    assert "Order backlog, last eight quarters" in text
    assert "USD millions" in text


def test_counts_say_so(draw_page):
    text, _ = draw_page(PagePlan(layout="trend", metric="Employees"))
    assert "Number at the end of the quarter" in text
