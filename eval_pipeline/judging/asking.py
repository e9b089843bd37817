"""Ask a judge about pairs, paying once for each: the cache is keyed by everything that could change a verdict.

A verdict id hashes the verb, the question text, the picture, the text layer and the judge version (which hashes its
own settings), so a changed prompt, model or pixel asks again and another order of the same pairs does not.

Judges that are asked over a network declare how many calls they take at one time; what comes is recorded while the rest
is under way, so that a run that is killed does not pay again for what it was told.
"""

import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, TypeAlias, cast

import polars as pl

from eval_pipeline.foundation.errors import JudgeFailed
from eval_pipeline.foundation.ids import canonical_json, content_id, hash_unit
from eval_pipeline.foundation.outputs import StageOutput
from eval_pipeline.foundation.protocols import Judge, ManyJudge, PageContent, Verdict
from eval_pipeline.foundation.tables.judging import CALL, JUDGE, NOT_ASKED, VERDICT
from eval_pipeline.judging.calls import count_attempts, given_up, to_call_row
from eval_pipeline.judging.working import work

Verb: TypeAlias = Literal["answers", "label"]
PageReader: TypeAlias = Callable[[Sequence[str]], Mapping[str, PageContent]]
Recorder: TypeAlias = Callable[[StageOutput], object]
Pair: TypeAlias = Mapping[str, str]
Said: TypeAlias = Verdict | JudgeFailed

PAIR_COLUMNS = ("question_id", "text", "unit_id", "picture_hash", "text_hash")
RECORD_AFTER_S = 5.0
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


@dataclass(kw_only=True)
class _Book:
    """What came so far, and what of it is not recorded yet."""

    judge: Judge
    verb: Verb
    now: datetime
    attempts: Mapping[str, int]
    record: Recorder | None
    every: int
    verdicts: list[dict[str, Any]] = field(default_factory=list)
    calls: list[dict[str, Any]] = field(default_factory=list)
    failures: list[tuple[Pair, JudgeFailed]] = field(default_factory=list)
    n_recorded: tuple[int, int] = (0, 0)
    n_open: int = 0
    recorded_at_s: float = field(default_factory=time.monotonic)

    def take(self, said: Sequence[tuple[Pair, Said]]) -> None:
        """Note what came of some pairs; record where enough has gathered or enough time has passed."""
        for pair, one in said:
            attempt = self.attempts.get(pair["verdict_id"], 0) + 1
            if isinstance(one, JudgeFailed):
                self.failures.append((pair, one))
            else:
                self.verdicts.append(_to_row(one, pair=pair, verb=self.verb, judge=self.judge, now=self.now))
            row = to_call_row(
                one, pair=pair, verb=self.verb, judge_id=self.judge.judge_id, attempt=attempt, now=self.now
            )
            if row is not None:
                self.calls.append(row)
        self.n_open += len(said)
        is_late = time.monotonic() - self.recorded_at_s >= RECORD_AFTER_S
        if self.n_open >= self.every or is_late:
            self.record_new()

    def record_new(self) -> None:
        """Record what came since the last time."""
        if self.record is None:
            return
        verdicts, calls = self.verdicts[self.n_recorded[0] :], self.calls[self.n_recorded[1] :]
        if verdicts or calls:
            self.record(self.to_output(verdicts, calls, summary={}))
        self.n_recorded, self.n_open = (len(self.verdicts), len(self.calls)), 0
        self.recorded_at_s = time.monotonic()

    def to_output(
        self,
        verdicts: Sequence[Mapping[str, Any]],
        calls: Sequence[Mapping[str, Any]],
        *,
        summary: Mapping[str, int | float | str],
        has_judge: bool = True,
    ) -> StageOutput:
        """Rows as a stage hands them over, sorted by verdict id."""
        return StageOutput(
            tables={
                JUDGE.name: JUDGE.frame([describe_judge(self.judge)] if has_judge else []),
                VERDICT.name: VERDICT.frame(verdicts).sort("verdict_id"),
                CALL.name: CALL.frame(calls).sort("verdict_id", "attempt"),
            },
            inputs=(self.judge.judge_id,),
            summary=summary,
        )


def ask(
    *,
    judge: Judge,
    verb: Verb,
    pairs: pl.DataFrame,
    pages: PageReader,
    known: pl.DataFrame,
    now: datetime,
    calls: pl.DataFrame | None = None,
    record: Recorder | None = None,
) -> StageOutput:
    """Judge the pairs that have no verdict yet.

    Args:
        judge: asked once per distinct verdict id; in threads where it declares a `concurrency`, about several pages
            at a time where it declares `candidates`.
        verb: `answers` or `label`.
        pairs: columns `question_id`, `text`, `unit_id`, `picture_hash`, `text_hash`; order and repetition do not
            matter.
        pages: reads what the judge may see of the given units.
        known: rows of judging.verdict, of any judge and verb.
        now: aware time, stored as a witness.
        calls: rows of judging.call of this judge: what failed before. A pair whose replies were no verdicts as often
            as the judge's `asks` says is not asked again. None where nothing failed.
        record: called with what came, every `record_every` verdicts of the judge or five seconds, and when the process
            is told to end; all of it is returned in the end as well. None records nothing on the way.

    Returns:
        `judging.judge` (one row), `judging.verdict` (new ones only, sorted by id) and `judging.call` (what paid judges
        were asked, and every failure); all empty without pairs. A pair that failed, or was not asked as a budget ran
        out, has no verdict: it waits, is counted (`n_failed`, `n_not_asked`, `n_given_up`), and is asked next time.
    """
    keyed = add_verdict_ids(pairs.select(PAIR_COLUMNS), verb=verb, judge_id=judge.judge_id)
    first = keyed.sort("verdict_id", "question_id", "unit_id").unique("verdict_id", keep="first", maintain_order=True)
    new = first.join(known.select("verdict_id"), on="verdict_id", how="anti", maintain_order="left")
    before = CALL.empty() if calls is None else calls.join(new.select("verdict_id"), on="verdict_id", how="semi")
    hopeless = given_up(before, asks=getattr(judge, "asks", None))
    new = new.filter(~pl.col("verdict_id").is_in(sorted(hopeless)))
    contents = pages(sorted(set(new["unit_id"]))) if new.height else {}
    book = _Book(
        judge=judge,
        verb=verb,
        now=now,
        attempts=count_attempts(before),
        record=record,
        every=getattr(judge, "record_every", max(1, new.height)),
    )
    _ask_all(judge, verb, new.to_dicts(), contents, book)
    summary = _summarise(n_pairs=first.height, n_given_up=len(hopeless), book=book)
    return book.to_output(book.verdicts, book.calls, summary=summary, has_judge=pairs.height > 0)


def _ask_all(judge: Judge, verb: Verb, pairs: Sequence[Pair], contents: Mapping[str, PageContent], book: _Book) -> None:
    """Ask about all pairs; whatever interrupts, what came until then is recorded."""
    together = getattr(judge, "candidates", 1)
    groups = [[pair] for pair in pairs] if together == 1 else _group(pairs, together)
    stop = getattr(judge, "stop", None)
    try:
        work(
            groups,
            lambda group: _ask_group(judge, verb, group, contents),
            book.take,
            concurrency=getattr(judge, "concurrency", 1),
            stop=None if stop is None else lambda: stop("the run was interrupted; the next one asks again"),
        )
    finally:
        book.record_new()


def _group(pairs: Sequence[Pair], size: int) -> list[list[Pair]]:
    """Pairs of the same wording, so many at a time, in an order by hash that says nothing of gold or rank."""
    by_text: dict[str, list[Pair]] = {}
    for pair in sorted(pairs, key=lambda pair: (hash_unit(0, pair["verdict_id"]), pair["verdict_id"])):
        by_text.setdefault(pair["text"], []).append(pair)
    return [group[start : start + size] for _, group in sorted(by_text.items()) for start in range(0, len(group), size)]


def _ask_group(
    judge: Judge, verb: Verb, group: Sequence[Pair], contents: Mapping[str, PageContent]
) -> list[tuple[Pair, Said]]:
    there = {pair["unit_id"]: contents[pair["unit_id"]] for pair in group if pair["unit_id"] in contents}
    if getattr(judge, "candidates", 1) == 1:
        found: Mapping[str, Said] = {
            unit_id: _ask_one(judge, verb, group[0]["text"], page) for unit_id, page in there.items()
        }
    else:
        found = _ask_together(judge, verb, group[0]["text"], list(there.values()))
    return [(pair, _check(judge, verb, pair["unit_id"], found)) for pair in group]


def _ask_one(judge: Judge, verb: Verb, question: str, page: PageContent) -> Said:
    try:
        return judge.answers(question, page) if verb == "answers" else judge.label(question, page)
    except JudgeFailed as error:
        return error


def _ask_together(judge: Judge, verb: Verb, question: str, pages: Sequence[PageContent]) -> Mapping[str, Said]:
    together = cast("ManyJudge", judge)
    asked = together.answers_many if verb == "answers" else together.label_many
    try:
        return asked(question, pages) if pages else {}
    except JudgeFailed as error:
        return {page.unit_id: error for page in pages}


def _check(judge: Judge, verb: Verb, unit_id: str, found: Mapping[str, Said]) -> Said:
    """What was said on a unit, or a failure where nothing was or where it is no answer to this verb."""
    said = found.get(unit_id)
    if said is None:
        message = f"unit {unit_id} has no page content; run 'eval-pipeline doctor'"
        return JudgeFailed(message, reason="no page content")
    if isinstance(said, Verdict) and said.outcome not in OUTCOMES[verb]:
        message = f"judge {judge.name} said {said.outcome!r} to '{verb}'; allowed: {', '.join(OUTCOMES[verb])}"
        return JudgeFailed(message, reason="not a verdict", call=said.call)
    return said


def _to_row(verdict: Verdict, *, pair: Pair, verb: str, judge: Judge, now: datetime) -> dict[str, Any]:
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


def _summarise(*, n_pairs: int, n_given_up: int, book: _Book) -> dict[str, int | float | str]:
    n_asked = len(book.verdicts) + len(book.failures)
    n_not_asked = _count(error.reason in NOT_ASKED for _, error in book.failures)
    summary: dict[str, int | float | str] = {
        "n_pairs": n_pairs,
        "n_asked": n_asked - n_not_asked,
        "n_known": n_pairs - n_asked - n_given_up,
        "n_failed": len(book.failures) - n_not_asked,
        "n_abstained": _count(row["outcome"] == "abstain" for row in book.verdicts),
    }
    if n_not_asked or n_given_up:
        summary |= {"n_not_asked": n_not_asked, "n_given_up": n_given_up}
    if book.calls:
        summary |= {
            "n_tokens": sum((row["n_input_tokens"] or 0) + (row["n_output_tokens"] or 0) for row in book.calls),
            "usd": round(sum(row["usd"] or 0.0 for row in book.calls), 6),
        }
    if book.failures:
        reasons = Counter(error.reason for _, error in book.failures)
        summary["failures"] = ", ".join(f"{reason} {n}" for reason, n in sorted(reasons.items()))
        pair, error = min(book.failures, key=lambda one: one[0]["verdict_id"])
        summary["first_failure"] = f"{pair['question_id']} on {pair['unit_id']}: {error}"
    return summary


def _count(flags: Iterable[bool]) -> int:
    return sum(1 for flag in flags if flag)
