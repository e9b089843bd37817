"""Pools of the present templates; random draws for the gold units of the present questions."""

import pytest

from eval_pipeline.orchestration.question_sets import read_asked, read_pools
from eval_pipeline.orchestration.reading import members_in_force
from eval_pipeline.orchestration.resources import Project

pytestmark = pytest.mark.road


def test_every_member_of_a_template_has_one_pool(road_home):
    project = Project(home=str(road_home))
    members = members_in_force(project)
    pools = read_pools(project, members)
    assert sorted(pools["unit_id"]) == sorted(members["unit_id"])


def test_random_negatives_are_as_many_as_declared(road_home):
    project = Project(home=str(road_home))
    with project.session() as ledger:
        drawn = ledger.table("negatives.random_negative")
    gold = read_asked(project).gold.filter(position=1)["unit_id"].n_unique()
    per_gold = drawn.group_by("unit_id").len()
    assert per_gold.height == gold
    assert set(per_gold["len"]) == {project.declared.negatives.random}
