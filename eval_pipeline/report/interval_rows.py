"""Rows of estimates with intervals on a common axis: where retrievers stand, and slices."""

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
    """

    title: str
    arena: str
    measure: str
    groups: tuple[tuple[str, tuple[IntervalRow, ...]], ...]


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


def chart_slice(book: FigureBook, *, slice_name: str, arena: str, measure: str) -> IntervalChart | None:
    """Values of a slice, every variant in each; None where there is no such figure."""
    groups: dict[str, list[IntervalRow]] = {}
    for figure in book.list_slice(slice_name=slice_name, arena=arena, measure=measure):
        row = IntervalRow(label=figure.variant, note="", figure=figure, kind="variant")
        groups.setdefault(figure.slice_value, []).append(row)
    if not groups:
        return None
    ordered = tuple((value or "(no value)", tuple(rows)) for value, rows in groups.items())
    return IntervalChart(title=slice_name, arena=arena, measure=measure, groups=ordered)
