"""What the report is handed."""

import polars as pl
import pytest

from eval_pipeline.foundation.errors import LineageError
from eval_pipeline.report.data import FIGURE, LOSS, fit_frame
from eval_pipeline_tests.report.conftest import NO_LOSSES, a_task, some_figures


def test_integers_of_any_width_fit_and_further_columns_are_left_out():
    frame = pl.DataFrame({"n": [3], "stage": ["fusion"], "variant": ["hybrid"], "more": [1]}).with_columns(
        pl.col("n").cast(pl.Int32)
    )
    fitted = fit_frame(frame, LOSS)
    assert fitted.rows() == [("hybrid", "fusion", 3)]
    assert fitted.schema == pl.Schema(LOSS.schema)


def test_arena_sizes_and_lateness_may_be_absent():
    fitted = fit_frame(some_figures().drop("n_candidates_min", "n_candidates_max", "is_late"), FIGURE)
    assert fitted["n_candidates_max"].to_list() == [None] * fitted.height
    assert not fitted["is_late"].any()


def test_a_missing_column_is_named():
    with pytest.raises(LineageError, match=r"report\.loss: columns n are missing"):
        fit_frame(NO_LOSSES.drop("n"), LOSS)


def test_a_column_of_another_kind_is_refused():
    with pytest.raises(LineageError, match=r"report\.loss"):
        fit_frame(pl.DataFrame({"variant": ["a"], "stage": ["b"], "n": ["many"]}), LOSS)


def test_nan_is_refused():
    frame = some_figures().with_columns(estimate=pl.lit(float("nan")))
    with pytest.raises(LineageError, match=r"report\.figure"):
        fit_frame(frame, FIGURE)


def test_a_task_is_named_by_its_contract():
    assert a_task().name == "quarterly-evidence"
    assert a_task(contract={}).name == "task without a name"
