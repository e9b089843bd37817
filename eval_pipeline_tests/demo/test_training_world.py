"""Training and held-out reports: sized, repeatable, and of companies that the demo never shows."""

from collections import Counter

import pytest

from eval_pipeline.demo.corpus import DEMO_SEED
from eval_pipeline.demo.drawing import draw_document
from eval_pipeline.demo.training_names import HELD_OUT_YEARS, TRAINING_YEARS
from eval_pipeline.demo.training_world import (
    HELD_OUT_SEED,
    TRAINING_SEED,
    held_out_world,
    plan_held_out,
    plan_training,
    training_world,
)
from eval_pipeline.demo.world import World
from eval_pipeline.foundation.errors import InputError


def test_training_reports_are_one_a_company_in_training_years() -> None:
    plans = list(plan_training(training_world(), 40))
    assert len({plan.company.name for plan in plans}) == 40
    assert {plan.quarter.year for plan in plans} == set(TRAINING_YEARS)
    assert {len(plan.pages) for plan in plans} == {26}
    assert {plan.company.style for plan in plans} == {"band", "rule", "deck"}
    assert list(plan_training(training_world(), 12)) == plans[:12]
    with pytest.raises(InputError, match="960 companies"):
        list(plan_training(training_world(), 961))


def test_held_out_reports_give_every_page_five_siblings_on_each_axis() -> None:
    plans = list(plan_held_out(held_out_world()))
    assert len(plans) == 108
    assert {plan.quarter.year for plan in plans} == set(HELD_OUT_YEARS)
    by_style = Counter((plan.company.style, plan.quarter.name) for plan in plans)
    assert set(by_style.values()) == {6}
    assert set(Counter(plan.company.name for plan in plans).values()) == {6}
    assert sum(page.layout == "bars" for page in plans[0].pages) == 6


def test_seeds_differ_and_the_demo_world_is_untouched_by_the_new_arguments() -> None:
    assert len({DEMO_SEED, TRAINING_SEED, HELD_OUT_SEED}) == 3
    demo = World(seed=DEMO_SEED)
    assert demo.company(0).name == "Juniper Fold Logistics"
    known = {demo.company(number).name for number in range(720)}
    assert not known & {training_world().company(number).name for number in range(960)}


def test_the_same_plan_gives_the_same_bytes() -> None:
    plan = next(plan_training(training_world(), 1))
    one, truths = draw_document(training_world(), plan, "a.pdf")
    other, _ = draw_document(training_world(), plan, "a.pdf")
    assert one == other
    assert {truth.entity for truth in truths} == {plan.company.name}
