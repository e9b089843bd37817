"""What `compare` and `power` read: values of single questions with all that they are a mean over."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from eval_pipeline.cli.declared import declared_contracts
from eval_pipeline.foundation.errors import InputError, LineageError, UnknownName
from eval_pipeline.foundation.settings import ProjectPaths
from eval_pipeline.ledger.connection import session
from eval_pipeline.ledger.sessions import Session
from eval_pipeline.metrics.comparing import Scores
from eval_pipeline.metrics.denominators import make_denominator
from eval_pipeline.metrics.parts import main_measure
from eval_pipeline.tasks.contracts import Contract

SIBLINGS = "siblings"


@dataclass(frozen=True, kw_only=True)
class Compared:
    """One measure in one arena, by side.

    Attributes:
        contract: contract of the first side, whose resampling is used.
        measure: name.
        arena: of the first side.
        evaluation_id: the one in force.
        sides: variant and evaluation by side.
        scores: by side, as it was named.
        slices: slice, slice_value, n: questions with a value, of the variant with the fewest.
        texts: question_id, text.
    """

    contract: Contract
    measure: str
    arena: str
    evaluation_id: str
    sides: Mapping[str, tuple[str, str]]
    scores: Mapping[str, Scores]
    slices: pl.DataFrame
    texts: pl.DataFrame


@dataclass(frozen=True, kw_only=True)
class Side:
    """One side of a comparison, as a person names it: `VARIANT`, `VARIANT:ARENA`, `VARIANT@EVALUATION` or both.

    Attributes:
        name: as it was named.
        variant: name of the variant.
        arena: None for the common one.
        evaluation_id: None for the one in force.
    """

    name: str
    variant: str
    arena: str | None
    evaluation_id: str | None


def parse_side(text: str) -> Side:
    """Take a side apart; arenas such as `random@499` keep their size."""
    rest, at, tail = text.rpartition("@")
    is_evaluation = bool(at) and tail.startswith("evl_")
    bare = rest if is_evaluation else text
    variant, _, arena = bare.partition(":")
    return Side(name=text, variant=variant, arena=arena or None, evaluation_id=tail if is_evaluation else None)


def read_compared(
    paths: ProjectPaths, *, task: str | None, sides: Sequence[str], measure: str | None, arena: str | None
) -> Compared:
    """Read values of single questions.

    Args:
        paths: project.
        task: task name of a contract; may be left out where one contract is evaluated.
        sides: see `Side`; none for every variant that is no control.
        measure: None for `sufficient@1`, or `acceptable@1` in the under-specified slice.
        arena: None for siblings where the contract has them, else its first arena.

    Raises:
        UnknownName: no such contract, evaluation, variant, or no figure of that measure in that arena.
        LineageError: stored values do not add up to the stored denominator.
    """
    contracts = declared_contracts(paths)
    with session(paths) as ledger:
        evaluation = _choose(ledger, contracts, task)
        contract = contracts[evaluation["contract_id"]]
        measure = measure or f"{main_measure(contract.measures)}@1"
        arena = arena or (SIBLINGS if SIBLINGS in contract.arenas else contract.arenas[0])
        named = [parse_side(text) for text in sides] or _every_variant(ledger, evaluation, arena, measure)
        scores = {side.name: _read_side(ledger, side, evaluation, arena, measure) for side in named}
        return Compared(
            contract=contract,
            measure=measure,
            arena=arena,
            evaluation_id=evaluation["evaluation_id"],
            sides={side.name: (side.variant, side.evaluation_id or evaluation["evaluation_id"]) for side in named},
            scores=_add_clusters(ledger, scores, contract),
            slices=_read_slices(ledger, evaluation["evaluation_id"], arena, measure, {side.variant for side in named}),
            texts=ledger.read("questions/questions_of", frames={"wanted": _asked(scores)}).select(
                "question_id", "text"
            ),
        )


def _choose(ledger: Session, contracts: Mapping[str, Contract], task: str | None) -> dict[str, Any]:
    rows = ledger.read("metrics/evaluations_in_force", params={"contract_ids": list(contracts)})
    chosen = rows.filter(pl.col("task") == task) if task else rows
    known = ", ".join(rows["task"]) or "none yet; run 'eval-pipeline run'"
    if chosen.is_empty():
        message = f"no evaluation of a contract {task or 'at all'!r}; evaluated: {known}"
        raise UnknownName(message, name=task or "")
    if chosen.height > 1:
        message = f"several contracts are evaluated; name one with --contract: {known}"
        raise InputError(message)
    return chosen.row(0, named=True)


def _every_variant(ledger: Session, evaluation: Mapping[str, Any], arena: str, measure: str) -> list[Side]:
    rows = _read_values(ledger, evaluation["evaluation_id"], arena, measure).filter(~pl.col("is_control"))
    names = rows["variant"].unique().sort().to_list()
    return [Side(name=name, variant=name, arena=None, evaluation_id=None) for name in names]


def _read_values(ledger: Session, evaluation_id: str, arena: str, measure: str) -> pl.DataFrame:
    params = {"evaluation_id": evaluation_id, "arena": arena, "measure": measure}
    rows = ledger.read("receipts/compared_values", params=params)
    if rows.is_empty():
        message = (
            f"{evaluation_id} has no {measure} in arena {arena}; 'eval-pipeline metrics --json' lists what there is"
        )
        raise UnknownName(message, name=f"{measure} in {arena}")
    return rows


def _read_side(ledger: Session, side: Side, in_force: Mapping[str, Any], arena: str, measure: str) -> Scores:
    evaluation = dict(in_force)
    if side.evaluation_id is not None:
        found = ledger.read("metrics/evaluation", params={"evaluation_id": side.evaluation_id})
        if found.is_empty():
            message = f"no evaluation {side.evaluation_id}"
            raise UnknownName(message, name=side.evaluation_id)
        evaluation = found.row(0, named=True)
    arena = side.arena or arena
    rows = _read_values(ledger, evaluation["evaluation_id"], arena, measure)
    mine = rows.filter(pl.col("variant") == side.variant)
    if mine.is_empty():
        known = ", ".join(rows["variant"].unique().sort())
        message = f"no variant {side.variant!r} in {arena}; there are {known}"
        raise UnknownName(message, name=side.variant)
    return _to_scores(side.name, mine, evaluation, is_split=arena == SIBLINGS)


def _to_scores(name: str, rows: pl.DataFrame, evaluation: Mapping[str, Any], *, is_split: bool) -> Scores:
    """Values and denominator; questions whose negatives only look alike are counted apart, as `metrics` does."""
    snapshots = {key: str(evaluation[key]) for key in ("batch_id", "label_snapshot_id", "contract_id")}
    scored = rows.filter(pl.col("value").is_not_null()).select("question_id", "value", "arena_id", "is_apart")
    whole = make_denominator(scored, **snapshots)
    if whole.denominator_id != rows.item(0, "denominator_id"):
        message = (
            f"{name}: stored values add up to the denominator {whole.denominator_id}, but the figure says "
            f"{rows.item(0, 'denominator_id')}; run 'eval-pipeline verify'"
        )
        raise LineageError(message)
    kept = scored.filter(~pl.col("is_apart")) if is_split else scored
    return Scores(name=name, values=kept.drop("is_apart"), denominator=make_denominator(kept, **snapshots))


def _asked(scores: Mapping[str, Scores]) -> pl.DataFrame:
    return pl.concat([side.values.select("question_id") for side in scores.values()]).unique().sort("question_id")


def _add_clusters(ledger: Session, scores: Mapping[str, Scores], contract: Contract) -> dict[str, Scores]:
    """Name the document or the entity of each question's first gold unit where the contract draws whole ones."""
    unit = contract.resampling.unit
    if unit == "question":
        return dict(scores)
    first = ledger.read("questions/gold_of", frames={"wanted": _asked(scores)}).filter(pl.col("position") == 1)
    facts = ledger.read("corpus/units_in_force").select(
        "unit_id", document="document_id", entity=pl.col("facets").str.json_path_match("$.entity")
    )
    clusters = first.join(facts, on="unit_id").select("question_id", cluster=unit)
    return {
        name: Scores(name=side.name, values=side.values, denominator=side.denominator, clusters=clusters)
        for name, side in scores.items()
    }


def _read_slices(ledger: Session, evaluation_id: str, arena: str, measure: str, variants: set[str]) -> pl.DataFrame:
    figures = ledger.read("metrics/figures_of", params={"evaluation_id": evaluation_id})
    mine = figures.filter(
        (pl.col("arena") == arena) & (pl.col("measure") == measure) & (pl.col("slice") != "all")
        & pl.col("variant").is_in(sorted(variants))
    )  # fmt: skip
    return mine.group_by("slice", "slice_value").agg(n=pl.col("n_scored").min()).sort("slice", "slice_value")
