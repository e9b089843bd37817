"""One ranking that every measure is checked on by hand."""

import polars as pl
import pytest

from eval_pipeline.metrics.measures.measure import Measure
from eval_pipeline.metrics.scoring import score_questions
from eval_pipeline.tasks.contracts import Policies


@pytest.fixture
def score_by_hand():
    """Score a measure on: supporting, unlabelled (gold), sufficient, sufficient (hidden). R is 3, one unit supports."""

    def score(kind, k):
        ranked = pl.DataFrame(
            {
                "question_id": ["q"] * 4,
                "rank": [1, 2, 3, 4],
                "unit_id": ["a", "b", "c", "d"],
                "grade": ["supporting", None, "sufficient", "sufficient"],
                "is_gold": [False, True, False, False],
                "is_hidden": [False, False, False, True],
            }
        )
        questions = pl.DataFrame(
            {"question_id": ["q"], "n_relevant": [3], "n_supporting": [1], "n_gold": [1], "n_candidates": [9]}
        )
        policies = Policies(
            unjudged="irrelevant",
            no_relevant="exclude",
            missing_question="exclude",
            unretrieved="below",
            answerable_distractor="drop",
        )
        found = score_questions(
            measures=[Measure(kind=kind, cut=k)], ranked=ranked, questions=questions, policies=policies, limit=10
        )
        assert found["reason"].to_list() == ["scored"]
        return found["value"][0]

    return score
