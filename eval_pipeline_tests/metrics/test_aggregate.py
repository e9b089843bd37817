"""Means state their n; what is missing is counted and named, never 0 and never NaN."""

import polars as pl
import pytest

from eval_pipeline.foundation.errors import InputError
from eval_pipeline.metrics.aggregate import aggregate, slice_members
from eval_pipeline.tasks.contracts import Resampling

SINGLY = Resampling(unit="question", level=0.95, resamples=200, seed=1)


def scored(values, **columns):
    n = len(values)
    frame = pl.DataFrame(
        {
            "question_id": [f"q{place}" for place in range(n)],
            "measure": ["ap@10"] * n,
            "value": values,
            "reason": ["scored" if value is not None else "question_not_run" for value in values],
            "n_unjudged": [0] * n,
            "is_missing": [value is None for value in values],
            "is_no_relevant": [False] * n,
            "is_waiting": [False] * n,
            "is_censored": [False] * n,
            "chance": [0.1] * n,
        },
        schema_overrides={"value": pl.Float64},
    )
    return frame.with_columns(**columns)


def figures(frame, slices=(), resampling=SINGLY, **columns):
    questions = frame.select("question_id").with_columns(**columns)
    found = aggregate(scored=frame, questions=questions, slices=slices, resampling=resampling)
    return {(figure.slice, figure.slice_value): figure for figure in found}


def test_sta_03_missing_is_counted_and_named_and_means_state_their_n():
    image = figures(scored([0.5, None, None]))[("all", "all")]
    text = figures(scored([0.4, 0.4, 0.4]))[("all", "all")]
    assert (image.estimate, image.n_scored, image.n_questions) == (0.5, 1, 3)
    assert image.policy_counts == {"missing_question": 2, "without value: question_not_run": 2}
    assert image.interval.method == "constant"
    assert (text.estimate, text.n_scored) == (pytest.approx(0.4), 3)


def test_a_policy_touches_only_questions_that_were_to_count():
    frame = scored(
        [0.5, 0.0, None, None, None],
        reason=pl.Series(["scored", "scored", "no_relevant", "no_negatives", "pool_too_small"]),
        is_missing=pl.Series([False, True, False, True, True]),
        is_no_relevant=pl.Series([False, True, True, True, True]),
        is_censored=pl.Series([True, False, False, True, False]),
        n_unjudged=pl.Series([2, 0, 0, 3, 0]),
    )
    assert figures(frame)[("all", "all")].policy_counts == {
        "missing_question": 1,
        "no_relevant": 1,
        "unjudged": 1,
        "unretrieved": 1,
        "without value: no_negatives": 1,
        "without value: no_relevant": 1,
        "without value: pool_too_small": 1,
    }


def test_no_value_at_all_is_a_reason():
    figure = figures(scored([None, None]))[("all", "all")]
    assert (figure.estimate, figure.reason, figure.chance) == (None, "question_not_run", None)
    assert figure.interval.method == "no_questions"


def test_slices_have_their_own_denominators_and_unknown_is_a_value():
    frame = scored([1.0, 0.0, 0.5])
    found = figures(frame, ["language", "axis"], language=pl.Series(["en", "de", None]))
    assert found[("language", "en")].estimate == 1.0
    assert found[("language", "unknown")].n_questions == 1
    assert found[("axis", "unknown")].n_questions == 3
    assert found[("all", "all")].rows["question_id"].to_list() == ["q0", "q1", "q2"]


def test_a_question_may_be_in_several_values_of_a_slice():
    questions = pl.DataFrame({"question_id": ["q"], "axis": [["period", "entity", "period"]]})
    members = slice_members(questions, ["axis"]).filter(pl.col("slice") == "axis")
    assert members["slice_value"].to_list() == ["entity", "period"]


def test_clusters_need_a_column_without_gaps():
    whole = Resampling(unit="document", level=0.95, resamples=100, seed=1)
    with pytest.raises(InputError, match="resamples whole documents"):
        figures(scored([1.0, 0.5]), resampling=whole)
    with pytest.raises(InputError, match="resamples whole documents"):
        figures(scored([1.0, 0.5]), resampling=whole, document=pl.Series(["a", None]))
    found = figures(scored([1.0, 0.5]), resampling=whole, document=pl.Series(["a", "b"]))
    assert found[("all", "all")].interval.method == "too_few_clusters"
