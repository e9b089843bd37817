"""What the review pages and label files rest on, read from the ledger; and decisions recorded in it, one by one."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import polars as pl

from eval_pipeline.foundation.errors import InputError
from eval_pipeline.foundation.files import resolve_inside
from eval_pipeline.foundation.ids import content_id
from eval_pipeline.foundation.outputs import StageOutput
from eval_pipeline.foundation.settings import Settings
from eval_pipeline.foundation.tables.labels import CANDIDATE, LABEL
from eval_pipeline.judging.asking import add_verdict_ids
from eval_pipeline.labels import deciding
from eval_pipeline.labels.auditing import plan_audit
from eval_pipeline.labels.exchange.exporting import ExportGround
from eval_pipeline.labels.queues import ANSWERS_SCHEMA, lay_queues
from eval_pipeline.labels.rows import to_label_rows
from eval_pipeline.ledger.connection import session
from eval_pipeline.orchestration.assets.labels import in_slices
from eval_pipeline.orchestration.naming import title_of
from eval_pipeline.orchestration.question_sets import QuestionSet, judge_of, read_asked
from eval_pipeline.orchestration.reading import batch_in_force, page_reader, template_state
from eval_pipeline.orchestration.report_reading import source_of
from eval_pipeline.orchestration.resources import Project
from eval_pipeline.orchestration.run_reading import read_final_rankings
from eval_pipeline.report.review.basis import Decide, ModelAnswer, Pair, ReviewBasis, ReviewPage, ReviewQuestion
from eval_pipeline.runs.eligibility import Clearance, visible_units

ASSET = "labels"
WAIT_S = 2.0
"""A person waits at most this long for the ledger; the page keeps the decision and asks again."""


@dataclass(frozen=True, kw_only=True)
class LedgerDesk:
    """The ledger of one project behind the review pages (`report.review.basis.ReviewLedger`).

    Attributes:
        project: the project.
        clearance: who looks; None for somebody who may see everything.
    """

    project: Project
    clearance: Clearance | None

    def read_basis(self) -> ReviewBasis:
        """See `read_review`."""
        return read_review(self.project, clearance=self.clearance)

    def read_labels(self, question_ids: Collection[str], *, is_patient: bool = False) -> pl.DataFrame:
        """Rows of `labels.label` of these questions; waits as long as a run would where somebody is patient."""
        wait_s = Settings().ledger_wait_s if is_patient else WAIT_S
        with session(self.project.paths, wait_s=wait_s) as ledger:
            return ledger.read("labels/labels_of", frames={"wanted": _wanted(question_ids)})

    def record_label(self, question_id: str, decide: Decide) -> pl.DataFrame:
        """Read, decide and record in one session, so that nobody's label comes in between."""
        wanted = {"wanted": _wanted([question_id])}
        with session(self.project.paths, wait_s=WAIT_S) as ledger:
            made = decide(ledger.read("labels/labels_of", frames=wanted))
            ledger.record(
                output=StageOutput(tables={LABEL.name: to_label_rows(made)}),
                asset=ASSET,
                partition="review",
                code_version=deciding.CODE_VERSION,
                dagster_run_id=None,
                made_at=datetime.now(UTC),
            )
            return ledger.read("labels/labels_of", frames=wanted)

    def question_of(self, receipt_id: str) -> str | None:
        """The question of a receipt; None where there is no such receipt, or it is one of a set."""
        with session(self.project.paths, wait_s=WAIT_S) as ledger:
            found = ledger.find("receipts.receipt", "receipt_id", [receipt_id])
        return found.item(0, "question_id") if found.height else None


def read_review(project: Project, *, clearance: Clearance | None) -> ReviewBasis:
    """Questions in slices, their candidate pages by queue, and what judges said; nothing above the clearance.

    A question whose gold unit may not be seen is left out with it: its wording tells of that page. Before the first
    run there is nothing, which is no error.
    """
    if batch_in_force(project).is_empty() or template_state(project) is None:
        return _nothing(project)
    with project.together():
        asked = read_asked(project)
        units = project.read("corpus/units_in_force")
        shown = _visible(project, units, clearance)
        population = in_slices(asked)
        questions = _visible_questions(population, asked, shown)
        candidates = project.read("labels/candidates_of", frames={"wanted": questions.select("question_id")})
        candidates = candidates.join(shown, on="unit_id", how="semi")
        if candidates.is_empty():
            return _nothing(project)
        rankings = read_final_rankings(project).join(questions, on="question_id", how="semi")
        rankings = rankings.join(shown, on="unit_id", how="semi")
        pairs = pl.concat([frame.select("question_id", "unit_id") for frame in (candidates, rankings)]).unique()
        answers = _read_answers(project, pairs, questions, shown)
        texts = page_reader(project)(pairs["unit_id"].to_list())
    draw = plan_audit(n_questions=population.height, config=project.declared.labels)
    queued = lay_queues(
        candidates=candidates,
        rankings=rankings,
        drawn=[name for name in questions["question_id"] if draw.is_drawn(name)],
        answers=answers,
        k=largest_cut(project),
        seed=draw.seed,
    )
    whole = _whole_documents(units, shown)
    rows = shown.join(pairs, on="unit_id", how="semi").iter_rows(named=True)
    home = project.paths.home
    return ReviewBasis(
        **_names(project),
        queued=queued,
        questions={
            row["question_id"]: ReviewQuestion(**row)
            for row in questions.select("question_id", "text", "relation").iter_rows(named=True)
        },
        pages={
            row["unit_id"]: ReviewPage(
                unit_id=row["unit_id"],
                source=source_of(row),
                picture=home / row["picture_path"],
                text=texts[row["unit_id"]].text,
                document=_document(home, row["source_path"]) if row["document_id"] in whole else None,
            )
            for row in rows
        },
        answers=_by_pair(answers),
    )


def largest_cut(project: Project) -> int:
    """The largest k of the measures of labels at a cut-off (`sufficient@5`, ...); of any measure where there is none.

    Ranked averages such as ap@10 read further down; the audit holds what the headline reads.
    """
    names = [name for contract in project.contracts for name in contract.parsed_measures]
    headline = [name.cut for name in names if name.kind in ("sufficient", "acceptable", "supporting_only") and name.cut]
    return max(headline or [name.cut or 0 for name in names])


def _read_answers(project: Project, pairs: pl.DataFrame, questions: pl.DataFrame, units: pl.DataFrame) -> pl.DataFrame:
    """What each contract's judge said of each pair: see ANSWERS_SCHEMA."""
    keyed = pairs.join(questions.select("question_id", "text"), on="question_id").join(
        units.select("unit_id", "picture_hash", "text_hash"), on="unit_id"
    )
    frames = [pl.DataFrame(schema=ANSWERS_SCHEMA)]
    for name in sorted({contract.judgment.judge for contract in project.contracts}):
        judge = judge_of(project, name)
        wanted = {"wanted": questions.select("text")}
        said = project.read("judging/verdicts_of", frames=wanted, judge_id=judge.judge_id)
        for verb in ("label", "answers"):
            ids = add_verdict_ids(keyed, verb=verb, judge_id=judge.judge_id)
            found = ids.join(said.select("verdict_id", "verb", "outcome", "reason"), on="verdict_id")
            frames.append(found.with_columns(judge=pl.lit(name)).select(list(ANSWERS_SCHEMA)))
    return pl.concat(frames).unique().sort("question_id", "unit_id", "judge", "verb", descending=[False] * 3 + [True])


def _by_pair(answers: pl.DataFrame) -> Mapping[Pair, tuple[ModelAnswer, ...]]:
    found: dict[Pair, tuple[ModelAnswer, ...]] = {}
    for row in answers.iter_rows(named=True):
        pair = (row.pop("question_id"), row.pop("unit_id"))
        found[pair] = (*found.get(pair, ()), ModelAnswer(**row))
    return found


def _visible(project: Project, units: pl.DataFrame, clearance: Clearance | None) -> pl.DataFrame:
    if clearance is None:
        return units
    levels = project.declared.corpus.access.levels
    seen = visible_units(units=units, clearance=clearance, levels=levels)
    return units.filter(pl.col("unit_id").is_in(sorted(seen)))


def _visible_questions(questions: pl.DataFrame, asked: QuestionSet, shown: pl.DataFrame) -> pl.DataFrame:
    hidden = asked.gold.join(shown, on="unit_id", how="anti")
    return questions.join(hidden, on="question_id", how="anti").sort("question_id")


def _whole_documents(units: pl.DataFrame, shown: pl.DataFrame) -> frozenset[str]:
    """Documents of which every page may be shown."""
    hidden = units.join(shown, on="unit_id", how="anti")
    return frozenset(shown["document_id"].unique().to_list()) - frozenset(hidden["document_id"].unique().to_list())


def _document(home: Path, source_path: str) -> Path | None:
    try:
        return resolve_inside(home, source_path)
    except InputError:
        return None


def _names(project: Project) -> dict[str, str]:
    home = project.paths.home
    return {"title": title_of(project.paths, project.declared), "project_id": content_id("prj", home.as_posix())}


def _nothing(project: Project) -> ReviewBasis:
    queued = lay_queues(
        candidates=CANDIDATE.empty(),
        rankings=pl.DataFrame(
            schema={"question_id": pl.String, "variant_name": pl.String, "rank": pl.Int64, "unit_id": pl.String}
        ),
        drawn=(),
        answers=pl.DataFrame(schema=ANSWERS_SCHEMA),
        k=1,
        seed=0,
    )
    return ReviewBasis(**_names(project), queued=queued, questions={}, pages={}, answers={})


def _wanted(question_ids: Collection[str]) -> pl.DataFrame:
    return pl.DataFrame({"question_id": sorted(question_ids)}, schema={"question_id": pl.String})


def export_ground(basis: ReviewBasis, *, with_model: bool) -> ExportGround:
    """What rows of a label file are made from.

    Args:
        basis: what may be shown.
        with_model: whether the model's answers are told; labels given with them are not blind.
    """
    grades = {
        pair: {one.judge: one.outcome for one in said if one.verb == "label"} for pair, said in basis.answers.items()
    }
    return ExportGround(
        questions={one.question_id: (one.text, one.relation) for one in basis.questions.values()},
        pages={one.unit_id: (one.source, one.picture, one.text) for one in basis.pages.values()},
        answers=grades if with_model else {},
        is_blind=not with_model,
    )
