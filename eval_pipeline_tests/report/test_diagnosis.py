"""Gaps within one column."""

import itertools

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval_pipeline.report.diagnosis import diagnose
from eval_pipeline.report.figures import FigureBook
from eval_pipeline_tests.report.conftest import a_figure, figures_of, some_figures


def diagnosis_of(values, arena="corpus"):
    rows = figures_of("image", naive=(0.5, 0.5), siblings=values, corpus=values)
    return diagnose(FigureBook.from_frame(pl.DataFrame(rows, infer_schema_length=None)), variant="image", arena=arena)


def test_the_parts_are_ordering_evidence_and_reach():
    found = diagnose(FigureBook.from_frame(some_figures()), variant="image", arena="siblings")
    assert [(part.kind, part.text) for part in found.segments] == [
        ("first", "0.21"),
        ("ordering", "0.62"),
        ("evidence", "0.15"),
        ("reach", "0.02"),
    ]
    assert found.sentence.startswith("Largest gap: ordering. The evidence is in the first five, but not first")
    assert found.sentence.endswith("Ceiling on answers from evidence: 0.83 (sufficient@5).")
    assert "fewer than 20 candidates" in found.caution


@pytest.mark.parametrize(
    ("values", "start"),
    [
        ((0.2, 0.3, 0.5, 0.2), "Largest gap: evidence."),
        ((0.2, 0.3, 0.2, 0.5), "Largest gap: reach."),
        ((0.2, 0.6, 0.4, 0.0), "Largest gap: ordering and evidence."),
        ((1.0, 1.0, 0.0, 0.0), "No gap"),
    ],
)
def test_the_largest_gap_is_named(values, start):
    assert diagnosis_of(values).sentence.startswith(start)


def test_a_measure_that_was_not_asked_for_is_named():
    rows = [a_figure("image", "corpus", "sufficient@1", 0.3)]
    found = diagnose(FigureBook.from_frame(pl.DataFrame(rows)), variant="image", arena="corpus")
    assert found.sentence == (
        "No diagnosis: the contract does not ask for sufficient@5, supporting_only@5 and neither@5 here."
    )
    assert found.segments == ()


def test_a_missing_value_is_not_nought():
    rows = figures_of("image", naive=(0.5, 0.5), siblings=(0.1, 0.2, 0.3, 0.5), corpus=(0.1, 0.2, 0.3, 0.5))
    rows[-1] = a_figure("image", "corpus", "neither@5", None, reason="waiting")
    found = diagnose(
        FigureBook.from_frame(pl.DataFrame(rows, infer_schema_length=None)), variant="image", arena="corpus"
    )
    assert found.sentence == "No diagnosis: neither@5 has no value (still waits for its judge)."


def test_other_denominators_are_not_subtracted():
    rows = figures_of("image", naive=(0.5, 0.5), siblings=(0.1, 0.2, 0.3, 0.5), corpus=(0.1, 0.2, 0.3, 0.5))
    rows[-1] |= {"n_scored": 190}
    found = diagnose(
        FigureBook.from_frame(pl.DataFrame(rows, infer_schema_length=None)), variant="image", arena="corpus"
    )
    assert found.sentence.startswith("No diagnosis: its figures rest on different denominators")


def test_a_longer_list_cannot_find_less():
    assert "which cannot be" in diagnosis_of((0.5, 0.4, 0.3, 0.3)).sentence


def test_a_rounding_error_is_no_gap():
    assert diagnosis_of((0.4, 0.4 - 1e-16, 0.3, 0.3)).segments[1].text == "0.00"


@given(st.tuples(st.integers(0, 50), st.integers(0, 50), st.integers(0, 50), st.integers(1, 50)))
def test_the_parts_sum_to_one_and_touch(counts):
    total = sum(counts)
    first, ordering, evidence, reach = counts
    values = (first / total, (first + ordering) / total, evidence / total, reach / total)
    segments = diagnosis_of(values).segments
    assert sum(part.share for part in segments) == pytest.approx(1)
    assert all(a.start + a.share == pytest.approx(b.start) for a, b in itertools.pairwise(segments))
