"""Put together what the figures of one contract rest on, and score every run under it."""

from dataclasses import dataclass

import polars as pl

from eval_pipeline.foundation.errors import LineageError
from eval_pipeline.foundation.ids import set_id
from eval_pipeline.foundation.outputs import StageOutput, merge_outputs
from eval_pipeline.foundation.protocols import Judge
from eval_pipeline.labels.effective import add_status
from eval_pipeline.labels.in_force import label_snapshot_id, labels_in_force
from eval_pipeline.labels.waiting import pairs_without_verdict
from eval_pipeline.orchestration.arena_reading import read_negatives
from eval_pipeline.orchestration.question_sets import QuestionSet, judge_of, read_question_set
from eval_pipeline.orchestration.reading import corpus_snapshot, template_state
from eval_pipeline.orchestration.resources import Project
from eval_pipeline.orchestration.run_reading import (
    RunInForce,
    read_lists,
    read_rankings,
    read_run_arenas,
    runs_in_force,
    visible_to,
)
from eval_pipeline.questions.funnel import count_funnel
from eval_pipeline.receipts.building import build_receipts
from eval_pipeline.receipts.cohort import Cohort, choose_cohort
from eval_pipeline.receipts.evaluation import Basis, question_set_id_of
from eval_pipeline.tasks.contracts import Contract


@dataclass(frozen=True, kw_only=True)
class Ground:
    """Everything that is the same for every run of one contract.

    Attributes:
        contract: contract.
        asked: question set in force.
        cohort: who counts where.
        arenas: candidates with axis and rank.
        labels: labels in force.
        joint_sets: jointly sufficient sets.
        waiting: pairs whose judge has not answered.
        units: units in force.
        pools: question_id, pool_id.
        runs: runs in force.
        basis: what it all amounts to.
    """

    contract: Contract
    asked: QuestionSet
    cohort: Cohort
    arenas: pl.DataFrame
    labels: pl.DataFrame
    joint_sets: pl.DataFrame
    waiting: pl.DataFrame
    units: pl.DataFrame
    pools: pl.DataFrame
    runs: list[RunInForce]
    basis: Basis

    @property
    def funnel(self) -> dict[str, int]:
        """Counts from written to well posed."""
        return count_funnel(self.asked.posed, self.asked.questions)


def lay_ground(project: Project, contract: Contract) -> Ground:
    """Read what one contract's figures rest on, in one session."""
    with project.together():
        return _lay_ground(project, contract)


def _lay_ground(project: Project, contract: Contract) -> Ground:
    judge = judge_of(project, contract.judgment.judge)
    asked = read_question_set(project, judge=judge, policy=contract.policies.answerable_distractor)
    units = project.read("corpus/units_in_force")
    run_arenas, negatives = read_run_arenas(project, contract), read_negatives(project, asked)
    found = _read_labels(project, asked, units, judge)
    cohort = choose_cohort(
        contract=contract,
        questions=asked.questions,
        posed=asked.posed,
        gold=asked.gold,
        units=units,
        negatives=negatives,
        effective=_effective(project, asked),
        visible=visible_to(project, contract, units),
    )
    runs = runs_in_force(project, run_arenas, contract)
    state = template_state(project)
    basis = Basis(
        contract_id=contract.contract_id,
        batch_id=corpus_snapshot(project)[0],
        label_snapshot_id=label_snapshot_id(found["labels"]),
        question_set_id=question_set_id_of(cohort.questions, cohort.excluded),
        retrieval_run_ids=tuple(run.retrieval_run_id for run in runs),
        template_version_id=state.template_version_id if state else None,
        waiting_id=_name_rows(found["waiting"]),
        answered_id=_name_rows(pl.concat([_answered(project, run) for run in runs])),
    )
    pools = negatives.select("question_id", "pool_id").unique().sort("question_id")
    return Ground(
        contract=contract,
        asked=asked,
        cohort=cohort,
        arenas=run_arenas.join(asked.questions, on="question_id", how="semi"),
        units=units,
        pools=pools,
        runs=runs,
        basis=basis,
        **found,
    )


def _answered(project: Project, run: RunInForce) -> pl.DataFrame:
    return read_lists(project, run).select("ranking_id", "question_id", "stage")


def _name_rows(rows: pl.DataFrame) -> str:
    return set_id("rows", ("\x1f".join(row) for row in rows.iter_rows()))


def _read_labels(project: Project, asked: QuestionSet, units: pl.DataFrame, judge: Judge) -> dict[str, pl.DataFrame]:
    wanted = {"wanted": asked.questions.select("question_id")}
    with project.session() as ledger:
        every = ledger.read("labels/labels_of", frames=wanted)
        candidates = ledger.read("labels/candidates_of", frames=wanted)
        verdicts = ledger.read(
            "judging/verdicts_of",
            frames={"wanted": asked.questions.select("text")},
            params={"judge_id": judge.judge_id},
        )
        joint_sets = ledger.read("labels/joint_sets_of", frames=wanted)
    waiting = pairs_without_verdict(
        candidates=candidates, questions=asked.questions, units=units, verdicts=verdicts, judge_id=judge.judge_id
    )
    in_force = labels_in_force(labels=every, judge_name=judge.name, judge_id=judge.judge_id)
    return {"labels": in_force, "joint_sets": joint_sets, "waiting": waiting}


def _effective(project: Project, asked: QuestionSet) -> pl.DataFrame:
    """Effective pools of the questions in force: the row of the pool and the promotions that hold now."""
    with project.session() as ledger:
        every = ledger.table("labels.effective_pool")
    mine = asked.posed.select("question_id", "pool_id", "promoted_unit_ids")
    rows = every.join(mine, on=["question_id", "pool_id", "promoted_unit_ids"], how="semi")
    return add_status(rows, min_negatives=project.declared.negatives.min_negatives)


def score_runs(project: Project, ground: Ground) -> StageOutput:
    """Receipts and figures of every run under one contract.

    Every run's output is merged: receipts.* and metrics.metric.
    """
    hidden = _hidden(project, ground)
    registered = project.read("tasks/registered", contract_id=ground.contract.contract_id)
    outputs = []
    for run in ground.runs:
        ranked, lists = read_rankings(project, run)
        for names, questions in ground.cohort.arenas_of(ground.contract):
            outputs.append(
                build_receipts(
                    contract=ground.contract,
                    variant=run.variant,
                    retrieval_run_id=run.retrieval_run_id,
                    questions=questions,
                    gold=ground.asked.gold,
                    arenas=ground.arenas,
                    rankings=ranked.select("question_id", "stage", "rank", "unit_id", "score"),
                    labels=ground.labels,
                    evaluation_id=ground.basis.evaluation_id,
                    batch_id=ground.basis.batch_id,
                    label_snapshot_id=ground.basis.label_snapshot_id,
                    is_late=is_late(registered, lists),
                    question_set_id=ground.basis.question_set_id,
                    joint_sets=ground.joint_sets,
                    pools=ground.pools,
                    excluded=ground.cohort.excluded,
                    answered=lists.select("question_id", "stage"),
                    waiting=ground.waiting,
                    hidden=hidden,
                    corpus_units=ground.units.select("unit_id"),
                    arena_names=names,
                )
            )
    return merge_outputs(*outputs)


def is_late(registered: pl.DataFrame, lists: pl.DataFrame) -> bool:
    """Whether a contract was registered after the commit time of a run's first ranking.

    Raises:
        LineageError: the contract was never registered, so that nobody could say.
    """
    if registered.is_empty():
        message = "a contract is scored that was never registered; materialise 'variant_runs' first"
        raise LineageError(message)
    if lists.is_empty():
        return False
    first, at = lists.sort("made_at_utc").item(0, "made_at_utc"), registered.item(0, "made_at_utc")
    return bool(at > first)


def _hidden(project: Project, ground: Ground) -> pl.DataFrame:
    visible = visible_to(project, ground.contract, ground.units)
    return ground.units.select("unit_id").filter(~pl.col("unit_id").is_in(sorted(visible)))
