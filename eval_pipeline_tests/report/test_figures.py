"""Figures, looked up and spelled."""

import polars as pl
import pytest

from eval_pipeline.foundation.errors import LineageError
from eval_pipeline.report.figures import FigureBook
from eval_pipeline_tests.report.conftest import a_figure, some_figures, spell_counts


def book_of(*rows):
    return FigureBook.from_frame(pl.DataFrame(list(rows), infer_schema_length=None))


def test_a_value_is_spelled_with_its_interval():
    figure = book_of(a_figure("image", "siblings", "sufficient@1", 0.43)).figures[0]
    assert (figure.text, figure.interval_text, figure.size_text, figure.is_small) == (
        "0.43",
        "[0.37, 0.49]",
        "7 candidates",
        True,
    )


def test_a_missing_value_is_its_reason_and_has_no_interval():
    figure = book_of(a_figure("image", "siblings", "top@1", None, reason="no_gold")).figures[0]
    assert (figure.text, figure.interval_text) == ("no gold unit", "")


def test_a_missing_interval_is_its_reason():
    row = a_figure("image", "siblings", "ap@10", 0.4, low=None, high=None, interval="too_few_clusters")
    assert book_of(row).figures[0].interval_text == "no interval: fewer than 50 clusters"


def test_arenas_of_several_sizes_and_of_unknown_size():
    mixed = a_figure("image", "siblings", "top@1", 0.4, n_candidates_min=5, n_candidates_max=1087)
    assert book_of(mixed).figures[0].size_text == "5 to 1,087 candidates"
    unknown = a_figure("image", "siblings", "top@1", 0.4, n_candidates_min=None, n_candidates_max=None)
    assert book_of(unknown).figures[0].size_text == "size not recorded"


def test_policies_that_touched_nothing_are_left_out():
    row = a_figure("image", "corpus", "top@1", 0.4, policy_counts=spell_counts(no_relevant=3, unjudged=0))
    assert book_of(row).figures[0].touched == ("no sufficient unit among the candidates 3",)


@pytest.mark.parametrize("text", ["{", "[1]"])
def test_policy_counts_that_are_no_mapping_are_refused_by_id(text):
    figure = book_of(a_figure("image", "corpus", "top@1", 0.4, metric_id="met_7", policy_counts=text)).figures[0]
    with pytest.raises(LineageError, match="met_7"):
        _ = figure.touched


def test_an_estimate_and_its_reason_must_agree():
    with pytest.raises(LineageError, match="with reason 'scored'"):
        book_of(a_figure("image", "corpus", "top@1", None))
    with pytest.raises(LineageError, match="with reason 'waiting'"):
        book_of(a_figure("image", "corpus", "top@1", 0.5, reason="waiting"))


def test_variants_and_slices_keep_their_order():
    book = FigureBook.from_frame(some_figures())
    assert book.name_variants(controls=False) == ("image", "hybrid")
    assert book.name_variants(controls=True) == (
        "control-random",
        "control-template",
        "control-facets",
        "control-appearance",
    )
    assert book.name_slices() == ("axis",)
    assert [each.slice_value for each in book.list_slice(slice_name="axis", arena="siblings", measure="sufficient@1")][
        :2
    ] == ["period", "period"]
    assert book.n_questions == 500
    assert book.find(variant="image", arena="corpus", measure="top@1") is None
