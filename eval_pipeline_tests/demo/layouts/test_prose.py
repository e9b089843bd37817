import pytest

from eval_pipeline.demo.plan import PagePlan


def test_risks_speak_of_metrics_without_values(draw_page):
    text, truth = draw_page(PagePlan(layout="risks"))
    assert truth.facts == ()
    flat = " ".join(text.split()).lower()
    assert len(truth.mentions) == 8
    assert all(mention.metric.lower() in flat for mention in truth.mentions)


@pytest.mark.parametrize("layout", ["review_report", "signatures"])
def test_signed_pages_hold_no_figures(draw_page, world, layout):
    text, truth = draw_page(PagePlan(layout=layout))
    company = world.company(0)
    assert (truth.facts, truth.mentions) == ((), ())
    assert (company.auditor if layout == "review_report" else company.officer) in text
