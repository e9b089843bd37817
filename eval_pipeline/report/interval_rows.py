"""Rows of estimates with intervals on a common axis: where retrievers stand, and slices."""

from collections.abc import Mapping
from dataclasses import dataclass

from eval_pipeline.report.figures import Figure, FigureBook

KNOWLEDGE = {
    "control-random": "knows nothing: chance",
    "control-template": "knows the template, nothing else: the floor",
    "control-facets": "knows every facet: the top",
    "control-appearance": "sees pictures, never the question: should be near chance",
}


@dataclass(frozen=True, kw_only=True)
class IntervalRow:
    """One row of a chart.

    Attributes:
        label: what it is of.
        note: a few words more; may be empty.
        figure: the figure.
        kind: `variant` or `control`, for the colour.
    """

    label: str
    note: str
    figure: Figure
    kind: str


@dataclass(frozen=True, kw_only=True)
class IntervalChart:
    """Rows on one axis from 0 to 1.

    Attributes:
        title: what the rows are.
        arena: their arena.
        measure: their measure.
        groups: (group label, rows), in order; the label is empty where there is one group.
        n_more: further values with fewer questions.
        empty: (value, why) of those in which no question has a value.
    """

    title: str
    arena: str
    measure: str
    groups: tuple[tuple[str, tuple[IntervalRow, ...]], ...]
    n_more: int = 0
    empty: tuple[tuple[str, str], ...] = ()


def chart_standing(book: FigureBook, *, arena: str, measure: str) -> IntervalChart | None:
    """Variants and controls on one axis; None where the contract asks for no such figure."""
    rows = []
    for kind in ("variant", "control"):
        for name in book.name_variants(controls=kind == "control"):
            figure = book.find(variant=name, arena=arena, measure=measure)
            if figure is not None:
                rows.append(IntervalRow(label=name, note=KNOWLEDGE.get(name, ""), figure=figure, kind=kind))
    if not rows:
        return None
    return IntervalChart(title="Retrievers and controls", arena=arena, measure=measure, groups=(("", tuple(rows)),))


MAX_GROUPS = 12
"""Values of a slice that are charted; the rest is counted, as a corpus of a thousand templates has a thousand."""


def chart_slice(
    book: FigureBook, *, slice_name: str, arena: str, measure: str, names: Mapping[str, str] | None = None
) -> IntervalChart | None:
    """Values of a slice, every variant in each; None where there is no such figure.

    Where there are too many values, those with the most questions are charted; one without any question that counts
    is named with the reason.

    Args:
        book: figures.
        slice_name: which slice.
        arena: in which arena.
        measure: of which measure.
        names: readable names of values; a value without one is printed as it is.
    """
    groups: dict[str, list[IntervalRow]] = {}
    for figure in book.list_slice(slice_name=slice_name, arena=arena, measure=measure):
        row = IntervalRow(label=figure.variant, note="", figure=figure, kind="variant")
        groups.setdefault(figure.slice_value, []).append(row)
    if not groups:
        return None
    full = {value: rows for value, rows in groups.items() if any(row.figure.n_scored for row in rows)}
    largest = sorted(full, key=lambda value: (-max(row.figure.n_scored for row in full[value]), value))
    shown = list(full) if len(full) <= MAX_GROUPS else largest[:MAX_GROUPS]
    told = {value: (names or {}).get(value) or value or "(no value)" for value in groups}
    return IntervalChart(
        title=slice_name,
        arena=arena,
        measure=measure,
        groups=tuple((told[value], tuple(full[value])) for value in shown),
        n_more=len(full) - len(shown),
        empty=tuple((told[value], groups[value][0].figure.text) for value in groups if value not in full),
    )
