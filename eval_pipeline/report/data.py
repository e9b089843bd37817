"""What the report is handed: frames and records, complete, with nothing left to look up."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

import polars as pl

from eval_pipeline.foundation.errors import LineageError
from eval_pipeline.foundation.frames import Table, flag, integer, real, text
from eval_pipeline.labels.agreement import Agreement
from eval_pipeline.negatives.coverage import AxisCoverage
from eval_pipeline.report.candidates import CandidateTable
from eval_pipeline.report.waterfall import Waterfall

ALL = "all"
"""Name and value of the slice that holds every question."""

FIGURE = Table(
    name="report.figure",
    grain="one row per variant x arena x slice x slice value x measure",
    key=("variant", "arena", "slice", "slice_value", "measure"),
    columns=(
        text("metric_id", "Id of the figure: what `eval-pipeline trace` takes."),
        text("variant", "Name of the variant or control."),
        flag("is_control", "True for controls."),
        text("arena", "Arena."),
        text("slice", "Declared slice, `all` for the whole set."),
        text("slice_value", "Value of the slice, `all` for the whole set."),
        text("measure", "Measure."),
        real("estimate", "Mean over questions with a value; null with a reason.", nullable=True),
        text("reason", "`scored`, or why there is no estimate."),
        real("low", "Lower end of the interval; null with an interval reason.", nullable=True),
        real("high", "Upper end of the interval; null with an interval reason.", nullable=True),
        text("interval", "Method, or why there is no interval."),
        integer("n_questions", "Questions in the slice."),
        integer("n_scored", "Of these, with a value: the denominator."),
        integer("n_candidates_min", "Units in the smallest arena; null where it is not known.", nullable=True),
        integer("n_candidates_max", "Units in the largest one; null where it is not known.", nullable=True),
        text("policy_counts", "Questions that each policy touched, as a JSON mapping."),
        real("chance", "Value of a coin of the arena's sizes; null where it has no meaning.", nullable=True),
        text("denominator_id", "Hash of question set, arena, corpus snapshot, label snapshot and contract."),
        flag("is_late", "True when the contract was registered after the run's first ranking."),
    ),
)

LOSS = Table(
    name="report.loss",
    grain="one row per variant x stage",
    key=("variant", "stage"),
    columns=(
        text("variant", "Variant."),
        text("stage", "First stage after which no provider holds a sufficient unit; rows come in stage order."),
        integer("n", "Questions that were lost there."),
    ),
)

LABEL_SHARE = Table(
    name="report.label_share",
    grain="one row per variant x author kind",
    key=("variant", "author_kind"),
    columns=(
        text("variant", "Variant."),
        text("author_kind", "Who labelled; `unjudged` for units without a label."),
        integer("n", "Units in the first k that carry such a label."),
    ),
)

QUARANTINED = Table(
    name="report.quarantined",
    grain="one row per refused thing",
    key=("source_path", "place", "reason", "next_step"),
    columns=(
        text("source_path", "File, relative to the project folder."),
        text("place", "Row, page or key inside it; empty for the whole file."),
        text("reason", "Short reason."),
        text("next_step", "What to do about it."),
    ),
)

_DEFAULTS: Mapping[str, object] = {"n_candidates_min": None, "n_candidates_max": None, "is_late": False}


def fit_frame(frame: pl.DataFrame, table: Table) -> pl.DataFrame:
    """The columns of a schema, in its order and types; further columns are left out, rows keep their order.

    Args:
        frame: rows as a query gave them; arena sizes and `is_late` may be absent, integers may be of any width.
        table: what is needed.

    Raises:
        LineageError: a column is missing or of another type, a rule is broken or a key repeats; names the column.
    """
    absent = [name for name in table.schema if name not in frame.columns and name in _DEFAULTS]
    frame = frame.with_columns(pl.lit(_DEFAULTS[name]).alias(name) for name in absent)
    missing = [name for name in table.schema if name not in frame.columns]
    if missing:
        message = f"{table.name}: columns {', '.join(missing)} are missing; found {', '.join(frame.columns)}"
        raise LineageError(message)
    try:
        fitting = frame.select(pl.col(name).cast(dtype) for name, dtype in table.schema.items())
    except pl.exceptions.PolarsError as error:
        message = f"{table.name}: a column cannot be read as its type: {error}"
        raise LineageError(message) from error
    return table.validate(fitting)


@dataclass(frozen=True, kw_only=True, eq=False)
class PageCard:
    """One unit as it is shown.

    Attributes:
        unit_id: the unit.
        caption: what it is in a few words; also what a screen reader says.
        picture: file of its picture; None where there is none.
        source: where it is from, such as `file.pdf p. 3`.
        axis: axis on which it differs from gold; None for gold and for what came back.
        grade: label in force; None where it has none.
        author_kind: who labelled it; None without a label.
        reason: why it was labelled so; None where nobody said.
        rank: 1-based place; among the negatives of its axis, or in the ranking; None for gold.
        receipt_id: receipt to trace; None where there is none.
    """

    unit_id: str
    caption: str
    picture: Path | None
    source: str
    axis: str | None = None
    grade: str | None = None
    author_kind: str | None = None
    reason: str | None = None
    rank: int | None = None
    receipt_id: str | None = None


@dataclass(frozen=True, kw_only=True, eq=False)
class QuestionExample:
    """One question with its pictures.

    Attributes:
        question_id: the question.
        text: as a retriever got it.
        slice: `main`, `under-specified` or `regression`.
        gold: the unit that it was written from, or the first that people named as evidence; None without one.
        negatives: its hard negatives, in declared order of axes, then rank.
        returned: by variant, what came back, in order of rank.
        is_given: whether people brought the question and named its evidence.
        more_gold: further units that people named.
        verdict: what became of it when its hard negatives were asked as well, in words; may be empty.
        candidates: whether each page looks like the answer and whether it contains it; None where nobody asked.
    """

    question_id: str
    text: str
    slice: str
    gold: PageCard | None
    negatives: tuple[PageCard, ...]
    returned: Mapping[str, tuple[PageCard, ...]]
    is_given: bool = False
    more_gold: tuple[PageCard, ...] = ()
    verdict: str = ""
    candidates: CandidateTable | None = None


@dataclass(frozen=True, kw_only=True, eq=False)
class TaskSection:
    """One evaluation under one contract.

    Attributes:
        contract: the contract's content, as declared.
        contract_id: its id.
        evaluation_id: the evaluation.
        figures: see FIGURE; variants in the order to show them.
        funnel: counts from written to well posed, in the order to show them; empty where none was counted.
        agreement: of model and person, or the reason why there is none.
        losses: see LOSS.
        label_shares: see LABEL_SHARE.
        examples: questions to show.
        variant_encoders: name of the encoder, by variant that ranks with one.
        stamps: what every figure of this evaluation must carry, such as a failed control check.
        headline: the figures as they are laid out, see `metrics.parts.separate`; None for `figures` as they are.
        audited_by: kinds of author behind the audit; empty where nobody adjudicated.
        slice_names: readable names of values of the slice `template`.
        hardness: see `negatives.hardness.HARDNESS`; None where nobody measured.
        by_template: see `metrics.rejectable.BY_TEMPLATE`, in the order to show them; None where nobody measured.
        looks: what control-appearance says of the negatives as a whole, in words; may be empty.
        waterfalls: where the evidence of lost questions was, by variant.
    """

    contract: Mapping[str, object]
    contract_id: str
    evaluation_id: str
    figures: pl.DataFrame
    funnel: Mapping[str, int]
    agreement: Agreement | Mapping[str, object] | str
    losses: pl.DataFrame
    label_shares: pl.DataFrame
    examples: tuple[QuestionExample, ...] = ()
    variant_encoders: Mapping[str, str] = field(default_factory=dict)
    stamps: tuple[str, ...] = ()
    headline: pl.DataFrame | None = None
    audited_by: tuple[str, ...] = ()
    slice_names: Mapping[str, str] = field(default_factory=dict)
    hardness: pl.DataFrame | None = None
    by_template: pl.DataFrame | None = None
    looks: str = ""
    waterfalls: tuple[Waterfall, ...] = ()

    @property
    def name(self) -> str:
        """Name of the task."""
        return str(self.contract.get("task", "task without a name"))


@dataclass(frozen=True, kw_only=True, eq=False)
class TemplateSheet:
    """Some pages of one template, side by side.

    Attributes:
        template_id: the template.
        n_units: pages that it has in all.
        cards: the pages shown.
        name: readable name; empty where there is none.
    """

    template_id: str
    n_units: int
    cards: tuple[PageCard, ...]
    name: str = ""


@dataclass(frozen=True, kw_only=True, eq=False)
class CorpusFacts:
    """What was read.

    Attributes:
        n_documents: documents in force.
        n_pages: units in force.
        n_quarantined: things refused.
        quarantine: see QUARANTINED; sorted as it is to be shown.
        batch_id: corpus snapshot; None where nothing has arrived.
        n_templates: templates announced.
        encoder: name of the encoder of templates and negatives.
        is_trained: False where its weights are random; it is then shown as `(untrained)` wherever it is named.
        coverage: how many pages have the facets that the axes need; None where nobody counted.
    """

    n_documents: int
    n_pages: int
    n_quarantined: int
    quarantine: pl.DataFrame
    batch_id: str | None
    n_templates: int
    encoder: str
    is_trained: bool
    coverage: AxisCoverage | None = None


@dataclass(frozen=True, kw_only=True, eq=False)
class ReportData:
    """Everything that the report shows.

    Attributes:
        project: what the report is of: its title.
        made_at_utc: shown at the top; aware, UTC.
        corpus: what was read.
        tasks: evaluations, in the order to show them.
        templates: contact sheets.
        stamps: what the whole report must carry.
    """

    project: str
    made_at_utc: datetime
    corpus: CorpusFacts
    tasks: tuple[TaskSection, ...]
    templates: tuple[TemplateSheet, ...] = ()
    stamps: tuple[str, ...] = ()
