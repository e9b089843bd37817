"""The main set holds only questions that their own gold unit answers."""

import pytest

from eval_pipeline.orchestration.checks.questions import unanswered_main_questions
from eval_pipeline.orchestration.question_sets import read_asked
from eval_pipeline.orchestration.resources import Project

pytestmark = pytest.mark.road


def test_after_a_run_every_main_question_is_answered_by_its_gold(road_home):
    project = Project(home=str(road_home))
    assert unanswered_main_questions(project).is_empty()
    main = read_asked(project).posed.filter(slice="main")
    assert main.height > 10
    assert set(main["outcome"]) == {"well_posed"}


def test_a_main_question_whose_gold_abstained_is_named(copy_road, change_ledger):
    paths = copy_road()
    project = Project(home=str(paths.home))
    question = read_asked(project).posed.filter(slice="main")["question_id"].min()
    change_ledger(paths, f"UPDATE questions.well_posedness SET gold_abstained = true WHERE question_id = '{question}'")
    assert unanswered_main_questions(project)["question_id"].to_list() == [question]
