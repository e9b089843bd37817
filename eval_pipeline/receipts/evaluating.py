"""Evaluate a ranked run against the judgments of a task: one call, no project, no scheduler, no database."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import polars as pl

from eval_pipeline.foundation.errors import InputError
from eval_pipeline.foundation.ids import content_id, set_id
from eval_pipeline.foundation.tables import metrics as metric_tables
from eval_pipeline.foundation.tables import receipts as tables
from eval_pipeline.foundation.tables.labels import GRADES
from eval_pipeline.metrics.arenas import FINAL_STAGE, check_finite
from eval_pipeline.metrics.scoring import JOINT_SETS_SCHEMA
from eval_pipeline.receipts.building import build_receipts
from eval_pipeline.tasks.contracts import Contract, parse_contract

ARENAS_SCHEMA = {
    "question_id": pl.String,
    "arena": pl.String,
    "unit_id": pl.String,
    "axis": pl.String,
    "rank": pl.Int64,
}
GOLD_SCHEMA = {"question_id": pl.String, "position": pl.Int64, "unit_id": pl.String}


@dataclass(frozen=True, kw_only=True)
class Judgments:
    """The judgments of a task: what a ranked unit is worth for a question.

    Attributes:
        labels: question_id, unit_id, grade (`sufficient`, `supporting`, `irrelevant`); each pair once. Where known,
            label_id; else the pair and its grade name the label.
        joint_sets: question_id, joint_set_id, unit_id of units that are sufficient together; None for none.
        waiting: question_id, unit_id of pairs whose judge has not answered; None for none.
    """

    labels: pl.DataFrame
    joint_sets: pl.DataFrame | None = None
    waiting: pl.DataFrame | None = None


@dataclass(frozen=True, kw_only=True)
class Run:
    """What one retriever brought back.

    Attributes:
        name: of the retriever.
        rankings: question_id, unit_id, score, and `stage` where the arenas were ranked on their own (`arena:NAME`) or
            intermediate stages are known; else every row is of the final ranking.
        answered: question_id (and `stage`) of every list that came back, empty ones included; None where every
            answered question has a row.
        is_control: True where equal scores mean no order: values are then expectations over all orders.
    """

    name: str
    rankings: pl.DataFrame
    answered: pl.DataFrame | None = None
    is_control: bool = False

    @property
    def variant_id(self) -> str:
        """Id of a retriever that is known by its name alone."""
        return content_id("var", {"name": self.name, "is_control": self.is_control})


@dataclass(frozen=True, kw_only=True)
class EvaluatedRun:
    """Receipts of single questions, and figures of slices and of the whole set that rest on them.

    Attributes:
        contract: the task as it was scored.
        receipts: rows of receipts.receipt: one per measure, question and arena, with a value or a reason.
        figures: rows of metrics.metric: one per measure, slice and arena, with interval, denominator, counts of what
            each policy touched, and chance.
        evidence: every table of receipts by name, so that `receipts.verifying` can derive each again.
    """

    contract: Contract
    receipts: pl.DataFrame
    figures: pl.DataFrame
    evidence: Mapping[str, pl.DataFrame]

    def figure(self, measure: str, *, arena: str, slice_name: str = "all", value: str = "all") -> dict[str, Any]:
        """One figure as a row.

        Raises:
            ConfigError: the task does not declare the slice.
            InputError: there is no such figure; names what there is.
        """
        self.contract.require_slice(slice_name)
        rows = self.figures.filter(
            (pl.col("measure") == measure)
            & (pl.col("arena") == arena)
            & (pl.col("slice") == slice_name)
            & (pl.col("slice_value") == value)
        )
        if rows.is_empty():
            known = sorted(set(self.figures.select("measure", "arena").iter_rows()))
            message = f"no figure {measure} in arena {arena} of {slice_name}={value}; there are {known}"
            raise InputError(message)
        return rows.row(0, named=True)


def evaluate_run(
    *,
    task: Contract | Mapping[str, Any],
    questions: pl.DataFrame,
    run: Run,
    judgments: Judgments,
    limit: int | None = None,
    gold: pl.DataFrame | None = None,
    arenas: pl.DataFrame | None = None,
    corpus_units: pl.DataFrame | None = None,
) -> EvaluatedRun:
    """Score a run question by question against the judgments of a task, with receipts and uncertainty.

    A relation and an answer unit must be named: a page that answers is not thereby a copy, and an interval of a
    recording is not its file. The task is whole before a number is computed, or there is none.

    Args:
        task: a contract, or what a contract file says.
        questions: question_id, unique; one column per declared slice (a value, or a list of values; absent or null
            reads `unknown`), and one named like the task's resampling unit where that is not `question`.
        run: the ranked lists. Order is score descending, then unit id ascending; a rank is not read.
        judgments: labels; a pair without one follows the policy `unjudged`.
        limit: ranked units read per question; None for the task's. Another limit is another contract, with its own id.
        gold: question_id, unit_id (and `position`) of the units that questions were written from; None for none. Only
            `top@k` and restricted arenas need them.
        arenas: question_id, arena, unit_id and, where known, axis and rank of the negatives of restricted arenas.
        corpus_units: unit_id of the whole corpus, where known: labels of others do not count in R.

    Returns:
        Receipts per question, figures per slice. The same inputs give the same rows and ids, whatever their order.

    Raises:
        ConfigError: the task lacks a field, such as `relation` or `answer_unit`, or names something unknown; the
            message names it.
        InputError: a question or ranked unit twice, a pair judged twice, an unknown grade, a score that is not finite.
        MeasureUndefined: a policy says `error` and its case is there.
    """
    contract = _take_contract(task, limit)
    labels = _take_labels(judgments.labels)
    golden = _take_gold(gold)
    rankings = _take_rankings(run.rankings)
    snapshot = {
        "labels": set_id("labels", labels["label_id"].to_list()),
        "batch": content_id("corpus", None if corpus_units is None else sorted(corpus_units["unit_id"].to_list())),
        "questions": set_id("qset", questions["question_id"].to_list()),
        "run": content_id("run", sorted(map(list, rankings.select("question_id", "stage", "unit_id", "score").rows()))),
    }
    evaluation_id = content_id("evl", {"contract": contract.contract_id, "variant": run.variant_id, **snapshot})
    output = build_receipts(
        contract=contract,
        variant=run,
        retrieval_run_id=snapshot["run"],
        questions=questions,
        gold=golden,
        arenas=_take_arenas(arenas),
        rankings=rankings,
        labels=labels,
        evaluation_id=evaluation_id,
        batch_id=snapshot["batch"],
        label_snapshot_id=snapshot["labels"],
        is_late=False,
        question_set_id=snapshot["questions"],
        joint_sets=judgments.joint_sets if judgments.joint_sets is not None else pl.DataFrame(schema=JOINT_SETS_SCHEMA),
        answered=_take_answered(run.answered),
        waiting=judgments.waiting,
        corpus_units=corpus_units,
    )
    return EvaluatedRun(
        contract=contract,
        receipts=output.tables[tables.RECEIPT.name],
        figures=output.tables[metric_tables.METRIC.name],
        evidence={table.name: output.tables[table.name] for table in tables.ALL},
    )


def _take_contract(task: Contract | Mapping[str, Any], limit: int | None) -> Contract:
    declared = task.content if isinstance(task, Contract) else dict(task)
    if limit is not None:
        declared = {**declared, "limit": limit}
    return parse_contract(declared, path=str(declared.get("task", "the task")))


def _take_labels(labels: pl.DataFrame) -> pl.DataFrame:
    """Labels with an id each.

    Raises:
        InputError: a pair is judged twice, or a grade is unknown.
    """
    unknown = labels.filter(~pl.col("grade").is_in(list(GRADES)) | pl.col("grade").is_null())
    if unknown.height:
        first = unknown.sort("question_id", "unit_id").row(0, named=True)
        message = (
            f"question {first['question_id']}, unit {first['unit_id']}: grade {first['grade']!r} is none of "
            f"{', '.join(GRADES)} ({unknown.height} in all); leave an unjudged pair out"
        )
        raise InputError(message)
    repeated = labels.filter(pl.struct("question_id", "unit_id").is_duplicated())
    if repeated.height:
        first = repeated.sort("question_id", "unit_id").row(0, named=True)
        message = (
            f"question {first['question_id']} and unit {first['unit_id']} are judged more than once "
            f"({repeated.height} rows in all); hand over the label in force"
        )
        raise InputError(message)
    if "label_id" in labels.columns:
        return labels.select("question_id", "unit_id", "grade", "label_id")
    named = [content_id("lbl", list(row)) for row in labels.select("question_id", "unit_id", "grade").iter_rows()]
    return labels.select("question_id", "unit_id", "grade", label_id=pl.Series(named, dtype=pl.String))


def _take_gold(gold: pl.DataFrame | None) -> pl.DataFrame:
    if gold is None:
        return pl.DataFrame(schema=GOLD_SCHEMA)
    if "position" not in gold.columns:
        gold = gold.sort("question_id", "unit_id").with_columns(
            position=pl.int_range(1, pl.len() + 1, dtype=pl.Int64).over("question_id")
        )
    return gold.select(list(GOLD_SCHEMA))


def _take_rankings(rankings: pl.DataFrame) -> pl.DataFrame:
    stage = pl.col("stage") if "stage" in rankings.columns else pl.lit(FINAL_STAGE).alias("stage")
    taken = rankings.select(
        "question_id", stage, pl.lit(1, dtype=pl.Int64).alias("rank"), "unit_id", pl.col("score").cast(pl.Float64)
    )
    check_finite(taken)
    return taken


def _take_arenas(arenas: pl.DataFrame | None) -> pl.DataFrame:
    if arenas is None:
        return pl.DataFrame(schema=ARENAS_SCHEMA)
    return arenas.select(
        (pl.col(name) if name in arenas.columns else pl.lit(None)).cast(dtype).alias(name)
        for name, dtype in ARENAS_SCHEMA.items()
    )


def _take_answered(answered: pl.DataFrame | None) -> pl.DataFrame | None:
    if answered is None or "stage" in answered.columns:
        return answered
    return answered.select("question_id", pl.lit(FINAL_STAGE).alias("stage"))
