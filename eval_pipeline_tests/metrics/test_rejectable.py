"""MEASURES 5: the lower bound of control-appearance against control-random + 0.10, from 30 questions on."""

from typing import Any

import polars as pl
import pytest

from eval_pipeline.metrics.intervals import wilson
from eval_pipeline.metrics.rejectable import BY_TEMPLATE, VALUES, judge_rejectability, tabulate_by_template
from eval_pipeline.tasks.contracts import Resampling

RESAMPLING = Resampling(unit="question", level=0.8, resamples=200, seed=1)
CHANCE = 0.2


def some_values(n: int, n_first: int, *, name: str = "q", **facts: Any) -> pl.DataFrame:
    """n questions, in n_first of which control-appearance puts a page that suffices first."""
    rows = []
    for place in range(n):
        known = {
            "question_id": f"{name}{place:03}",
            "is_apart": False,
            "template_id": "tpl_a",
            "cluster": None,
            **facts,
        }
        rows.append({**known, "variant": "control-appearance", "value": float(place < n_first)})
        rows.append({**known, "variant": "control-random", "value": CHANCE})
    return pl.DataFrame(rows, schema=VALUES)


@pytest.mark.parametrize(("n_first", "is_bad"), [(8, False), (17, False), (18, True), (36, True)])
def test_the_bound_must_exceed_chance_by_more_than_a_tenth(n_first: int, is_bad: bool) -> None:
    verdict = judge_rejectability(some_values(40, n_first), resampling=RESAMPLING)
    bound = wilson(n_first, 40, level=0.95)  # whatever the contract's level is
    assert verdict.is_rejectable is is_bad is (bound.low is not None and bound.low > CHANCE + 0.10)
    assert (verdict.estimate, verdict.low, verdict.high, verdict.n) == (n_first / 40, bound.low, bound.high, 40)
    assert verdict.random == pytest.approx(CHANCE)
    assert verdict.reason == f"negatives {'can' if is_bad else 'cannot'} be rejected on appearance"


@pytest.mark.parametrize(("n", "is_open"), [(29, True), (30, False)])
def test_fewer_than_thirty_questions_leave_it_open(n: int, is_open: bool) -> None:
    verdict = judge_rejectability(some_values(n, n), resampling=RESAMPLING)
    assert (verdict.is_rejectable is None) is is_open
    if is_open:
        assert verdict.reason == "29 questions, 30 needed"


def test_pages_without_facets_neither_hide_nor_make_a_fault() -> None:
    """Their negatives are the nearest pages of all: 60 questions at chance would water down 40 that are lost."""
    bad = some_values(40, 40)
    apart = some_values(60, 0, name="apart", is_apart=True)
    assert judge_rejectability(pl.concat([bad, apart]), resampling=RESAMPLING).is_rejectable is True
    good = some_values(40, 8)
    apart = some_values(60, 60, name="apart", is_apart=True)
    verdict = judge_rejectability(pl.concat([good, apart]), resampling=RESAMPLING)
    assert (verdict.is_rejectable, verdict.n) == (False, 40)
    assert judge_rejectability(apart, resampling=RESAMPLING).is_rejectable is True  # there is nothing else


@pytest.mark.parametrize(
    "values",
    [
        some_values(0, 0),
        some_values(40, 40).filter(pl.col("variant") == "control-random"),
        some_values(40, 40).filter(pl.col("variant") == "control-appearance"),
        some_values(40, 40).with_columns(value=pl.lit(None, dtype=pl.Float64)),
        some_values(40, 40).with_columns(variant=pl.lit("image")),
    ],
)
def test_without_figures_of_both_controls_nothing_is_said(values: pl.DataFrame) -> None:
    verdict = judge_rejectability(values, resampling=RESAMPLING)
    assert (verdict.is_rejectable, verdict.reason, verdict.n) == (None, "no figure of the controls", 0)


def test_whole_clusters_are_drawn_where_the_contract_says_so() -> None:
    by_document = RESAMPLING.model_copy(update={"unit": "document"})
    few = some_values(40, 30, cluster="one")
    verdict = judge_rejectability(few, resampling=by_document)
    assert (verdict.is_rejectable, verdict.low) == (None, None)
    assert verdict.reason == "no interval of control-appearance: too_few_clusters"
    many = pl.concat(
        [some_values(2, 2 if place < 55 else 0, name=f"d{place}", cluster=f"d{place}") for place in range(60)]
    )
    assert judge_rejectability(many, resampling=by_document).is_rejectable is True


def test_templates_that_can_be_rejected_come_first_and_small_ones_are_left_open() -> None:
    values = pl.concat(
        [
            some_values(31, 6, name="fine", template_id="tpl_fine"),
            some_values(31, 31, name="bad", template_id="tpl_bad"),
            some_values(10, 10, name="small", template_id="tpl_small"),
            some_values(31, 0, name="apart", template_id="tpl_bad", is_apart=True),
            some_values(1, 0, name="none", template_id=None),
        ]
    )
    table = tabulate_by_template(values, resampling=RESAMPLING)
    assert table.select("template_id", "pools", "n_questions", "gold_first", "verdict").rows() == [
        ("tpl_bad", "declared axes", 31, 1.0, "negatives can be rejected on appearance"),
        ("tpl_small", "declared axes", 10, 1.0, "10 questions, 30 needed"),
        ("tpl_fine", "declared axes", 31, 6 / 31, "negatives cannot be rejected on appearance"),
        ("", "declared axes", 1, 0.0, "1 question, 30 needed"),
        ("tpl_bad", "appearance", 31, 0.0, "negatives cannot be rejected on appearance"),
    ]
    assert table["chance"].to_list() == pytest.approx([CHANCE] * 5)
    shuffled = values.sample(fraction=1.0, shuffle=True, seed=3)
    assert tabulate_by_template(shuffled, resampling=RESAMPLING).equals(table)
    assert tabulate_by_template(values.clear(), resampling=RESAMPLING).schema == pl.Schema(BY_TEMPLATE.schema)
