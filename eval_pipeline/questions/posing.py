"""Well-posedness as MEASURES 2 says: gold first, then every hard negative; what fails is qualified and asked again.

The work goes in rounds, so that a judge gets its pairs together: the gold units of a round's questions, then the
negatives of those whose gold did not refuse. Children of a round are the questions of the next; each child names more
axes than its parent, so there are at most as many rounds as axes, and one.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

import polars as pl

from eval_pipeline.foundation.outputs import StageOutput, merge_outputs
from eval_pipeline.foundation.protocols import Judge
from eval_pipeline.foundation.tables.judging import CALL, JUDGE, VERDICT
from eval_pipeline.foundation.tables.questions import QUESTION, QUESTION_GOLD, WELL_POSEDNESS
from eval_pipeline.judging.asking import PAIR_COLUMNS, PageReader, Recorder, add_verdict_ids, ask
from eval_pipeline.questions import outcomes, qualifying
from eval_pipeline.questions.outcomes import WAITING, Judged, decide_outcome
from eval_pipeline.questions.qualifying import qualify

CODE_VERSION = ".".join(("1", outcomes.CODE_VERSION, qualifying.CODE_VERSION))
"""Version of this module and of the rules it goes by; part of the key of questions.well_posedness."""

Answers = dict[tuple[str, str], str]


@dataclass(frozen=True, kw_only=True)
class _Case:
    """One question with its gold units and the negatives of its first gold unit, in the order to be asked."""

    question: dict[str, Any]
    gold: tuple[str, ...]
    pool_id: str
    negatives: tuple[tuple[str, str], ...]  # (axis, unit_id)

    @property
    def question_id(self) -> str:
        return str(self.question["question_id"])


@dataclass(kw_only=True)
class _Session:
    """What one call of `pose_questions` shares: the judge, what it may read and what it has said."""

    judge: Judge
    pages: PageReader
    units: pl.DataFrame
    now: datetime
    known: pl.DataFrame
    calls: pl.DataFrame
    record: Recorder | None
    outputs: list[StageOutput] = field(default_factory=list)

    def answers(self, pairs: Sequence[tuple[dict[str, Any], str]]) -> Answers:
        """Outcomes by (question id, unit id); a pair without one failed and waits."""
        frame = self._frame(pairs)
        output = ask(
            judge=self.judge,
            verb="answers",
            pairs=frame,
            pages=self.pages,
            known=self.known,
            now=self.now,
            calls=self.calls,
            record=self.record,
        )
        self.outputs.append(output)
        self.known = pl.concat([self.known, output.tables[VERDICT.name]])
        self.calls = pl.concat([self.calls, output.tables[CALL.name]])
        keyed = add_verdict_ids(frame, verb="answers", judge_id=self.judge.judge_id)
        said = keyed.join(self.known.select("verdict_id", "outcome"), on="verdict_id")
        return {(row["question_id"], row["unit_id"]): row["outcome"] for row in said.iter_rows(named=True)}

    def _frame(self, pairs: Sequence[tuple[dict[str, Any], str]]) -> pl.DataFrame:
        rows = [
            {"question_id": question["question_id"], "text": question["text"], "unit_id": unit_id}
            for question, unit_id in pairs
        ]
        frame = pl.DataFrame(rows, schema={"question_id": pl.String, "text": pl.String, "unit_id": pl.String})
        hashes = self.units.select("unit_id", "picture_hash", "text_hash")
        return frame.join(hashes, on="unit_id").select(PAIR_COLUMNS)


def pose_questions(
    *,
    questions: pl.DataFrame,
    gold: pl.DataFrame,
    pools: pl.DataFrame,
    unit_pools: pl.DataFrame,
    units: pl.DataFrame,
    judge: Judge,
    pages: PageReader,
    known: pl.DataFrame,
    axes: tuple[str, ...],
    policy: Literal["drop", "promote"],
    now: datetime,
    calls: pl.DataFrame | None = None,
    record: Recorder | None = None,
) -> StageOutput:
    """Ask whether each question is answered by its gold unit and by none of its hard negatives.

    Args:
        questions: rows of questions.question; whole families or parents only (a child given again is worked once).
        gold: rows of questions.question_gold; the first position draws the negatives, the others never are any.
        pools: `unit_id`, `pool_id`, `axis`, `rank`, `negative_unit_id` of the pools in force.
        unit_pools: `unit_id`, `pool_id`: also of pools without negatives.
        units: UNIT_IN_FORCE; pairs with a unit that is not in it are not asked and leave the question waiting.
        judge: asked for pairs without a verdict only.
        pages: reads what the judge may see.
        known: rows of judging.verdict.
        axes: declared axes, in order.
        policy: what becomes of a fully qualified question that a negative still answers.
        now: aware time of the verdicts.
        calls: rows of judging.call of this judge; None where it was never asked.
        record: called with verdicts on the way, see `ask`.

    Returns:
        `questions.question` and `questions.question_gold` (children only), `judging.judge`, `judging.verdict` and
        `judging.call` (new ones), `questions.well_posedness` (one row per question and child). A question that waits
        for a verdict has no row, nor have its parents: a later call with the same questions asks what is missing and
        decides then. The summary counts them as `n_waiting`.
    """
    session = _Session(
        judge=judge,
        pages=pages,
        units=units,
        now=now,
        known=known,
        calls=CALL.empty() if calls is None else calls,
        record=record,
    )
    gold_of = _gold_by_question(gold)
    pool_of = dict(unit_pools.select("unit_id", "pool_id").unique().sort("unit_id", "pool_id").iter_rows())
    negatives_of = _negatives_by_pool(pools, axes)
    rows: dict[str, dict[str, Any]] = {}
    children: dict[str, dict[str, Any]] = {}
    pending = questions.sort("question_id").to_dicts()
    while pending:
        cases = [_to_case(question, gold_of, pool_of, negatives_of) for question in pending]
        pending = []
        for case, judged in _judge_round(session, cases):
            child = _child_of(case, judged, session, axes)
            decided = decide_outcome(case.question, judged, policy=policy, has_child=child is not None)
            rows[case.question_id] = {
                "question_id": case.question_id,
                "pool_id": case.pool_id,
                "judge_id": judge.judge_id,
                "policy": policy,
                "posing_version": CODE_VERSION,
                "child_question_id": None if child is None else child["question_id"],
                **decided,
            }
            if child is not None:
                children[child["question_id"]] = child
                gold_of[child["question_id"]] = case.gold
                if child["question_id"] not in rows:
                    pending.append(child)
        pending = [question for question in pending if question["question_id"] not in rows]
    return _collect(session, rows, children, gold_of)


def _gold_by_question(gold: pl.DataFrame) -> dict[str, tuple[str, ...]]:
    grouped = gold.sort("question_id", "position").group_by("question_id", maintain_order=True).agg("unit_id")
    return {question_id: tuple(unit_ids) for question_id, unit_ids in grouped.iter_rows()}


def _negatives_by_pool(pools: pl.DataFrame, axes: tuple[str, ...]) -> dict[str, list[tuple[str, str]]]:
    """(axis, unit) pairs by pool in (declared axis, rank) order; axes that are not declared come last, by name."""
    place = {axis: number for number, axis in enumerate(axes)}
    ordered = sorted(
        pools.select("pool_id", "axis", "rank", "negative_unit_id").unique().iter_rows(),
        key=lambda row: (row[0], place.get(row[1], len(axes)), row[1], row[2], row[3]),
    )
    found: dict[str, list[tuple[str, str]]] = {}
    for pool_id, axis, _, unit_id in ordered:
        found.setdefault(pool_id, []).append((axis, unit_id))
    return found


def _to_case(
    question: dict[str, Any],
    gold_of: dict[str, tuple[str, ...]],
    pool_of: dict[str, str],
    negatives_of: dict[str, list[tuple[str, str]]],
) -> _Case:
    gold = gold_of.get(question["question_id"], ())
    pool_id = pool_of.get(gold[0], "") if gold else ""
    negatives = tuple((axis, unit) for axis, unit in negatives_of.get(pool_id, []) if unit not in gold)
    return _Case(question=question, gold=gold, pool_id=pool_id, negatives=negatives)


def _judge_round(session: _Session, cases: Sequence[_Case]) -> list[tuple[_Case, Judged]]:
    gold_said = session.answers([(case.question, unit) for case in cases for unit in case.gold])
    golds = {case.question_id: _gold_answer(case, gold_said) for case in cases}
    asked = [case for case in cases if golds[case.question_id] in ("yes", "abstain")]
    said = session.answers([(case.question, unit) for case in asked for _, unit in case.negatives])
    open_ids = {case.question_id for case in asked}
    return [
        (
            case,
            Judged(
                gold=golds[case.question_id],
                negatives=tuple(
                    (axis, unit, said.get((case.question_id, unit)))
                    for axis, unit in (case.negatives if case.question_id in open_ids else ())
                ),
            ),
        )
        for case in cases
    ]


def _gold_answer(case: _Case, said: Answers) -> str | None:
    """`none` without gold; yes if any gold unit answers, else waiting (None), abstain or no in that order."""
    if not case.gold:
        return "none"
    outcomes = [said.get((case.question_id, unit)) for unit in case.gold]
    for outcome in ("yes", None, "abstain"):
        if outcome in outcomes:
            return outcome
    return "no"


def _child_of(case: _Case, judged: Judged, session: _Session, axes: tuple[str, ...]) -> dict[str, Any] | None:
    if case.question["origin"] not in ("written", "qualified") or not judged.is_answerable:
        return None
    unit = session.units.filter(pl.col("unit_id") == case.gold[0]).row(0, named=True)
    page = session.pages([case.gold[0]]).get(case.gold[0])
    return qualify(
        question=case.question,
        gold=case.gold,
        failing_axes=judged.failing_axes,
        axes=axes,
        facets=unit["facets"],
        page_text="" if page is None else page.text,
    )


def _collect(
    session: _Session,
    rows: dict[str, dict[str, Any]],
    children: dict[str, dict[str, Any]],
    gold_of: dict[str, tuple[str, ...]],
) -> StageOutput:
    decided = {question_id: row for question_id, row in rows.items() if not _waits(question_id, rows)}
    named = {row["child_question_id"] for row in decided.values()}
    kept = sorted(name for name in children if name in named)
    gold_rows = [
        {"question_id": question_id, "position": position, "unit_id": unit_id}
        for question_id in kept
        for position, unit_id in enumerate(gold_of[question_id], start=1)
    ]
    ordered = WELL_POSEDNESS.frame([decided[question_id] for question_id in sorted(decided)])
    empty = StageOutput(tables={JUDGE.name: JUDGE.empty(), VERDICT.name: VERDICT.empty(), CALL.name: CALL.empty()})
    posed = StageOutput(
        tables={
            QUESTION.name: QUESTION.frame([children[question_id] for question_id in kept]),
            QUESTION_GOLD.name: QUESTION_GOLD.frame(gold_rows),
            WELL_POSEDNESS.name: ordered,
        },
        summary={"n_posed": len(decided), "n_qualified": len(kept), "n_waiting": len(rows) - len(decided)},
    )
    return merge_outputs(empty, *session.outputs, posed)


def _waits(question_id: str | None, rows: dict[str, dict[str, Any]]) -> bool:
    """Whether a question or one that qualifies it still waits; a child names more axes, so the chain ends."""
    if question_id is None:
        return False
    row = rows[question_id]
    return row["outcome"] == WAITING or _waits(row["child_question_id"], rows)
