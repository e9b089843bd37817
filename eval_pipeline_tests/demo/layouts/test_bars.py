import pytest

from eval_pipeline.demo.plan import PagePlan


@pytest.mark.parametrize("number", [0, 3])
def test_each_segment_stands_beside_its_value(draw_page, number):
    text, truth = draw_page(PagePlan(layout="bars", metric="Revenue"), number=number)
    *segments, total = truth.facts
    for fact in segments:
        assert f"{fact.scope} {fact.shown}" in text
    assert f"Total revenue {total.shown}" in text
    assert total.value == sum(fact.value for fact in segments)
    assert "Revenue by segment" in text
    assert text.count("June 30, 2024") == 1


def test_slides_show_the_same_facts_as_columns(draw_page):
    text, truth = draw_page(PagePlan(layout="bars", metric="Revenue"), number=6)
    assert all(fact.shown in text for fact in truth.facts)


@pytest.mark.parametrize("values", ["missing", "illegible"])
@pytest.mark.parametrize("number", [0, 6])
def test_empty_evidence_has_labels_and_no_value(draw_page, values, number):
    text, truth = draw_page(PagePlan(layout="bars", metric="Revenue", values=values), number=number)
    assert not any(fact.is_readable for fact in truth.facts)
    assert not any(f"{fact.value:,}" in text for fact in truth.facts)
    assert truth.facts[0].scope in text


def test_a_restatement_differs_in_two_amounts_and_a_footnote(draw_page):
    before, original = draw_page(PagePlan(layout="bars", metric="Revenue"))
    after, restated = draw_page(PagePlan(layout="bars", metric="Revenue", is_restated=True))
    pairs = list(zip(original.facts, restated.facts, strict=True))
    assert [old.value != new.value for old, new in pairs] == [True, False, False, False, True]
    assert {fact.revision for fact in restated.facts} == {"restated"}
    added = set(after.splitlines()) - set(before.splitlines())
    assert len(added) == 3
    assert sum("have been revised" in line for line in added) == 1
