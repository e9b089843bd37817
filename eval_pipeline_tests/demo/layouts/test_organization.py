import pytest

from eval_pipeline.demo.names import FIRST_NAMES
from eval_pipeline.demo.plan import PagePlan
from eval_pipeline.demo.world import CONSOLIDATED, QUARTERS


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
    now, _ = draw_page(PagePlan(layout="organization"), quarter=QUARTERS[5])
    then, _ = draw_page(PagePlan(layout="organization"), quarter=QUARTERS[1])
    leaders = [line for line in now.splitlines() if line.split()[0] in FIRST_NAMES]
    assert len(leaders) == 6
    assert [line for line in then.splitlines() if line.split()[0] in FIRST_NAMES] == leaders
    assert now != then
