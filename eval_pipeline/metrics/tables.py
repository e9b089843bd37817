"""The table of one variant as plain data: the naive column, this test, the whole corpus, and no difference between."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from eval_pipeline.metrics.aggregate import ALL
from eval_pipeline.metrics.diagnosis import Diagnosis, Gap, diagnose
from eval_pipeline.metrics.parts import APPEARANCE, SHARED

NO_DIFFERENCE = "The columns have different denominators; no difference is shown."
FLOOR = "control-template"
SMALL_ARENA = 20
"""@5 in an arena of fewer candidates is no headline (MEASURES 1)."""

NAIVE_ROWS = ("top@1", "top@5")
MAIN_ROWS = ("sufficient@1", "sufficient@5", "supporting_only@5", "neither@5")


@dataclass(frozen=True, kw_only=True)
class Figure:
    """One cell.

    Attributes:
        metric_id: what `trace` takes.
        measure: name.
        estimate: None with a reason.
        reason: `scored`, or why there is no value.
        low: lower end of the interval; None with an interval reason.
        high: upper end.
        interval: method, or why there is none.
        n_scored: questions with a value.
        chance: value of a random order; None where it has no meaning.
        floor: the same figure of control-template; None where it was not run.
        is_headline: False for @5 in a small arena.
    """

    metric_id: str
    measure: str
    estimate: float | None
    reason: str
    low: float | None
    high: float | None
    interval: str
    n_scored: int
    chance: float | None
    floor: float | None
    is_headline: bool


@dataclass(frozen=True, kw_only=True)
class TableColumn:
    """One column: an arena with its own questions.

    Attributes:
        arena: name.
        title: `naive test`, `this test` or `whole corpus`.
        figures: cells, top to bottom.
        n_questions: questions asked in it.
        n_scored: of these, with a value in the first row; 0 without a row.
        size_min: candidates in the smallest arena; None where not known.
        size_max: candidates in the largest one.
        removed: questions without a value in the first row, by reason.
        denominator_id: of the first row; empty without one.
        is_late: whether the contract came after the run.
    """

    arena: str
    title: str
    figures: tuple[Figure, ...]
    n_questions: int
    n_scored: int
    size_min: int | None
    size_max: int | None
    removed: Mapping[str, int]
    denominator_id: str
    is_late: bool


@dataclass(frozen=True, kw_only=True)
class VariantTable:
    """The table of one variant.

    Attributes:
        variant: name.
        columns: naive test, this test, whole corpus; only those that have figures.
        apart: questions whose hard negatives only look alike, as their gold unit lacks a facet; None without any.
        shared: (title of the column, `main@1`) on the questions that the naive test and this test both ask.
        note: that no difference is shown between columns.
        diagnoses: by arena, within that column.
    """

    variant: str
    columns: tuple[TableColumn, ...]
    apart: TableColumn | None
    shared: tuple[tuple[str, Figure], ...]
    note: str
    diagnoses: Mapping[str, Diagnosis]


COLUMNS = (
    ("random", "naive test", NAIVE_ROWS),
    ("siblings", "this test", MAIN_ROWS),
    ("corpus", "whole corpus", MAIN_ROWS),
)
APART = (APPEARANCE, "look-alikes of pages without facets", MAIN_ROWS)
"""Kept out of the columns: no axis says in what these differ from gold."""


def lay_table(
    metrics: pl.DataFrame, *, variant: str, slice_name: str = ALL, slice_value: str = ALL, main: str = "sufficient"
) -> VariantTable:
    """Lay out the figures of one variant.

    Args:
        metrics: rows of `metrics.metric` of one evaluation, with the column `variant` (name of the variant), as
            `parts.separate` gives them.
        variant: name.
        slice_name: declared slice, `all` for the whole set.
        slice_value: its value.
        main: `sufficient`, or `acceptable` in the under-specified slice.
    """
    here = metrics.filter((pl.col("slice") == slice_name) & (pl.col("slice_value") == slice_value))
    floors = {
        (row["arena"], row["measure"]): row["estimate"]
        for row in here.filter(pl.col("variant") == FLOOR).iter_rows(named=True)
    }
    rows = {
        (row["arena"], row["measure"]): row for row in here.filter(pl.col("variant") == variant).iter_rows(named=True)
    }
    columns, apart = [], None
    for arena, title, names in (*COLUMNS, APART):
        measures = [name.replace("sufficient@", f"{main}@") for name in names]
        cells = [rows[(arena, measure)] for measure in measures if (arena, measure) in rows]
        if cells and arena == APPEARANCE:
            apart = _column(arena, title, cells, floors)
        elif cells:
            columns.append(_column(arena, title, cells, floors))
    diagnoses = {
        column.arena: diagnose(
            {
                measure: Gap(estimate=row["estimate"], denominator_id=row["denominator_id"])
                for (arena, measure), row in rows.items()
                if arena == column.arena
            },
            main=main,
        )
        for column in columns
        if column.title != "naive test"
    }
    return VariantTable(
        variant=variant,
        columns=tuple(columns),
        apart=apart,
        shared=_shared(metrics, variant, f"{main}@1"),
        note=NO_DIFFERENCE,
        diagnoses=diagnoses,
    )


def _shared(metrics: pl.DataFrame, variant: str, measure: str) -> tuple[tuple[str, Figure], ...]:
    """The same questions in each column; nothing where the tests share none."""
    here = metrics.filter((pl.col("slice") == SHARED) & (pl.col("measure") == measure) & (pl.col("n_scored") > 0))
    floors = {row["arena"]: row["estimate"] for row in here.filter(pl.col("variant") == FLOOR).iter_rows(named=True)}
    rows = {row["arena"]: row for row in here.filter(pl.col("variant") == variant).iter_rows(named=True)}
    return tuple((title, _figure(rows[arena], floors.get(arena))) for arena, title, _ in COLUMNS if arena in rows)


def _column(
    arena: str, title: str, cells: Sequence[Mapping[str, Any]], floors: Mapping[tuple[str, str], float | None]
) -> TableColumn:
    first = cells[0]
    prefix = "without value: "
    counts = json.loads(first["policy_counts"])
    return TableColumn(
        arena=arena,
        title=title,
        figures=tuple(_figure(cell, floors.get((arena, cell["measure"]))) for cell in cells),
        n_questions=first["n_questions"],
        n_scored=first["n_scored"],
        size_min=first["n_candidates_min"],
        size_max=first["n_candidates_max"],
        removed={name.removeprefix(prefix): n for name, n in counts.items() if name.startswith(prefix)},
        denominator_id=first["denominator_id"],
        is_late=first["is_late"],
    )


def _figure(row: Mapping[str, Any], floor: float | None) -> Figure:
    size = row["n_candidates_max"]
    is_small = size is not None and size < SMALL_ARENA and row["measure"].endswith("@5")
    names = ("metric_id", "measure", "estimate", "reason", "low", "high", "interval", "n_scored", "chance")
    return Figure(**{name: row[name] for name in names}, floor=floor, is_headline=not is_small)
