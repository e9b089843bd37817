"""One evaluation, laid out for the page."""

from collections.abc import Mapping
from dataclasses import dataclass

from eval_pipeline.metrics.parts import SHARED
from eval_pipeline.report.cards import CardView, ExampleView, show_example
from eval_pipeline.report.data import ALL, CorpusFacts, TaskSection
from eval_pipeline.report.diagnosis import Diagnosis, diagnose
from eval_pipeline.report.figures import Figure, FigureBook
from eval_pipeline.report.interval_rows import IntervalChart, chart_slice, chart_standing
from eval_pipeline.report.looks import MAX_TEMPLATES, HardnessRow, TemplateRow, lay_hardness, lay_templates
from eval_pipeline.report.pictures import PictureBook
from eval_pipeline.report.shares import (
    AgreementView,
    CountRow,
    ShareBar,
    count_rows,
    read_agreement,
    read_label_shares,
    read_losses,
)
from eval_pipeline.report.two_columns import TwoColumns, lay_two_columns
from eval_pipeline.report.waterfall import WaterfallView, lay_waterfall
from eval_pipeline.report.wording import explain_author, join_words
from eval_pipeline.tasks.relations.registry import get_relation

N_LEAD_NEGATIVES = 3


@dataclass(frozen=True, kw_only=True)
class TaskView:
    """One evaluation as the templates read it.

    Attributes:
        section: what was handed over.
        anchor: fragment of its heading.
        is_empty: whether there is nothing to evaluate.
        asks: the relation's question in words; empty where the contract names no relation.
        grades: (grade, meaning).
        declared: (key, value) of the contract.
        tables: two-column tables, one a variant.
        diagnoses: by variant, siblings and corpus.
        standing: variants and controls, one chart an arena.
        slices: charts of the declared slices that have figures.
        slices_missing: declared slices without any.
        funnel: counts.
        agreement: of the model and whoever audited.
        auditor: who audited, in words.
        label_shares: by variant.
        losses: by variant.
        waterfalls: where the evidence of lost questions was, by variant.
        examples: questions with pictures.
        listed: figures whose ids are printed.
        parts: figures of parts of their questions; each carries the id of the figure that it is a part of.
        n_unlisted: further figures of the evaluation.
        late: variants whose run is older than the contract.
        hardness: where the negatives stand by similarity to gold, by axis.
        by_template: whether looks alone reject the negatives of a template; those that they do first.
        n_templates_left: further templates.
    """

    section: TaskSection
    anchor: str
    is_empty: bool
    asks: str
    grades: tuple[tuple[str, str], ...]
    declared: tuple[tuple[str, str], ...]
    tables: tuple[TwoColumns, ...]
    diagnoses: tuple[tuple[str, tuple[Diagnosis, ...]], ...]
    standing: tuple[IntervalChart, ...]
    slices: tuple[IntervalChart, ...]
    slices_missing: tuple[str, ...]
    funnel: tuple[CountRow, ...]
    agreement: AgreementView
    auditor: str
    label_shares: tuple[ShareBar, ...]
    losses: tuple[tuple[str, tuple[CountRow, ...]], ...]
    waterfalls: tuple[WaterfallView, ...]
    examples: tuple[ExampleView, ...]
    listed: tuple[Figure, ...]
    parts: tuple[Figure, ...]
    n_unlisted: int
    late: tuple[str, ...]
    hardness: tuple[HardnessRow, ...]
    by_template: tuple[TemplateRow, ...]
    n_templates_left: int

    @property
    def lead_cards(self) -> tuple[CardView, ...]:
        """Gold and the first pages that look like it, of the first question that has both; else empty."""
        for view in self.examples:
            if view.gold is not None and view.negatives:
                return (view.gold, *view.negatives[:N_LEAD_NEGATIVES])
        return ()


def lay_task(section: TaskSection, *, anchor: str, corpus: CorpusFacts, pictures: PictureBook) -> TaskView:
    """Lay out one evaluation.

    Raises:
        LineageError: a frame does not fit its schema, or a figure contradicts itself.
    """
    stored = FigureBook.from_frame(section.figures)
    book = stored if section.headline is None else FigureBook.from_frame(section.headline)
    variants = book.name_variants(controls=False)
    main = "acceptable" if _slice_of(section) == "under-specified" else "sufficient"
    slices = _chart_slices(book, f"{main}@1", section.slice_names)
    listed = _list_figures(stored, slices)
    relation = get_relation(str(section.contract["relation"])) if "relation" in section.contract else None
    charted = {chart.title for chart in slices}
    by_template = lay_templates(section.by_template, section.slice_names)
    return TaskView(
        section=section,
        anchor=anchor,
        is_empty=book.n_questions == 0,
        asks=relation.asks if relation else "",
        grades=tuple(relation.grades.items()) if relation else (),
        declared=tuple((str(key), _spell(value)) for key, value in section.contract.items()),
        tables=tuple(
            lay_two_columns(book, variant=name, encoder=_encoder_of(section, name, corpus), main=main)
            for name in variants
        ),
        diagnoses=_diagnose_all(book, variants, main),
        standing=_chart_standing(book, main),
        slices=slices,
        slices_missing=tuple(name for name in _declared_slices(section, book) if name not in charted),
        funnel=count_rows(section.funnel),
        agreement=read_agreement(section.agreement),
        auditor=join_words([explain_author(kind) for kind in section.audited_by]) if section.audited_by else "person",
        label_shares=read_label_shares(section.label_shares),
        losses=read_losses(section.losses),
        waterfalls=tuple(lay_waterfall(found, section.slice_names) for found in section.waterfalls),
        examples=tuple(show_example(example, pictures) for example in section.examples),
        listed=listed,
        parts=tuple(figure for figure in book.figures if figure.slice in (ALL, SHARED) and figure not in listed),
        n_unlisted=len(stored.figures) - len(listed),
        late=tuple(dict.fromkeys(figure.variant for figure in book.figures if figure.is_late)),
        hardness=lay_hardness(section.hardness),
        by_template=by_template[:MAX_TEMPLATES],
        n_templates_left=max(0, len(by_template) - MAX_TEMPLATES),
    )


UNTRAINED = "(untrained)"


def name_encoder(corpus: CorpusFacts) -> str:
    """Name of the corpus encoder, `(untrained)` beside it where it is."""
    is_said = corpus.is_trained or corpus.encoder.endswith(UNTRAINED)
    return corpus.encoder if is_said else f"{corpus.encoder} {UNTRAINED}"


def _encoder_of(section: TaskSection, variant: str, corpus: CorpusFacts) -> str:
    name = section.variant_encoders.get(variant)
    return name_encoder(corpus) if name == corpus.encoder else name or ""


def _slice_of(section: TaskSection) -> str:
    questions = section.contract.get("questions")
    return str(questions.get("slice", "")) if isinstance(questions, Mapping) else str(questions or "")


def _declared_slices(section: TaskSection, book: FigureBook) -> tuple[str, ...]:
    declared = section.contract.get("slices")
    names = [str(name) for name in declared] if isinstance(declared, (list, tuple)) else []
    return tuple(dict.fromkeys([*names, *book.name_slices()]))


def _diagnose_all(
    book: FigureBook, variants: tuple[str, ...], main: str
) -> tuple[tuple[str, tuple[Diagnosis, ...]], ...]:
    arenas = [arena for arena in ("siblings", "corpus") if any(figure.arena == arena for figure in book.figures)]
    return tuple(
        (name, tuple(diagnose(book, variant=name, arena=arena, main=main) for arena in arenas))
        for name in variants
        if arenas
    )


def _chart_standing(book: FigureBook, main: str) -> tuple[IntervalChart, ...]:
    wanted = (("random", "top@1"), ("siblings", f"{main}@1"), ("corpus", f"{main}@1"))
    charts = (chart_standing(book, arena=arena, measure=measure) for arena, measure in wanted)
    return tuple(chart for chart in charts if chart is not None)


def _chart_slices(book: FigureBook, measure: str, names: Mapping[str, str]) -> tuple[IntervalChart, ...]:
    charts = []
    for name in book.name_slices():
        for arena in ("siblings", "corpus"):
            chart = chart_slice(book, slice_name=name, arena=arena, measure=measure, names=names)
            if chart is not None:
                charts.append(chart)
                break
    return tuple(charts)


def _list_figures(book: FigureBook, slices: tuple[IntervalChart, ...]) -> tuple[Figure, ...]:
    whole = tuple(figure for figure in book.figures if figure.slice == ALL)
    return whole + tuple(row.figure for chart in slices for _, rows in chart.groups for row in rows)


def _spell(value: object) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{key}: {_spell(item)}" for key, item in value.items()) or "none"
    if isinstance(value, (list, tuple)):
        return ", ".join(_spell(item) for item in value) or "none"
    return "none" if value is None else str(value)
