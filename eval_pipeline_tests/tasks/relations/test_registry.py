"""Five relations, each with its grades in words."""

import pytest

from eval_pipeline.foundation.errors import UnknownName
from eval_pipeline.tasks.relations.registry import RELATIONS, get_relation
from eval_pipeline.tasks.relations.relation import GRADE_NAMES


def test_there_are_five():
    assert list(RELATIONS) == ["evidence", "transformed_copy", "instance", "semantic", "localization"]


@pytest.mark.parametrize("name", RELATIONS)
def test_each_says_in_words_what_its_grades_mean(name):
    relation = get_relation(name)
    assert tuple(relation.grades) == GRADE_NAMES
    assert all(len(words.split()) >= 4 for words in relation.grades.values())
    assert relation.hard_negatives
    assert relation.answer_units


def test_an_unknown_one_names_the_nearest():
    with pytest.raises(UnknownName, match="did you mean 'semantic'"):
        get_relation("semantics")
