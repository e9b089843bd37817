"""Rows of estimates on one axis."""

import polars as pl

from eval_pipeline.report.figures import FigureBook
from eval_pipeline.report.interval_rows import chart_slice, chart_standing
from eval_pipeline_tests.report.conftest import a_figure, some_figures

BOOK = FigureBook.from_frame(some_figures())


def test_variants_stand_before_controls_and_controls_say_what_they_know():
    chart = chart_standing(BOOK, arena="siblings", measure="sufficient@1")
    rows = chart.groups[0][1]
    assert [(row.label, row.kind) for row in rows[:3]] == [
        ("image", "variant"),
        ("hybrid", "variant"),
        ("control-random", "control"),
    ]
    assert rows[3].note == "knows the template, nothing else: the floor"


def test_slices_are_grouped_by_value():
    chart = chart_slice(BOOK, slice_name="axis", arena="siblings", measure="sufficient@1")
    assert [(value, [row.label for row in rows]) for value, rows in chart.groups] == [
        (value, ["image", "hybrid"]) for value in ("period", "metric", "entity")
    ]
    assert chart.empty == (("revision", "no questions"),)


def a_slice_of(sizes):
    rows = [
        a_figure(
            "image", "siblings", "sufficient@1", 0.5, slice="template", slice_value=name, n_scored=n, n_questions=n
        )
        for name, n in sizes.items()
    ]
    book = FigureBook.from_frame(pl.DataFrame(rows, infer_schema_length=None))
    names = {"tpl_a": "cash flow (a)"}
    return chart_slice(book, slice_name="template", arena="siblings", measure="sufficient@1", names=names)


def test_a_thousand_values_are_twelve_charted_and_the_rest_counted():
    chart = a_slice_of({f"tpl_{number:04}": number + 1 for number in range(1000)})
    assert [value for value, _ in chart.groups] == [f"tpl_{number:04}" for number in range(999, 987, -1)]
    assert chart.n_more == 988


def test_values_are_headed_by_their_readable_names():
    assert [value for value, _ in a_slice_of({"tpl_a": 3, "tpl_b": 2}).groups] == ["cash flow (a)", "tpl_b"]


def test_what_the_contract_does_not_ask_for_has_no_chart():
    assert chart_slice(BOOK, slice_name="axis", arena="corpus", measure="sufficient@1") is None
    assert chart_standing(BOOK, arena="corpus", measure="ap@10") is None
