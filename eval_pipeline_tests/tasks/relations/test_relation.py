"""Grades have one order everywhere."""

from eval_pipeline.foundation.tables.labels import GRADES
from eval_pipeline.tasks.relations.relation import GRADE_NAMES


def test_grades_are_those_of_the_label_table():
    assert GRADE_NAMES == GRADES
