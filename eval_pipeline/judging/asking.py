"""Ask a judge about pairs, paying once for each: the cache is keyed by everything that could change a verdict.

A verdict id hashes the verb, the question text, the picture, the text layer and the judge version (which hashes its
own settings), so a changed prompt, model or pixel asks again and another order of the same pairs does not.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, TypeAlias

import polars as pl

from eval_pipeline.foundation.errors import JudgeFailed
from eval_pipeline.foundation.ids import canonical_json, content_id
from eval_pipeline.foundation.outputs import StageOutput
from eval_pipeline.foundation.protocols import Judge, PageContent, Verdict
from eval_pipeline.foundation.tables.judging import JUDGE, VERDICT

Verb: TypeAlias = Literal["answers", "label"]
PageReader: TypeAlias = Callable[[Sequence[str]], Mapping[str, PageContent]]

PAIR_COLUMNS = ("question_id", "text", "unit_id", "picture_hash", "text_hash")
OUTCOMES: dict[str, tuple[str, ...]] = {
    "answers": ("yes", "no", "abstain"),
    "label": ("sufficient", "supporting", "irrelevant", "abstain"),
}


def verdict_id_of(*, verb: str, text: str, picture_hash: str, text_hash: str, judge_id: str) -> str:
    """Id under which a verdict is kept; what is not in it cannot change what the judge sees."""
    return content_id("vd", [verb, text, picture_hash, text_hash, judge_id])


def add_verdict_ids(pairs: pl.DataFrame, *, verb: str, judge_id: str) -> pl.DataFrame:
    """The pairs with a column `verdict_id`.

    Args:
        pairs: columns `text`, `picture_hash`, `text_hash`, among others.
        verb: `answers` or `label`.
        judge_id: judge version.
    """
    rows = pairs.select("text", "picture_hash", "text_hash").iter_rows(named=True)
    ids = [verdict_id_of(verb=verb, judge_id=judge_id, **row) for row in rows]
    return pairs.with_columns(verdict_id=pl.Series(ids, dtype=pl.String))


def describe_judge(judge: Judge) -> dict[str, str]:
    """Row of judging.judge: who judged, in which version, with which settings."""
    return {
        "judge_id": judge.judge_id,
        "name": judge.name,
        "kind": judge.kind,
        "settings": canonical_json(dict(judge.settings())),
    }


@dataclass(frozen=True, kw_only=True)
class _Failure:
    """A call that gave no verdict: counted and shown, never stored, so the next run asks again."""

    question_id: str
    unit_id: str
    detail: str


def ask(
    *, judge: Judge, verb: Verb, pairs: pl.DataFrame, pages: PageReader, known: pl.DataFrame, now: datetime
) -> StageOutput:
    """Judge the pairs that have no verdict yet.

    Args:
        judge: asked once per distinct verdict id.
        verb: `answers` or `label`.
        pairs: columns `question_id`, `text`, `unit_id`, `picture_hash`, `text_hash`; order and repetition do not
            matter.
        pages: reads what the judge may see of the given units.
        known: rows of judging.verdict, of any judge and verb.
        now: aware time, stored as a witness.

    Returns:
        `judging.judge` (one row) and `judging.verdict` (new ones only, sorted by id); both empty without pairs. A
        failed call leaves no row: it is counted as `n_failed`, with the first one in words, and is asked again next
        time.
    """
    keyed = add_verdict_ids(pairs.select(PAIR_COLUMNS), verb=verb, judge_id=judge.judge_id)
    first = keyed.sort("verdict_id", "question_id", "unit_id").unique("verdict_id", keep="first", maintain_order=True)
    new = first.join(known.select("verdict_id"), on="verdict_id", how="anti", maintain_order="left")
    contents = pages(sorted(set(new["unit_id"]))) if new.height else {}
    rows: list[dict[str, Any]] = []
    failures: list[_Failure] = []
    for pair in new.iter_rows(named=True):
        try:
            verdict = _ask_one(judge, verb, pair, contents)
        except JudgeFailed as error:
            failures.append(_Failure(question_id=pair["question_id"], unit_id=pair["unit_id"], detail=str(error)))
        else:
            rows.append(_to_row(verdict, pair=pair, verb=verb, judge=judge, now=now))
    return StageOutput(
        tables={
            JUDGE.name: JUDGE.frame([describe_judge(judge)] if pairs.height else []),
            VERDICT.name: VERDICT.frame(rows),
        },
        inputs=(judge.judge_id,),
        summary=_summarise(n_pairs=first.height, rows=rows, failures=failures),
    )


def _ask_one(judge: Judge, verb: Verb, pair: Mapping[str, str], contents: Mapping[str, PageContent]) -> Verdict:
    content = contents.get(pair["unit_id"])
    if content is None:
        message = f"unit {pair['unit_id']} has no page content; run 'eval-pipeline doctor'"
        raise JudgeFailed(message, reason="no page content")
    verdict = judge.answers(pair["text"], content) if verb == "answers" else judge.label(pair["text"], content)
    if verdict.outcome not in OUTCOMES[verb]:
        message = f"judge {judge.name} said {verdict.outcome!r} to '{verb}'; allowed: {', '.join(OUTCOMES[verb])}"
        raise JudgeFailed(message, reason="not a verdict")
    return verdict


def _to_row(verdict: Verdict, *, pair: Mapping[str, str], verb: str, judge: Judge, now: datetime) -> dict[str, Any]:
    return {
        "verdict_id": pair["verdict_id"],
        "verb": verb,
        "question_id": pair["question_id"],
        "unit_id": pair["unit_id"],
        "judge_id": judge.judge_id,
        "outcome": verdict.outcome,
        "reason": verdict.reason,
        "confidence": verdict.confidence,
        "n_tokens": verdict.n_tokens,
        "elapsed_s": verdict.elapsed_s,
        "decided_at_utc": now,
    }


def _summarise(
    *, n_pairs: int, rows: Sequence[Mapping[str, Any]], failures: Sequence[_Failure]
) -> dict[str, int | float | str]:
    summary: dict[str, int | float | str] = {
        "n_pairs": n_pairs,
        "n_asked": len(rows) + len(failures),
        "n_known": n_pairs - len(rows) - len(failures),
        "n_failed": len(failures),
        "n_abstained": _count(row["outcome"] == "abstain" for row in rows),
    }
    if failures:
        first = failures[0]
        summary["first_failure"] = f"{first.question_id} on {first.unit_id}: {first.detail}"
    return summary


def _count(flags: Iterable[bool]) -> int:
    return sum(1 for flag in flags if flag)
