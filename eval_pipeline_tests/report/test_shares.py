"""Counts as bars, and agreement."""

import itertools

import polars as pl

from eval_pipeline.foundation.tables.labels import GRADES
from eval_pipeline.labels.agreement import Agreement, Figure
from eval_pipeline.report.shares import count_rows, read_agreement, read_label_shares, read_losses
from eval_pipeline_tests.report.conftest import FUNNEL, NO_LOSSES, NO_SHARES


def test_the_funnel_keeps_its_order_and_marks_parts():
    rows = count_rows(FUNNEL)
    assert [row.n for row in rows] == [500, 305, 120, 240, 195]
    assert rows[1].share == 305 / 500
    assert [row.is_part for row in rows] == [False, False, True, True, False]


def test_an_empty_funnel_divides_by_nothing():
    assert count_rows({}) == ()
    assert count_rows({"written": 0}) == ()


def test_losses_are_measured_against_the_longest_of_all():
    losses = pl.DataFrame(
        [("image", "cut-off", 8), ("hybrid", "fusion", 2)], schema=["variant", "stage", "n"], orient="row"
    )
    assert [(v, [(r.label, r.share) for r in rows]) for v, rows in read_losses(losses)] == [
        ("image", [("cut-off", 1.0)]),
        ("hybrid", [("fusion", 0.25)]),
    ]
    assert read_losses(NO_LOSSES) == ()


def test_label_shares_stack_to_one():
    frame = pl.DataFrame(
        [("text", "human", 1), ("text", "judge", 3)], schema=["variant", "author_kind", "n"], orient="row"
    )
    bar = read_label_shares(frame)[0]
    assert [(part.author_kind, part.start, part.share, part.text) for part in bar.parts] == [
        ("human", 0.0, 0.25, "25%"),
        ("judge", 0.25, 0.75, "75%"),
    ]
    assert [part.label for part in bar.parts] == ["person", "model judge"]
    assert read_label_shares(NO_SHARES) == ()


def test_a_stand_in_reviewer_is_never_called_a_person():
    frame = pl.DataFrame([("text", "generator-truth", 1)], schema=["variant", "author_kind", "n"], orient="row")
    assert read_label_shares(frame)[0].parts[0].label == "stand-in reviewer (generator-truth)"


def test_no_labels_at_all_is_said():
    frame = pl.DataFrame([("text", "human", 0)], schema=["variant", "author_kind", "n"], orient="row")
    assert read_label_shares(frame)[0].parts[0].text == "no labels"


def an_agreement(**changes):
    fields = {
        "n_pairs": 9,
        "n_questions": 4,
        "raw": Figure(value=0.84),
        "low": Figure(value=None, reason="too_few_clusters"),
        "high": Figure(value=None, reason="too_few_clusters"),
        "kappa": Figure(value=None, reason="undefined: one class"),
        "boundary": Figure(value=0.7),
        "table": {pair: n for n, pair in enumerate(itertools.product(GRADES, repeat=2))},
    }
    return Agreement(**(fields | changes))


def test_agreement_prints_values_and_reasons():
    view = read_agreement(an_agreement())
    assert dict(view.rows) == {
        "same grade, weighted by inclusion": "0.84 (no interval: fewer than 50 clusters)",
        "Cohen's kappa": "undefined: one class",
        "same grade on the sufficient/supporting boundary": "0.70",
        "pairs": "9",
        "audited questions": "4",
    }
    assert view.cells[1] == ("supporting", (3, 4, 5))


def test_agreement_with_an_interval():
    view = read_agreement(an_agreement(low=Figure(value=0.8), high=Figure(value=0.88)))
    assert view.rows[0][1] == "0.84 [0.80, 0.88]"


def test_no_agreement_is_a_reason():
    assert read_agreement("too_few_clusters").reason == "fewer than 50 clusters"
    assert read_agreement(an_agreement(raw=Figure(value=None, reason="no_audited_pairs"))).reason == "no audited pairs"


def test_a_mapping_is_printed_name_by_name():
    view = read_agreement({"raw": 0.84, "n_pairs": 1200, "kappa": None, "cells": {"a": 1}})
    assert view.rows == (("raw", "0.84"), ("n pairs", "1,200"), ("kappa", "no value"), ("cells", "a: 1"))
