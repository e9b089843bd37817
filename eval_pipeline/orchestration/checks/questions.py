"""The main set holds only questions that their own gold unit answers."""

import dagster as dg
import polars as pl

from eval_pipeline.orchestration.question_sets import read_asked
from eval_pipeline.orchestration.resources import Project
from eval_pipeline.orchestration.showing import table
from eval_pipeline.questions.completeness import main_without_answering_gold


def unanswered_main_questions(project: Project) -> pl.DataFrame:
    """Written questions of the main set whose gold unit was not judged to answer them."""
    asked = read_asked(project)
    return main_without_answering_gold(posed=asked.posed, questions=asked.questions)


@dg.asset_check(asset="well_posed_questions", blocking=True)
def gold_answers_main_set(project: Project) -> dg.AssetCheckResult:
    """Every written question of the main set has a gold unit with a recorded yes."""
    bad = unanswered_main_questions(project)
    return dg.AssetCheckResult(passed=bad.is_empty(), metadata={"questions": bad.height, "first": table(bad)})


ALL = [gold_answers_main_set]
