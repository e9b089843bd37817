"""Every place of every pool is filled or accounted for."""

import pytest

from eval_pipeline.orchestration.checks.negatives import unaccounted_places
from eval_pipeline.orchestration.resources import Project

pytestmark = pytest.mark.road


def test_after_a_run_every_place_is_accounted_for(road_home):
    assert unaccounted_places(Project(home=str(road_home))).is_empty()


def test_a_lost_negative_is_named_with_its_pool(copy_road, change_ledger):
    paths = copy_road()
    project = Project(home=str(paths.home))
    with project.session() as ledger:
        pool = ledger.table("negatives.negative").filter(axis="period", rank=1).sort("pool_id")["pool_id"][0]
    change_ledger(paths, f"DELETE FROM negatives.negative WHERE pool_id = '{pool}' AND rank = 1 AND axis = 'period'")
    found = unaccounted_places(project)
    assert found["pool_id"].to_list() == [pool]
    assert found["n_missing"].to_list() == [1]
