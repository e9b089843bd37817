"""MEASURES 5: the lower bound of control-appearance against control-random + 0.10, from 30 questions on."""

from typing import Any

import polars as pl
import pytest

from eval_pipeline.metrics.rejectable import judge_rejectability

SCHEMA = {
    "variant": pl.String,
    "arena": pl.String,
    "measure": pl.String,
    "slice": pl.String,
    "estimate": pl.Float64,
    "low": pl.Float64,
    "n_scored": pl.Int64,
}


def a_figure(variant: str, **columns: Any) -> dict[str, Any]:
    return {
        "variant": variant,
        "arena": "siblings",
        "measure": "sufficient@1",
        "slice": "all",
        "estimate": 0.2,
        "low": 0.1,
        "n_scored": 40,
    } | columns


def judge(*figures: dict[str, Any]) -> Any:
    return judge_rejectability(pl.DataFrame(list(figures), schema=SCHEMA))


@pytest.mark.parametrize(("low", "is_bad"), [(0.25, False), (0.3, False), (0.31, True), (0.9, True)])
def test_the_bound_must_exceed_chance_by_more_than_a_tenth(low: float, is_bad: bool) -> None:
    verdict = judge(a_figure("control-appearance", estimate=0.95, low=low), a_figure("control-random", estimate=0.2))
    assert verdict.is_rejectable is is_bad
    assert (verdict.low, verdict.random, verdict.n) == (low, 0.2, 40)
    assert verdict.reason == f"negatives {'can' if is_bad else 'cannot'} be rejected on appearance"


@pytest.mark.parametrize(("n", "is_open"), [(29, True), (30, False)])
def test_fewer_than_thirty_questions_leave_it_open(n: int, is_open: bool) -> None:
    verdict = judge(a_figure("control-appearance", low=0.9, n_scored=n), a_figure("control-random"))
    assert (verdict.is_rejectable is None) is is_open
    if is_open:
        assert verdict.reason == "29 questions, 30 needed"


@pytest.mark.parametrize(
    "figures",
    [
        [],
        [a_figure("control-random")],
        [a_figure("control-appearance")],
        [a_figure("control-appearance", low=None, estimate=None), a_figure("control-random")],
        [a_figure("control-appearance"), a_figure("control-random", estimate=None)],
        [a_figure("control-appearance", arena="random"), a_figure("control-random")],
        [a_figure("control-appearance", slice="axis"), a_figure("control-random")],
        [a_figure("control-appearance", measure="top@1"), a_figure("control-random")],
    ],
)
def test_without_both_figures_of_the_siblings_arena_nothing_is_said(figures: list[dict[str, Any]]) -> None:
    verdict = judge(*figures)
    assert (verdict.is_rejectable, verdict.reason, verdict.n) == (None, "no figure of the controls", 0)
