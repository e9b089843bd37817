"""What stands between a variant and every question, within one column, in words (MEASURES 5)."""

from dataclasses import dataclass

from eval_pipeline.report.figures import Figure, FigureBook
from eval_pipeline.report.wording import join_words, write_number

REST = ("supporting_only@5", "neither@5")
NEAR = 1e-9

_GAPS = {
    "ordering": "the evidence is in the first five, but not first; better ordering would win it",
    "evidence": "what comes back is about the subject, but does not hold the answer",
    "reach": "neither a page that suffices nor one that supports is in the first five",
}


@dataclass(frozen=True, kw_only=True)
class Segment:
    """One part of the bar that sums to 1.

    Attributes:
        kind: `first`, `ordering`, `evidence` or `reach`.
        label: in words.
        start: where it begins, 0 to 1.
        share: how long it is, 0 to 1.
        text: the share, spelled.
    """

    kind: str
    label: str
    start: float
    share: float
    text: str


@dataclass(frozen=True, kw_only=True)
class Diagnosis:
    """One variant in one arena.

    Attributes:
        variant: its name.
        arena: the column.
        segments: the bar; empty where there is none.
        sentence: the largest gap and the ceiling in words, or the reason why there are none.
        caution: what to keep in mind; may be empty.
        n_scored: questions behind it.
    """

    variant: str
    arena: str
    segments: tuple[Segment, ...]
    sentence: str
    caution: str
    n_scored: int


def diagnose(book: FigureBook, *, variant: str, arena: str, main: str = "sufficient") -> Diagnosis:
    """Split 1 into first place, ordering gap, evidence gap and reach gap; refused across denominators.

    Args:
        book: figures.
        variant: of which variant.
        arena: in which arena.
        main: `sufficient`, or `acceptable` in the under-specified slice.
    """
    measures = (f"{main}@1", f"{main}@5", *REST)
    found = [book.find(variant=variant, arena=arena, measure=measure) for measure in measures]
    figures = [figure for figure in found if figure is not None]
    problem = _find_problem(measures, found, figures)
    if problem:
        return Diagnosis(
            variant=variant, arena=arena, segments=(), sentence=f"No diagnosis: {problem}.", caution="", n_scored=0
        )
    first, five, supporting, neither = (figure.estimate for figure in figures if figure.estimate is not None)
    gaps = {"ordering": max(0.0, five - first), "evidence": supporting, "reach": neither}
    small = "The arena has fewer than 20 candidates, so its first five are no headline; read the corpus column."
    return Diagnosis(
        variant=variant,
        arena=arena,
        segments=_stack(first, gaps),
        sentence=f"{_name_largest(gaps, main)} {_say_ceiling(five, main)}",
        caution=small if figures[0].is_small else "",
        n_scored=figures[0].n_scored,
    )


def _find_problem(measures: tuple[str, ...], found: list[Figure | None], figures: list[Figure]) -> str:
    absent = [measure for measure, figure in zip(measures, found, strict=True) if figure is None]
    if absent:
        return f"the contract does not ask for {join_words(absent)} here"
    undefined = [f"{figure.measure} has no value ({figure.text})" for figure in figures if figure.estimate is None]
    if undefined:
        return join_words(undefined)
    if len({(figure.denominator_id, figure.n_scored) for figure in figures}) > 1:
        return "its figures rest on different denominators: " + ", ".join(
            f"{figure.measure} on {figure.n_scored} ({figure.denominator_id})" for figure in figures
        )
    one, five = (figure.estimate or 0.0 for figure in figures[:2])
    if five < one - NEAR:
        return f"{measures[1]} is below {measures[0]}, which cannot be; run 'eval-pipeline doctor'"
    return ""


def _stack(first: float, gaps: dict[str, float]) -> tuple[Segment, ...]:
    segments, start = [], 0.0
    for kind, label, share in (
        ("first", "first place suffices", first),
        ("ordering", "ordering gap", gaps["ordering"]),
        ("evidence", "evidence gap", gaps["evidence"]),
        ("reach", "reach gap", gaps["reach"]),
    ):
        segments.append(Segment(kind=kind, label=label, start=start, share=share, text=write_number(share)))
        start += share
    return tuple(segments)


def _name_largest(gaps: dict[str, float], main: str) -> str:
    largest = max(gaps.values())
    if largest <= NEAR:
        return "No gap: a page that suffices stands first for every question."
    names = [name for name, share in gaps.items() if largest - share <= NEAR]
    how = {"ordering": f"{main}@5 - {main}@1", "evidence": "supporting_only@5", "reach": "neither@5"}
    said = "; ".join(f"{_GAPS[name]} ({how[name]} = {write_number(gaps[name])})" for name in names)
    return f"Largest gap: {join_words(names)}. {said[0].upper()}{said[1:]}."


def _say_ceiling(five: float, main: str) -> str:
    return f"Ceiling on answers from evidence: {write_number(five)} ({main}@5)."
