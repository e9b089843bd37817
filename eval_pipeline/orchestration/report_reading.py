"""What the report shows, read from the ledger."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import polars as pl

from eval_pipeline.corpus.arrivals import arrivals_id_of
from eval_pipeline.corpus.standing import standing_refusals
from eval_pipeline.foundation.ids import hash_unit
from eval_pipeline.foundation.protocols import UnitVectors
from eval_pipeline.labels.agreement import Agreement, audit_agreement
from eval_pipeline.labels.auditing import plan_audit
from eval_pipeline.labels.rows import PERSON_KINDS
from eval_pipeline.metrics.parts import main_measure, separate
from eval_pipeline.metrics.rejectable import judge_rejectability, tabulate_by_template
from eval_pipeline.negatives.coverage import count_coverage
from eval_pipeline.orchestration.assets.labels import in_slices
from eval_pipeline.orchestration.candidate_reading import (
    lay_tables,
    read_candidates,
    read_hardness,
    read_visible_vectors,
)
from eval_pipeline.orchestration.checks.metrics import tell
from eval_pipeline.orchestration.contact_sheets import choose_sheets
from eval_pipeline.orchestration.control_reading import read_control_values
from eval_pipeline.orchestration.evaluating import Ground, lay_ground
from eval_pipeline.orchestration.loss_reading import read_waterfalls
from eval_pipeline.orchestration.naming import caption_of, read_template_names, source_of, title_of
from eval_pipeline.orchestration.question_sets import judge_of, read_asked
from eval_pipeline.orchestration.reading import batch_in_force, members_in_force
from eval_pipeline.orchestration.resources import Project
from eval_pipeline.orchestration.run_reading import read_rankings, run_file_ids, visible_to_all
from eval_pipeline.questions.importing import lookup_ids
from eval_pipeline.report.candidates import CandidateTable
from eval_pipeline.report.data import CorpusFacts, PageCard, QuestionExample, ReportData, TaskSection, TemplateSheet
from eval_pipeline.tasks.contracts import Contract

__all__ = ["caption_of", "read_report", "source_of"]

N_EXAMPLES = 6
N_RETURNED = 5
N_CARDS = 6
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def read_report(project: Project) -> ReportData:
    """Everything on the report; times are those of the evaluation, so that the same evaluation gives the same page."""
    members = members_in_force(project)
    shown = members.filter(pl.col("unit_id").is_in(sorted(visible_to_all(project, members))))
    names = read_template_names(project, shown)
    sections, made = [], []
    for contract in project.contracts:
        section, made_at = _read_section(project, contract, names)
        sections.append(section)
        made.append(made_at)
    return ReportData(
        project=title_of(project.paths, project.declared),
        made_at_utc=max(made, default=EPOCH).astimezone(UTC),
        corpus=_read_corpus(project),
        tasks=tuple(sections),
        templates=_read_sheets(project, shown, names),
    )


def _read_corpus(project: Project) -> CorpusFacts:
    with project.session() as ledger:
        documents = ledger.read("corpus/documents_in_force")
        units = ledger.read("corpus/units_in_force")
        quarantine = ledger.table("corpus.quarantine")
    head, encoder = batch_in_force(project), project.encoder()
    home, declared = project.paths.home, project.declared
    batch_id = head.item(0, "batch_id") if head.height else None
    looked_up = lookup_ids(home=home, config=declared, batch_id=batch_id)
    in_force = {arrivals_id_of(batch_id, declared), *looked_up, *(run_file_ids(project) if batch_id else [])}
    refused = standing_refusals(quarantine=quarantine, documents=documents, in_force=in_force, home=home)
    refused = refused.filter(~pl.col("is_warning"))
    shown = refused.select("source_path", "place", "reason", "next_step").unique(maintain_order=True)
    return CorpusFacts(
        n_documents=documents.height,
        n_pages=units.height,
        n_quarantined=refused.height,
        quarantine=shown,
        batch_id=batch_id,
        n_templates=members_in_force(project)["template_id"].n_unique(),
        encoder=encoder.name,
        is_trained=encoder.is_trained,
        coverage=count_coverage(units["facets"].to_list(), declared.axes),
    )


def _read_section(project: Project, contract: Contract, names: Mapping[str, str]) -> tuple[TaskSection, datetime]:
    ground = lay_ground(project, contract)
    with project.session() as ledger:
        mine = ledger.read("metrics/evaluation", params={"evaluation_id": ground.basis.evaluation_id})
        figures = ledger.read("metrics/figures_of", params={"evaluation_id": ground.basis.evaluation_id})
        losses = ledger.read("receipts/losses_of", params={"evaluation_id": ground.basis.evaluation_id})
        values = ledger.read("receipts/values_of", params={"evaluation_id": ground.basis.evaluation_id})
    ranked = _read_returned(project, ground)
    encoder, vectors = project.encoder(), read_visible_vectors(project, ground)
    controls = read_control_values(project, ground)
    agreement, audited_by = _read_agreement(project, contract, ground)
    section = TaskSection(
        contract=contract.content,
        contract_id=contract.contract_id,
        evaluation_id=ground.basis.evaluation_id,
        figures=figures,
        funnel=ground.funnel,
        agreement=agreement,
        audited_by=audited_by,
        headline=separate(figures, values, main=main_measure(figures["measure"]), resampling=contract.resampling),
        slice_names=names,
        losses=losses,
        waterfalls=read_waterfalls(project, ground),
        label_shares=_share_labels(ranked, ground),
        examples=_choose_examples(project, ground, ranked, vectors),
        variant_encoders={run.variant.name: encoder.name for run in ground.runs if run.variant.encoder_id is not None},
        stamps=tuple(json.loads(mine.item(0, "stamps"))) if mine.height else (),
        hardness=read_hardness(ground, vectors),
        by_template=tabulate_by_template(controls, resampling=contract.resampling),
        looks=tell(judge_rejectability(controls, resampling=contract.resampling)),
    )
    return section, mine.item(0, "made_at_utc") if mine.height else EPOCH


def _read_returned(project: Project, ground: Ground) -> pl.DataFrame:
    """First places of the final list of every variant: variant, question_id, rank, unit_id."""
    frames = []
    for run in ground.runs:
        if run.variant.is_control:
            continue
        ranked, _ = read_rankings(project, run)
        final = ranked.filter((pl.col("stage") == "final") & (pl.col("rank") <= N_RETURNED))
        frames.append(final.select(pl.lit(run.variant.name).alias("variant"), "question_id", "rank", "unit_id"))
    empty = pl.DataFrame(
        schema={"variant": pl.String, "question_id": pl.String, "rank": pl.Int64, "unit_id": pl.String}
    )
    return pl.concat([empty, *frames]).sort("variant", "question_id", "rank")


def _main(ground: Ground) -> pl.DataFrame:
    rows = ground.asked.posed.filter(pl.col("slice") == ground.contract.questions.slice)
    return (
        rows.select("question_id", "slice", verdict="reason")
        .join(ground.asked.questions, on="question_id")
        .sort("question_id")
    )


def _share_labels(ranked: pl.DataFrame, ground: Ground) -> pl.DataFrame:
    kinds = ground.labels.select("question_id", "unit_id", "author_kind")
    return (
        ranked.join(_main(ground), on="question_id", how="semi")
        .join(kinds, on=["question_id", "unit_id"], how="left")
        .with_columns(pl.col("author_kind").fill_null("unjudged"))
        .group_by("variant", "author_kind")
        .agg(n=pl.len().cast(pl.Int64))
        .sort("variant", "author_kind")
    )


def _read_agreement(project: Project, contract: Contract, ground: Ground) -> tuple[Agreement | str, tuple[str, ...]]:
    """Agreement on the audit, and the kinds of author who adjudicated it."""
    judge, questions = judge_of(project, contract.judgment.judge), in_slices(ground.asked)
    population = in_slices(read_asked(project))
    draw = plan_audit(n_questions=population.height, config=project.declared.labels)
    with project.session() as ledger:
        labels = ledger.read("labels/labels_of", frames={"wanted": questions.select("question_id")})
        audit = ledger.table("labels.audit_question").filter(pl.col("settings_id") == draw.settings_id)
    audit = audit.join(questions, on="question_id", how="semi")
    if audit.is_empty():
        return "no audit was drawn", ()
    adjudicated = labels.filter(pl.col("author_kind").is_in(list(PERSON_KINDS)) & pl.col("is_blind"))
    kinds = adjudicated.join(audit.filter("is_drawn"), on="question_id", how="semi")["author_kind"].unique().sort()
    found = audit_agreement(labels=labels, audit=audit, judge_name=judge.name, judge_id=judge.judge_id)
    return found, tuple(kinds)


def _choose_examples(
    project: Project, ground: Ground, ranked: pl.DataFrame, vectors: UnitVectors
) -> tuple[QuestionExample, ...]:
    """A hash sample of questions with hard negatives, most axes first, each from another template where it can be."""
    rows = _main(ground).join(ground.pools, on="question_id", how="semi").to_dicts()
    cards = _Cards(project, ground)
    rows = [row for row in rows if cards.shows_gold(row["question_id"])]
    n_axes = dict(
        ground.arenas.filter(pl.col("arena") == "siblings")
        .group_by("question_id")
        .agg(n=pl.col("axis").drop_nulls().n_unique())
        .iter_rows()
    )
    rows.sort(
        key=lambda row: (
            -n_axes.get(row["question_id"], 0),
            hash_unit(0, "example", row["question_id"]),
            row["question_id"],
        )
    )
    seen: set[str | None] = set()
    first: list[dict[str, Any]] = []
    rest: list[dict[str, Any]] = []
    for row in rows:
        (rest if row["template_id"] in seen else first).append(row)
        seen.add(row["template_id"])
    chosen = [*first, *rest][:N_EXAMPLES]
    asked = [row["question_id"] for row in chosen]
    tables = lay_tables(project, ground, read_candidates(project, ground, vectors, asked))
    return tuple(_to_example(row, ground, ranked, cards, tables.get(row["question_id"])) for row in chosen)


def _to_example(
    row: Mapping[str, Any], ground: Ground, ranked: pl.DataFrame, cards: "_Cards", table: CandidateTable | None
) -> QuestionExample:
    question_id = row["question_id"]
    gold = ground.asked.gold.filter(pl.col("question_id") == question_id).sort("position")["unit_id"].to_list()
    arena = ground.arenas.filter(
        (pl.col("question_id") == question_id) & (pl.col("arena") == "siblings") & pl.col("axis").is_not_null()
    )
    arena = arena.sort(pl.col("axis").replace_strict(cards.places, default=len(cards.places)), "axis", "rank")
    returned = {
        variant: tuple(
            cards.make(question_id, unit_id, rank=rank)
            for rank, unit_id in part.select("rank", "unit_id").iter_rows()
            if unit_id in cards.visible
        )
        for (variant,), part in ranked.filter(pl.col("question_id") == question_id).group_by(
            "variant", maintain_order=True
        )
    }
    return QuestionExample(
        question_id=question_id,
        text=row["text"],
        slice=row["slice"],
        gold=cards.make(question_id, gold[0]) if gold else None,
        more_gold=tuple(cards.make(question_id, unit_id) for unit_id in gold[1:] if unit_id in cards.visible),
        verdict=row["verdict"] or "",
        is_given=row["origin"] not in ("written", "qualified"),
        negatives=tuple(
            cards.make(question_id, unit_id, axis=axis, rank=rank)
            for unit_id, axis, rank in arena.select("unit_id", "axis", "rank").iter_rows()
            if unit_id in cards.visible
        ),
        returned={str(variant): found for variant, found in returned.items()},
        candidates=table,
    )


class _Cards:
    """Makes cards of units as they stand to a question; only units that every contract's asker may see are shown."""

    def __init__(self, project: Project, ground: Ground) -> None:
        self._home = project.paths.home
        self.visible = visible_to_all(project, ground.units)
        gold = ground.asked.gold.filter(pl.col("position") == 1)
        self._gold = dict(gold.select("question_id", "unit_id").iter_rows())
        self._units = {row["unit_id"]: row for row in ground.units.iter_rows(named=True)}
        self._labels = {(row["question_id"], row["unit_id"]): row for row in ground.labels.iter_rows(named=True)}
        self._reasons = _read_reasons(project, ground)
        self.places = {axis: place for place, axis in enumerate(project.declared.axes)}

    def shows_gold(self, question_id: str) -> bool:
        """Whether the first gold unit of a question may be shown; True for a question without one."""
        return self._gold.get(question_id) is None or self._gold[question_id] in self.visible

    def make(self, question_id: str, unit_id: str, *, axis: str | None = None, rank: int | None = None) -> PageCard:
        unit, label = self._units[unit_id], self._labels.get((question_id, unit_id), {})
        return PageCard(
            unit_id=unit_id,
            caption=caption_of(unit, tuple(self.places)),
            picture=self._home / unit["picture_path"],
            source=source_of(unit),
            axis=axis,
            grade=label.get("grade"),
            author_kind=label.get("author_kind"),
            reason=self._reasons.get(label.get("label_id", "")),
            rank=rank,
        )


def _read_reasons(project: Project, ground: Ground) -> dict[str, str]:
    """Why a label was given, by label id."""
    every = project.read("labels/labels_of", frames={"wanted": ground.asked.questions.select("question_id")})
    return dict(every.select("label_id", "reason").drop_nulls().iter_rows())


def _read_sheets(project: Project, members: pl.DataFrame, names: Mapping[str, str]) -> tuple[TemplateSheet, ...]:
    sheets = []
    for template_id, n_units in choose_sheets(members, project.declared.axes):
        rows = members.filter(pl.col("template_id") == template_id).to_dicts()
        rows.sort(key=lambda row: (hash_unit(0, "sheet", row["unit_id"]), row["unit_id"]))
        rows = sorted(rows[:N_CARDS], key=lambda row: (row["source_path"], row["page_number"] or 0, row["unit_id"]))
        cards = tuple(
            PageCard(
                unit_id=row["unit_id"],
                caption=caption_of(row, project.declared.axes),
                picture=project.paths.home / row["picture_path"],
                source=source_of(row),
            )
            for row in rows
        )
        name = names.get(template_id, "")
        sheets.append(TemplateSheet(template_id=template_id, n_units=n_units, cards=cards, name=name))
    return tuple(sheets)
