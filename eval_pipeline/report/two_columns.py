"""The two-column table (MEASURES 4): the naive test, this test, and the corpus beside; no figure across columns."""

from dataclasses import dataclass

from eval_pipeline.report.figures import Figure, FigureBook
from eval_pipeline.report.wording import explain_measure, write_count, write_number, write_percent

NO_DIFFERENCE = "The two columns have different denominators; no difference is shown."
FLOOR = "control-template"
NOT_ASKED = "the contract does not ask for it"
NAIVE = "random"
"""Arenas of the usual test, whose name begins so."""


@dataclass(frozen=True, kw_only=True)
class Cell:
    """One figure in its place.

    Attributes:
        measure: its name; empty where the column has no such row.
        figure: the figure; None where the contract does not ask for it.
        n_text: its own denominator, where it is not that of its column.
        is_headline: False at a cut-off of 5 in an arena of fewer than 20.
    """

    measure: str
    figure: Figure | None
    n_text: str = ""
    is_headline: bool = True


@dataclass(frozen=True, kw_only=True)
class Row:
    """One row of figures; `label` says in words what is counted."""

    label: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True, kw_only=True)
class Fact:
    """A row below the figures: what a column rests on; one text per column."""

    label: str
    texts: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Bar:
    """One bar of the picture; lengths in percent of the axis.

    Attributes:
        label: which test.
        cell: what is drawn.
        ticks: (name, value) of chance and floor, where they are known.
    """

    label: str
    cell: Cell
    ticks: tuple[tuple[str, float], ...]


@dataclass(frozen=True, kw_only=True)
class TwoColumns:
    """The table of one variant.

    Attributes:
        variant: its name.
        encoder: name of its encoder, `(untrained)` included; empty where it has none.
        rows: figures.
        facts: what they rest on.
        bars: the picture of the same retriever.
        sentence: the first places in one sentence.
        has_small_arena: whether a figure is marked as no headline.
    """

    variant: str
    encoder: str
    rows: tuple[Row, ...]
    facts: tuple[Fact, ...]
    bars: tuple[Bar, ...]
    sentence: str
    has_small_arena: bool


COLUMNS = (("top", "random"), ("main", "siblings"), ("main", "corpus"))
"""What each column counts, and in which arena; `main` is sufficient, or acceptable in the under-specified slice."""


def lay_two_columns(book: FigureBook, *, variant: str, encoder: str, main: str) -> TwoColumns:
    """Lay out the table of one variant.

    Args:
        book: figures of the evaluation.
        variant: a variant that is no control.
        encoder: see TwoColumns.
        main: `sufficient`, or `acceptable` in the under-specified slice.
    """
    first = _lay_row(book, variant, ("top@1", f"{main}@1", f"{main}@1"), label="First place")
    rows = (
        first,
        _lay_row(book, variant, ("top@5", f"{main}@5", f"{main}@5"), label="First five"),
        _lay_row(book, variant, ("", "supporting_only@5", "supporting_only@5"), label="First five: only supporting"),
        _lay_row(book, variant, ("", "neither@5", "neither@5"), label="First five: neither"),
    )
    return TwoColumns(
        variant=variant,
        encoder=encoder,
        rows=rows,
        facts=_list_facts(book, variant, rows),
        bars=tuple(
            _draw_bar(book, cell, label)
            for cell, label in zip(first.cells, ("Naive test", "This test", "Whole corpus"), strict=True)
        ),
        sentence=_say_first_places(variant, first.cells),
        has_small_arena=any(not cell.is_headline for row in rows for cell in row.cells),
    )


def _lay_row(book: FigureBook, variant: str, measures: tuple[str, ...], *, label: str) -> Row:
    cells = []
    for measure, (kind, arena) in zip(measures, COLUMNS, strict=True):
        figure = book.find(variant=variant, arena=arena, measure=measure) if measure else None
        head = _head_of(book, variant, measures[1].partition("@")[0] if kind == "main" else "top", arena)
        differs = figure is not None and head is not None and figure.n_scored != head.n_scored
        cells.append(
            Cell(
                measure=measure,
                figure=figure,
                n_text=f"n = {figure.n_scored:,}" if figure is not None and differs else "",
                is_headline=not (figure is not None and figure.is_small and measure.endswith("@5")),
            )
        )
    return Row(label=label, cells=tuple(cells))


def _head_of(book: FigureBook, variant: str, kind: str, arena: str) -> Figure | None:
    kind = kind if kind in ("top", "acceptable") else "sufficient"
    return book.find(variant=variant, arena=arena, measure=f"{kind}@1")


def _list_facts(book: FigureBook, variant: str, rows: tuple[Row, ...]) -> tuple[Fact, ...]:
    first = [cell.figure for cell in rows[0].cells]
    pairs = list(zip(rows[0].cells, rows[1].cells, strict=True))
    return (
        Fact(label="Questions", texts=tuple(_say_questions(figure) for figure in first)),
        Fact(label="Removed", texts=tuple(_say_removed(figure) for figure in first)),
        Fact(label="Arena", texts=tuple(figure.size_text if figure else NOT_ASKED for figure in first)),
        Fact(label="Chance", texts=tuple(_say_both([_chance(cell) for cell in pair]) for pair in pairs)),
        Fact(
            label="Control floor (template)", texts=tuple(_say_both([_floor(book, c) for c in pair]) for pair in pairs)
        ),
        *_list_judged(book, variant, len(first)),
        Fact(label="Policies touched", texts=tuple(_say_touched(figure) for figure in first)),
        Fact(label="Denominator", texts=tuple(figure.denominator_id if figure else NOT_ASKED for figure in first)),
    )


def _list_judged(book: FigureBook, variant: str, n_columns: int) -> tuple[Fact, ...]:
    found = [book.find(variant=variant, arena=arena, measure="judged@5") for _, arena in COLUMNS[:n_columns]]
    if all(figure is None for figure in found):
        return ()
    return (Fact(label="Judged in the first five", texts=tuple(each.text if each else NOT_ASKED for each in found)),)


def _say_questions(figure: Figure | None) -> str:
    if figure is None:
        return NOT_ASKED
    if figure.n_scored == figure.n_questions:
        return f"{figure.n_scored:,}"
    return f"{figure.n_scored:,} of {figure.n_questions:,} have a value"


def _say_removed(figure: Figure | None) -> str:
    if figure is None:
        return NOT_ASKED
    if not figure.removed and figure.arena.startswith(NAIVE):
        return "none as ill posed: every question counts, also those that another page answers"
    return "; ".join(figure.removed) or "none"


def _chance(cell: Cell) -> tuple[str, float | None]:
    return cell.measure, cell.figure.chance if cell.figure else None


def _floor(book: FigureBook, cell: Cell) -> tuple[str, float | None]:
    if cell.figure is None:
        return cell.measure, None
    floor = book.find(variant=FLOOR, arena=cell.figure.arena, measure=cell.measure)
    return cell.measure, floor.estimate if floor else None


def _say_both(values: list[tuple[str, float | None]]) -> str:
    known = [f"{write_number(value)} at {name.partition('@')[2]}" for name, value in values if value is not None]
    return ", ".join(known) or "not measured"


def _say_touched(figure: Figure | None) -> str:
    if figure is None:
        return NOT_ASKED
    return "; ".join(figure.touched) or "none"


def _draw_bar(book: FigureBook, cell: Cell, label: str) -> Bar:
    ticks = [("chance", _chance(cell)[1]), ("template control", _floor(book, cell)[1])]
    return Bar(label=label, cell=cell, ticks=tuple((name, value) for name, value in ticks if value is not None))


def _say_first_places(variant: str, cells: tuple[Cell, ...]) -> str:
    naive, ours = cells[0].figure, cells[1].figure or cells[2].figure
    said = [_say_one(cell.measure, cell.figure) for cell in cells[:2]]
    if naive is None or ours is None or naive.estimate is None or ours.estimate is None:
        return f"{variant}: {said[0]}; {said[1]}."
    where = "Among pages that look like it" if ours.arena == "siblings" else "In the whole corpus"
    what = explain_measure(cells[1].measure).removesuffix(" in the first place")
    return (
        f"Against random pages, the retriever “{variant}” puts the right page first for {_say_share(naive)}. "
        f"{where}, {what} comes first for {_say_share(ours)}."
    )


def _say_share(figure: Figure) -> str:
    assert figure.estimate is not None, figure
    return f"{write_percent(figure.estimate)} of {write_count(figure.n_scored, 'question')}"


def _say_one(measure: str, figure: Figure | None) -> str:
    if figure is None:
        return f"{measure}: {NOT_ASKED}"
    return f"{measure} over {figure.arena} pages: {figure.text}"
