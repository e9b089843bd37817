"""The two-column table (MEASURES 4): the naive test, this test, and the corpus beside; no figure across columns."""

from collections.abc import Mapping
from dataclasses import dataclass

from eval_pipeline.metrics.parts import APPEARANCE, CORPUS, NAIVE, SHARED, SIBLINGS
from eval_pipeline.report.figures import Figure, FigureBook
from eval_pipeline.report.wording import explain_measure, write_count, write_number, write_percent

NO_DIFFERENCE = "The columns have different denominators; no difference is shown."
FLOOR = "control-template"
NOT_ASKED = "the contract does not ask for it"
NOT_NAIVE = "not asked by this test"
NONE_SHARED = "these questions are counted apart"


@dataclass(frozen=True, kw_only=True)
class Cell:
    """One figure in its place.

    Attributes:
        measure: its name; empty where the column has no such row.
        figure: the figure; None where the contract does not ask for it.
        absence: why the column has no such row; empty where it has.
        n_text: its own denominator, where it is not that of its column.
        is_headline: False at a cut-off of 5 in an arena of fewer than 20.
    """

    measure: str
    figure: Figure | None
    n_text: str = ""
    is_headline: bool = True
    absence: str = ""


@dataclass(frozen=True, kw_only=True)
class Row:
    """One row of figures; `label` says in words what is counted."""

    label: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True, kw_only=True)
class Column:
    """One column: what it counts, in which arena; `title` names its candidates."""

    kind: str
    arena: str
    title: str


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
        columns: what the columns are, left to right.
        rows: figures.
        facts: what they rest on.
        bars: the picture of the same retriever.
        sentence: the first places in words.
        has_small_arena: whether a figure is marked as no headline.
    """

    variant: str
    encoder: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    facts: tuple[Fact, ...]
    bars: tuple[Bar, ...]
    sentence: str
    has_small_arena: bool


NAIVE_COLUMN = Column(kind="top", arena=NAIVE, title="random pages")
OURS = (
    Column(kind="main", arena=SIBLINGS, title="siblings"),
    Column(kind="main", arena=APPEARANCE, title="look-alikes of pages without facets"),
    Column(kind="main", arena=CORPUS, title="corpus"),
)
"""`main` is sufficient, or acceptable in the under-specified slice; pages without facets only where there are some."""


def lay_two_columns(book: FigureBook, *, variant: str, encoder: str, main: str) -> TwoColumns:
    """Lay out the table of one variant.

    Args:
        book: figures of the evaluation, as `metrics.parts.separate` gives them.
        variant: a variant that is no control.
        encoder: see TwoColumns.
        main: `sufficient`, or `acceptable` in the under-specified slice.
    """
    columns = (NAIVE_COLUMN, *(each for each in OURS if each.arena != APPEARANCE or _is_apart(book, variant)))
    first = _lay_row(book, variant, columns, ("top@1", f"{main}@1"), label="First place")
    shared = _lay_shared(book, variant, columns, f"{main}@1")
    five = _lay_row(book, variant, columns, ("top@5", f"{main}@5"), label="First five")
    rows = (
        first,
        *shared,
        five,
        _lay_row(book, variant, columns, ("", "supporting_only@5"), label="First five: only supporting"),
        _lay_row(book, variant, columns, ("", "neither@5"), label="First five: neither"),
    )
    by_arena = {column.arena: cell for column, cell in zip(columns, first.cells, strict=True)}
    bars = ((NAIVE, "Naive test"), (SIBLINGS, "This test"), (CORPUS, "Whole corpus"))
    return TwoColumns(
        variant=variant,
        encoder=encoder,
        columns=columns,
        rows=rows,
        facts=_list_facts(book, variant, columns, (first, five)),
        bars=tuple(_draw_bar(book, by_arena[arena], label) for arena, label in bars),
        sentence=_say_first_places(variant, by_arena) + _say_shared(columns, shared),
        has_small_arena=any(not cell.is_headline for row in rows for cell in row.cells),
    )


def _is_apart(book: FigureBook, variant: str) -> bool:
    return any(each.variant == variant and each.arena == APPEARANCE and each.n_questions for each in book.figures)


def _lay_row(
    book: FigureBook, variant: str, columns: tuple[Column, ...], measures: tuple[str, str], *, label: str
) -> Row:
    """One row; `measures` are that of the naive column (empty: it has none) and that of the others."""
    cells = []
    for column in columns:
        measure = measures[0] if column.kind == "top" else measures[1]
        figure = book.find(variant=variant, arena=column.arena, measure=measure) if measure else None
        head = _head_of(book, variant, measures[1].partition("@")[0] if column.kind == "main" else "top", column.arena)
        differs = figure is not None and head is not None and figure.n_scored != head.n_scored
        cells.append(
            Cell(
                measure=measure,
                figure=figure,
                n_text=f"n = {figure.n_scored:,}" if figure is not None and differs else "",
                is_headline=not (figure is not None and figure.is_small and measure.endswith("@5")),
                absence="" if measure else NOT_NAIVE,
            )
        )
    return Row(label=label, cells=tuple(cells))


def _lay_shared(book: FigureBook, variant: str, columns: tuple[Column, ...], measure: str) -> tuple[Row, ...]:
    """The same questions under the same measure, so that only the candidates differ; no row where nothing is shared."""
    found = [book.find(variant=variant, arena=column.arena, measure=measure, slice_name=SHARED) for column in columns]
    if not any(figure is not None and figure.n_scored for figure in found):
        return ()
    cells = tuple(
        Cell(measure=measure, figure=figure, n_text=f"n = {figure.n_scored:,}")
        if figure is not None
        else Cell(measure="", figure=None, absence=NONE_SHARED)
        for figure in found
    )
    return (Row(label="First place, the same questions", cells=cells),)


def _head_of(book: FigureBook, variant: str, kind: str, arena: str) -> Figure | None:
    kind = kind if kind in ("top", "acceptable") else "sufficient"
    return book.find(variant=variant, arena=arena, measure=f"{kind}@1")


def _list_facts(book: FigureBook, variant: str, columns: tuple[Column, ...], rows: tuple[Row, Row]) -> tuple[Fact, ...]:
    """What the columns rest on; `rows` are those of the first place and of the first five."""
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
        *_list_judged(book, variant, columns),
        Fact(label="Policies touched", texts=tuple(_say_touched(figure) for figure in first)),
        Fact(label="Denominator", texts=tuple(figure.denominator_id if figure else NOT_ASKED for figure in first)),
    )


def _list_judged(book: FigureBook, variant: str, columns: tuple[Column, ...]) -> tuple[Fact, ...]:
    found = [book.find(variant=variant, arena=column.arena, measure="judged@5") for column in columns]
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


def _say_first_places(variant: str, cells: Mapping[str, Cell]) -> str:
    here = cells[SIBLINGS] if cells[SIBLINGS].figure else cells[CORPUS]
    naive, ours = cells[NAIVE].figure, here.figure
    if naive is None or ours is None or naive.estimate is None or ours.estimate is None:
        said = [_say_one(cells[arena].measure, cells[arena].figure) for arena in (NAIVE, SIBLINGS)]
        return f"{variant}: {said[0]}; {said[1]}."
    where = "Among pages that look like it" if ours.arena == SIBLINGS else "In the whole corpus"
    what = explain_measure(here.measure).removesuffix(" in the first place")
    return (
        f"Against random pages, the retriever “{variant}” puts the right page first for {_say_share(naive)}. "
        f"{where}, {what} comes first for {_say_share(ours)}."
    )


def _say_shared(columns: tuple[Column, ...], rows: tuple[Row, ...]) -> str:
    """What the candidates alone change: the two figures beside each other, their difference not taken."""
    if not rows:
        return ""
    figures = {column.arena: cell.figure for column, cell in zip(columns, rows[0].cells, strict=True)}
    random, ours = figures[NAIVE], figures[SIBLINGS]
    if random is None or ours is None or random.estimate is None or ours.estimate is None:
        return ""
    return (
        f" On the {write_count(ours.n_scored, 'question')} that both tests ask, by the same measure: "
        f"{write_percent(random.estimate)} among random pages, {write_percent(ours.estimate)} among siblings."
    )


def _say_share(figure: Figure) -> str:
    assert figure.estimate is not None, figure
    return f"{write_percent(figure.estimate)} of {write_count(figure.n_scored, 'question')}"


def _say_one(measure: str, figure: Figure | None) -> str:
    if figure is None:
        return f"{measure}: {NOT_ASKED}"
    return f"{measure} over {figure.arena} pages: {figure.text}"
