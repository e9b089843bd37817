import pytest

from eval_pipeline.demo.plan import PagePlan
from eval_pipeline.demo.world import CONSOLIDATED


@pytest.mark.parametrize("number", [0, 3, 6])
def test_boxes_hold_the_employees_of_each_segment_and_their_total(draw_page, world, number):
    text, truth = draw_page(PagePlan(layout="organization"), number=number)
    counts = {fact.scope: fact.value for fact in truth.facts}
    assert set(counts) == {*world.company(number).segments, CONSOLIDATED}
    assert sum(counts.values()) == 2 * counts[CONSOLIDATED]
    for fact in truth.facts:
        assert fact.shown in text
    assert text.count(" employees") == 4
    assert f"Employees {counts[CONSOLIDATED]:,}" in text


def test_the_same_people_lead_in_every_quarter(draw_page):
    text, _ = draw_page(PagePlan(layout="organization"))
    again, _ = draw_page(PagePlan(layout="organization"))
    assert text == again
