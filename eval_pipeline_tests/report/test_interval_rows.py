"""Rows of estimates on one axis."""

from eval_pipeline.report.figures import FigureBook
from eval_pipeline.report.interval_rows import chart_slice, chart_standing
from eval_pipeline_tests.report.conftest import some_figures

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
        (value, ["image", "hybrid"]) for value in ("period", "metric", "entity", "revision")
    ]


def test_what_the_contract_does_not_ask_for_has_no_chart():
    assert chart_slice(BOOK, slice_name="axis", arena="corpus", measure="sufficient@1") is None
    assert chart_standing(BOOK, arena="corpus", measure="ap@10") is None
