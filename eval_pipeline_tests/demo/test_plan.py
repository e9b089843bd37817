import pytest

from eval_pipeline.demo.corpus import DEFAULT_PAGES
from eval_pipeline.demo.drawing import LAYOUTS
from eval_pipeline.demo.plan import N_COMMITTED, plan_committed, plan_drawn
from eval_pipeline.foundation.errors import InputError


def n_pages_of(plans):
    return sum(len(plan.pages) for plan in plans)


@pytest.mark.parametrize("n_pages", [0, 1, 17, 400, 1440, 3000])
def test_the_drawn_part_has_as_many_pages_as_asked_for(world, n_pages):
    assert n_pages_of(plan_drawn(world, n_pages)) == n_pages


def test_names_are_unique_over_both_parts(world):
    names = [plan.name for plan in plan_committed(world, 60) + plan_drawn(world, 3000)]
    assert len(names) == len(set(names))


def test_a_longer_plan_begins_like_a_shorter_one(world):
    short, long = plan_drawn(world, 500), plan_drawn(world, 900)
    assert short[:-1] == long[: len(short) - 1]


def test_a_thousand_pages_have_three_house_styles_and_every_fault(world):
    plans = plan_drawn(world, 1440)
    assert {plan.company.style for plan in plans} == {"band", "rule", "deck"}
    pages = [page for plan in plans for page in plan.pages]
    assert {page.values for page in pages} == {"printed", "missing", "illegible"}
    assert any(page.is_restated for page in pages)
    assert any(plan.copy_of for plan in plans)


def test_the_default_corpus_has_thirteen_layouts_in_each_of_three_house_styles(world):
    plans = plan_drawn(world, DEFAULT_PAGES - N_COMMITTED)
    seen = {(page.layout, plan.company.style) for plan in plans for page in plan.pages}
    assert len(seen) == 39
    assert {layout for layout, _ in seen} == set(LAYOUTS)


def test_a_copy_is_never_cut(world):
    for n_pages in range(380, 400):
        originals = {plan.name: plan.pages for plan in plan_drawn(world, n_pages)}
        for plan in plan_drawn(world, n_pages):
            assert plan.copy_of is None or plan.pages == originals[plan.copy_of]


def test_fewer_than_twelve(world):
    with pytest.raises(InputError, match="at least 12"):
        plan_committed(world, 3)
