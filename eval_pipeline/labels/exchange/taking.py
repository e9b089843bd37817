"""Labels that people gave elsewhere, checked row by row: good rows become labels, the others are refused by name."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

import polars as pl

from eval_pipeline.corpus.refusals import Refusal, to_quarantine
from eval_pipeline.foundation.outputs import StageOutput
from eval_pipeline.foundation.tables.corpus import QUARANTINE
from eval_pipeline.foundation.tables.labels import GRADES, LABEL
from eval_pipeline.labels.deciding import REVIEWER_KINDS, Decision, decide
from eval_pipeline.labels.exchange.rows import InRow, ReadFile
from eval_pipeline.labels.rows import Judgment, to_label_rows

CODE_VERSION = "1"
BLIND = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False, "": False}
"""A file that does not say whether its reviewer was blind is taken as not blind: it takes no part in agreement."""
MEND = "correct the row and import the file again; the other rows are taken"


@dataclass(frozen=True, kw_only=True)
class _Taken:
    """A row that can be a label."""

    row: InRow
    decision: Decision
    has_time: bool


@dataclass(frozen=True, kw_only=True)
class _Fault:
    """Why a row cannot."""

    row: InRow
    reason: str
    detail: str
    next_step: str = MEND


def take_labels(
    read: ReadFile,
    *,
    relation_of: Mapping[str, str],
    unit_ids: Collection[str],
    existing: pl.DataFrame,
    author_kind: str,
    now: datetime,
) -> StageOutput:
    """Turn the rows of a file into labels.

    Rows without a grade wait for somebody and are counted. A row is known already where its reviewer has said the same
    of the pair at the same time, or, where the file gives no time, at any time: the same file twice adds nothing, not
    even after its reviewer has changed their mind. A row that is older than what its reviewer says now adds nothing
    either.

    Args:
        read: the file.
        relation_of: relation by id of every known question.
        unit_ids: known units.
        existing: rows of `labels.label`.
        author_kind: `human` or `developer`, for rows that do not say.
        now: time of rows that give none; a witness.

    Returns:
        `labels.label` and `corpus.quarantine`; the summary counts rows, new labels, rows known already, undecided and
        refused ones.
    """
    decided = [row for row in read.rows if row.grade]
    checked = [_check(row, relation_of, set(unit_ids), author_kind, now) for row in decided]
    faults = [item for item in checked if isinstance(item, _Fault)]
    taken, twice = _sort_out_twice([item for item in checked if isinstance(item, _Taken)])
    faults += twice
    judgments, n_known = _judge(taken, existing)
    refused = [*read.refused, *(_refusal(fault, read) for fault in faults)]
    return StageOutput(
        tables={LABEL.name: to_label_rows(judgments), QUARANTINE.name: to_quarantine(refused)},
        inputs=(read.content_hash,),
        summary={
            "rows": len(read.rows) + len(read.refused),
            "new labels": sum(1 for judgment in judgments if judgment.grade is not None),
            "known already": n_known,
            "undecided": len(read.rows) - len(decided),
            "refused": len(refused),
        },
    )


def _check(
    row: InRow, relation_of: Mapping[str, str], unit_ids: Collection[str], author_kind: str, now: datetime
) -> _Taken | _Fault:
    kind, grade, time = row.author_kind or author_kind, row.grade.casefold(), _read_time(row.decided_at)
    if fault := next(_faults(row, relation_of, unit_ids, kind, time), None):
        return fault
    decision = Decision(
        question_id=row.question_id,
        unit_id=row.unit_id,
        relation=relation_of[row.question_id],
        grade=grade,
        author=row.reviewer,
        author_kind=kind,
        is_blind=BLIND[row.blind.casefold()],
        decided_at_utc=time or now,
        reason=row.reason,
    )
    return _Taken(row=row, decision=decision, has_time=time is not None)


def _faults(
    row: InRow, relation_of: Mapping[str, str], unit_ids: Collection[str], kind: str, time: datetime | None
) -> Iterator[_Fault]:
    if row.question_id not in relation_of:
        yield _Fault(row=row, reason="unknown question", detail=f"no question has the id {row.question_id!r}")
    if row.unit_id not in unit_ids:
        yield _Fault(row=row, reason="unknown unit", detail=f"no page of the corpus has the id {row.unit_id!r}")
    if row.grade.casefold() not in GRADES:
        yield _Fault(row=row, reason="unknown grade", detail=f"{row.grade!r} is none of {', '.join(GRADES)}")
    if not row.reviewer:
        yield _Fault(row=row, reason="reviewer missing", detail="a grade without the name of who gave it")
    if kind not in REVIEWER_KINDS:
        allowed = ", ".join(REVIEWER_KINDS)
        yield _Fault(row=row, reason="unknown author kind", detail=f"{kind!r} is none of {allowed}")
    if row.blind.casefold() not in BLIND:
        yield _Fault(row=row, reason="unreadable blind", detail=f"{row.blind!r} is neither true nor false")
    if row.decided_at and time is None:
        detail = f"{row.decided_at!r} is no time with a zone, such as 2025-01-31T09:30:00+00:00"
        yield _Fault(row=row, reason="unreadable time", detail=detail)


def _read_time(given: str) -> datetime | None:
    try:
        time = datetime.fromisoformat(given)
    except ValueError:
        return None
    return time if time.tzinfo is not None else None


def _sort_out_twice(taken: Sequence[_Taken]) -> tuple[list[_Taken], list[_Fault]]:
    """Of rows of one reviewer on one pair the first where they agree, none where they differ."""
    by_voice: dict[tuple[str, ...], list[_Taken]] = defaultdict(list)
    for item in taken:
        said = item.decision
        by_voice[said.question_id, said.unit_id, said.author, said.author_kind].append(item)
    kept, faults = [], []
    for (question_id, unit_id, author, _), items in by_voice.items():
        where = ", ".join(item.row.place for item in items)
        if len({item.decision.grade for item in items}) > 1:
            told = f"{author} gives {unit_id} for {question_id} different grades ({where}); none of them is taken"
            faults += [_Fault(row=item.row, reason="conflicting rows", detail=told) for item in items]
            continue
        kept.append(items[0])
        told = f"{author} gives {unit_id} for {question_id} the same grade more than once ({where}); the first is taken"
        faults += [_Fault(row=item.row, reason="duplicate row", detail=told) for item in items[1:]]
    return kept, faults


def _judge(taken: Sequence[_Taken], existing: pl.DataFrame) -> tuple[list[Judgment], int]:
    judgments: list[Judgment] = []
    n_known = 0
    histories = existing.partition_by("question_id", "unit_id", "author", "author_kind", as_dict=True)
    for item in taken:
        said = item.decision
        key = (said.question_id, said.unit_id, said.author, said.author_kind)
        history = histories.get(key, existing.clear())
        new = [] if _is_known(item, history) else decide(said, existing=history)
        judgments += new
        n_known += not new
    return judgments, n_known


def _is_known(item: _Taken, history: pl.DataFrame) -> bool:
    said = item.decision
    if item.has_time:
        return history.filter(pl.col("decided_at_utc") >= said.decided_at_utc).height > 0
    return history.filter(pl.col("grade") == said.grade).height > 0


def _refusal(fault: _Fault, read: ReadFile) -> Refusal:
    return Refusal(
        source_path=read.name,
        place=fault.row.place,
        reason=fault.reason,
        detail=fault.detail,
        next_step=fault.next_step,
        content_hash=read.content_hash,
    )
