import pytest

from eval_pipeline.cli.compared import read_compared
from eval_pipeline.foundation.errors import UnknownName
from eval_pipeline.foundation.settings import ProjectPaths
from eval_pipeline.orchestration.nights import compare_nights
from eval_pipeline.orchestration.resources import Project

ASK = {"task": "quarterly-evidence", "sides": ("image", "text"), "measure": "sufficient@1", "arena": "siblings"}


def test_a_night_scored_again_under_its_own_labels_is_itself(road_home):
    found = read_compared(ProjectPaths(home=road_home), **ASK)
    again = compare_nights(
        Project(home=str(road_home)), found.contract, found.sides, arena="siblings", measure="sufficient@1"
    )
    assert set(again) == {"image", "text"}
    for name, stored in found.scores.items():
        both = stored.values.join(again[name].values, on="question_id", suffix="_again")
        assert both.height == stored.values.height
        assert both["value"].to_list() == both["value_again"].to_list()


def test_a_variant_that_the_night_does_not_know(road_home):
    found = read_compared(ProjectPaths(home=road_home), **ASK)
    sides = {"gone": ("nobody", found.evaluation_id)}
    with pytest.raises(UnknownName, match="has no variant 'nobody' in arena siblings"):
        compare_nights(Project(home=str(road_home)), found.contract, sides, arena="siblings", measure="sufficient@1")
