"""The loss waterfall in words and rows."""

import polars as pl
import pytest

from eval_pipeline.metrics.three_recalls import Recall, ThreeRecalls
from eval_pipeline.metrics.waterfall import DISPLACED, TRACE
from eval_pipeline.report.waterfall import BY_SLICE, Waterfall, lay_waterfall, name_displacement

TRACED = pl.DataFrame(
    [
        ("q1", "fusion", "u1", "image.exact", 3, "fused", None, "image.exact 3 > lexical – > fused – > final –"),
        ("q2", "cut-off", "u2", "image.exact", 2, "final", 40, "image.exact 2 > lexical – > fused 40 > final 40"),
        ("q3", "representation", None, None, None, "image.exact", None, None),
    ],
    schema=TRACE,
    orient="row",
)
LOST = pl.DataFrame(
    [("q1", "u1", "image.exact", 3, None), ("q2", "u2", "image.exact", 2, 40)], schema=DISPLACED, orient="row"
)
RECALLS = ThreeRecalls(
    representation=Recall(value=0.9, n=10),
    neighbour=Recall(value=None, n=10, reason="searches exactly"),
    final=Recall(value=0.7, n=10),
    depth=100,
    k=10,
)


def a_waterfall(**changes):
    return Waterfall(
        **{
            "variant": "hybrid-rawsum",
            "k": 10,
            "n_questions": 10,
            "recalls": RECALLS,
            "traced": TRACED,
            "displaced": LOST,
            "spans": {"image.exact": (0.31, 0.52), "lexical": (6.0, 18.25), "hybrid:fused": (0.016, 0.033)},
            "merging": "raw scores were added",
            "adds_raw_scores": True,
            "by_slice": pl.DataFrame(schema=BY_SLICE),
            "texts": {"q1": "How much?", "q2": "And then?"},
            "places": {"u1": "acme · 2021"},
            **changes,
        }
    )


def test_the_pattern_is_named_in_words():
    assert name_displacement(a_waterfall()) == (
        "Lost by merging: for 2 of 3 lost questions a page labelled sufficient is among the first 10 of a "
        "list that was merged (2 in image.exact (median rank 2.5)) and absent from the first 10 of the merged"
        " list, where it stands at rank 40 in the median and nowhere in the stored list for 1. Three lists "
        "with as many scoring scales were merged into one: raw scores were added; the score that stands first"
        " runs from 0.31 to 0.52 in image.exact, 6 to 18.2 in lexical and 0.016 to 0.033 in hybrid:fused, so "
        "the list with the largest numbers decides."
    )


def test_ranks_that_were_fused_have_no_scales():
    text = name_displacement(a_waterfall(merging="ranks were fused as 1 / (60 + rank)", adds_raw_scores=False))
    assert text.endswith("Three lists were merged: ranks were fused as 1 / (60 + rank).")
    assert "scales" not in text
    assert name_displacement(a_waterfall(displaced=LOST.clear())) == ""


def test_lost_questions_with_ranks_and_pages_that_may_be_shown():
    view = lay_waterfall(a_waterfall(), {})
    assert [(row.text, row.loss, row.unit, row.before, row.after) for row in view.rows] == [
        ("How much?", "fusion", "acme · 2021", "image.exact 3", "fused –"),
        ("And then?", "cut-off", "a page that may not be shown", "image.exact 2", "final 40"),
        ("", "representation", "no stage held one", "–", "image.exact –"),
    ]
    assert view.n_left == 0


def test_the_three_recalls_are_values_or_reasons():
    assert [(name, value) for name, value, _ in lay_waterfall(a_waterfall(), {}).recalls] == [
        ("representation", "0.90 (n = 10)"),
        ("neighbour", "no value: searches exactly"),
        ("final", "0.70 (n = 10)"),
    ]
    assert [meaning for _, _, meaning in lay_waterfall(a_waterfall(), {}).recalls] == [
        "a sufficient page within the exact first 100 of the vectors",
        "",
        "a sufficient page within the first 10 in the end",
    ]


def test_a_bar_per_value_of_a_slice_those_with_losses_first():
    rows = [
        ("template", "t1", "found", 3),
        ("template", "t1", "fusion", 1),
        ("template", "t2", "found", 5),
        ("template", "t3", "cut-off", 2),
    ]
    ((name, bars, n_left),) = lay_waterfall(
        a_waterfall(by_slice=pl.DataFrame(rows, schema=BY_SLICE, orient="row")), {"t1": "bar chart"}
    ).slices
    assert (name, n_left) == ("template", 1)
    assert [(bar.label, bar.n) for bar in bars] == [("t3", 2), ("bar chart", 4)]
    assert bars[1].parts == (("found", "found", 0.0, 0.75, 3), ("fusion", "fusion", 0.75, 0.25, 1))


def test_questions_that_were_not_answered_are_told_with_their_reasons():
    view = lay_waterfall(a_waterfall(displaced=LOST.clear(), not_answered={"time-out": 2, "status 503": 1}), {})
    (text,) = view.patterns
    assert text.startswith("Not answered: 3 questions (status 503 1 and time-out 2).")
    assert "asked again in the next run" in text


@pytest.mark.parametrize("n", [40, 41])
def test_long_tables_are_cut_and_the_rest_is_counted(n):
    many = pl.concat([TRACED[:1].with_columns(question_id=pl.lit(f"q{place:02d}")) for place in range(n)])
    view = lay_waterfall(a_waterfall(traced=many), {})
    assert (len(view.rows), view.n_left) == (40, n - 40)


def test_times_are_in_milliseconds():
    view = lay_waterfall(a_waterfall(latency={"all": (0.0123, 0.5)}), {})
    assert view.latency == (("all", "12.3 ms", "500.0 ms"),)
