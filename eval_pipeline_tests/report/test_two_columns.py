"""The two-column table of MEASURES 4."""

import polars as pl
import pytest

from eval_pipeline.metrics.parts import SHARED
from eval_pipeline.report.figures import FigureBook
from eval_pipeline.report.two_columns import lay_two_columns
from eval_pipeline_tests.report.conftest import a_figure, some_figures


def lay(frame=None, *, main="sufficient", variant="image"):
    book = FigureBook.from_frame(some_figures() if frame is None else frame)
    return lay_two_columns(book, variant=variant, encoder="page-clip", main=main)


def facts_of(table):
    return {fact.label: fact.texts for fact in table.facts}


def test_rows_are_those_of_the_measures():
    assert [tuple(cell.measure for cell in row.cells) for row in lay().rows] == [
        ("top@1", "sufficient@1", "sufficient@1"),
        ("top@5", "sufficient@5", "sufficient@5"),
        ("", "supporting_only@5", "supporting_only@5"),
        ("", "neither@5", "neither@5"),
    ]
    assert [cell.figure.text for cell in lay().rows[0].cells] == ["0.93", "0.21", "0.18"]


def test_500_questions_of_which_305_are_answerable_leave_195():
    counts = {"n_questions": 500, "policy_counts": '{"without value: answerable": 305}'}
    rows = [
        a_figure("image", "random", "top@1", 0.93),
        a_figure("image", "siblings", "sufficient@1", 0.21, **counts),
        a_figure("image", "corpus", "sufficient@1", 0.18, **counts),
    ]
    facts = facts_of(lay(pl.DataFrame(rows, infer_schema_length=None)))
    assert facts["Questions"] == ("500", "195 of 500 have a value", "195 of 500 have a value")
    assert facts["Removed"][0].startswith("none as ill posed")
    assert facts["Removed"][1:] == ("answerable from another page 305",) * 2
    assert facts["Policies touched"] == ("none",) * 3


def test_columns_name_arena_chance_floor_and_denominator():
    facts = facts_of(lay())
    assert facts["Arena"] == ("7 candidates", "7 candidates", "1,500 candidates")
    assert facts["Chance"] == ("0.14 at 1, 0.71 at 5", "0.14 at 1, 0.71 at 5", "not measured")
    assert facts["Control floor (template)"] == ("0.96 at 1", "0.14 at 1", "0.04 at 1")
    assert facts["Denominator"] == ("den_random", "den_siblings", "den_corpus")
    assert facts["Judged in the first five"] == ("the contract does not ask for it",) * 2 + ("0.97",)


def test_a_cut_off_of_five_is_no_headline_in_a_small_arena():
    table = lay()
    assert [cell.is_headline for cell in table.rows[1].cells] == [False, False, True]
    assert all(cell.is_headline for cell in table.rows[0].cells)
    assert table.has_small_arena


def test_a_figure_on_fewer_questions_says_so():
    frame = some_figures().with_columns(
        n_scored=pl.when((pl.col("measure") == "sufficient@5") & (pl.col("arena") == "corpus"))
        .then(190)
        .otherwise("n_scored")
    )
    assert [cell.n_text for cell in lay(frame).rows[1].cells] == ["", "", "n = 190"]


def test_questions_without_a_value_are_counted():
    row = a_figure("image", "siblings", "sufficient@1", 0.5, n_questions=195, n_scored=190)
    assert facts_of(lay(pl.DataFrame([row], infer_schema_length=None)))["Questions"][1] == "190 of 195 have a value"


def test_the_sentence_names_both_tests_and_no_difference():
    assert lay().sentence == (
        "Against random pages, the retriever “image” puts the right page first for 93% of 500 questions. "
        "Among pages that look like it, a page that suffices comes first for 21% of 195 questions."
    )


def test_the_sentence_of_a_missing_value_is_its_reason():
    rows = [
        a_figure("image", "random", "top@1", None, reason="no_gold"),
        a_figure("image", "corpus", "sufficient@1", 0.4),
    ]
    sentence = lay(pl.DataFrame(rows, infer_schema_length=None)).sentence
    assert sentence == "image: top@1 over random pages: no gold unit; sufficient@1: the contract does not ask for it."


def test_the_under_specified_slice_counts_acceptable_pages():
    row = a_figure("image", "siblings", "acceptable@1", 0.7)
    table = lay(pl.DataFrame([row], infer_schema_length=None), main="acceptable")
    assert table.rows[0].cells[1].figure.text == "0.70"


def test_nothing_removed_is_said():
    assert facts_of(lay())["Removed"][1] == "none"


def with_shared(frame, *, n=190):
    values = {"random": 0.9, "siblings": 0.2, "corpus": 0.15}
    rows = [
        a_figure("image", arena, "sufficient@1", value, slice=SHARED, slice_value="all", n_scored=n, n_questions=n)
        for arena, value in values.items()
    ]
    return pl.concat([frame, pl.DataFrame(rows, infer_schema_length=None)], how="vertical_relaxed")


def test_the_same_questions_and_measure_stand_in_a_row_of_their_own():
    table = lay(with_shared(some_figures()))
    row = table.rows[1]
    assert row.label == "First place, the same questions"
    assert [(cell.measure, cell.figure.estimate, cell.n_text) for cell in row.cells] == [
        ("sufficient@1", 0.9, "n = 190"),
        ("sufficient@1", 0.2, "n = 190"),
        ("sufficient@1", 0.15, "n = 190"),
    ]
    assert table.sentence.endswith(
        "On the 190 questions that both tests ask, by the same measure: 90% among random pages, 20% among siblings."
    )
    assert "70%" not in table.sentence  # 0.90 - 0.20: no difference is taken


def test_nothing_shared_is_no_row():
    assert [row.label for row in lay(with_shared(some_figures(), n=0)).rows][:2] == ["First place", "First five"]


def test_pages_without_facets_have_a_column_of_their_own():
    apart = a_figure("image", "appearance", "sufficient@1", 0.5, n_questions=8, n_scored=8)
    frame = pl.concat(
        [with_shared(some_figures()), pl.DataFrame([apart], infer_schema_length=None)], how="vertical_relaxed"
    )
    table = lay(frame)
    assert [column.title for column in table.columns] == [
        "random pages",
        "siblings",
        "look-alikes of pages without facets",
        "corpus",
    ]
    assert [cell.figure.estimate for cell in table.rows[0].cells] == [0.93, 0.21, 0.5, 0.18]
    assert table.rows[1].cells[2].absence == "these questions are counted apart"
    assert facts_of(table)["Questions"][2] == "8"
    assert [bar.cell.figure.arena for bar in table.bars] == ["random", "siblings", "corpus"]


def test_bars_carry_chance_and_floor():
    assert lay().bars[1].ticks == (("chance", pytest.approx(1 / 7)), ("template control", 0.14))
