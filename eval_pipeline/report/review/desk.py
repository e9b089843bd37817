"""The reviewer's desk: which pair is next, what may be seen of it, and what becomes of a decision.

A decision is recorded before it is confirmed. Whether it was blind is known, not claimed: the desk keeps who has been
shown the model's answer to what. After a restart that memory is gone, so a changed mind about an earlier decision is
then taken as not blind; agreement goes on using the first, blind one.
"""

import threading
from collections.abc import Callable, Sequence
from datetime import datetime

import polars as pl

from eval_pipeline.foundation.errors import InputError, UnknownName
from eval_pipeline.labels.deciding import Decision, Voice, decide, is_contested, state_of_pair, take_back, voices_of
from eval_pipeline.labels.pace import Pace, measure_pace
from eval_pipeline.labels.queues import QUEUES, open_pairs
from eval_pipeline.labels.rows import Judgment
from eval_pipeline.report.review.basis import ModelAnswer, Pair, ReviewBasis, ReviewLedger, ReviewPage, ReviewQuestion
from eval_pipeline.report.review.history import standing_of
from eval_pipeline.report.review.records import DeskSettings, Outcome, PairView, QueueState


class Desk:
    """Holds the queues and the labels in memory and records through a `ReviewLedger`; safe for several threads.

    Args:
        ledger: reads and records.
        settings: how people review.
        now: the clock.
    """

    def __init__(self, ledger: ReviewLedger, settings: DeskSettings, now: Callable[[], datetime]) -> None:
        self.settings = settings
        self._ledger = ledger
        self._now = now
        self._lock = threading.RLock()
        self._seen: set[tuple[str, Pair]] = set()
        self._made_here: set[str] = set()
        self._skipped: dict[str, dict[Pair, int]] = {}
        self.read_again()

    @property
    def basis(self) -> ReviewBasis:
        """What is reviewed now."""
        with self._lock:
            return self._basis

    @property
    def labels(self) -> pl.DataFrame:
        """Rows of `labels.label` of the questions under review, as far as they are known here."""
        with self._lock:
            return self._labels

    def read_again(self) -> None:
        """Read questions, pages, queues and labels anew; LedgerBusy leaves everything as it was."""
        basis = self._ledger.read_basis()
        labels = self._ledger.read_labels(list(basis.questions), is_patient=True)
        with self._lock:
            self._basis, self._labels = basis, labels
            self._queue_of = {
                (q, u): name for q, u, name in basis.queued.select("question_id", "unit_id", "queue").iter_rows()
            }
            self._urgency = {
                (q, u): n for q, u, n in basis.queued.select("question_id", "unit_id", "urgency").iter_rows()
            }

    def read_labels(self) -> None:
        """Take in what others have recorded meanwhile; LedgerBusy leaves everything as it was."""
        labels = self._ledger.read_labels(list(self.basis.questions))
        with self._lock:
            self._labels = labels

    def queues_for(self, author: str) -> list[QueueState]:
        """Both queues, the audit first."""
        opened, pace = self._open_for(author), self.pace_of(author)
        done = set(
            standing_of(self.labels, author=author, author_kind=self.settings.author_kind)
            .select("question_id", "unit_id")
            .iter_rows()
        )
        states = []
        for name in QUEUES:
            mine = opened.filter(pl.col("queue") == name)
            states.append(
                QueueState(
                    name=name,
                    n_open=mine.height,
                    n_contested=int(mine["is_contested"].sum()),
                    n_done=sum(1 for pair in done if self._queue_of.get(pair) == name),
                    minutes_left=pace.minutes_for(mine.height),
                )
            )
        return states

    def pace_of(self, author: str) -> Pace:
        """How fast the reviewer decides."""
        with self._lock:
            return measure_pace(self._labels, author=author)

    def next_pair(self, queue: str, author: str) -> Pair | None:
        """The first open pair of a queue; skipped ones come last, in the order in which they were skipped."""
        if queue not in QUEUES:
            message = f"{queue!r} is no queue; there are {', '.join(QUEUES)}"
            raise UnknownName(message, name=queue)
        opened = self._open_for(author).filter(pl.col("queue") == queue)
        pairs: list[Pair] = list(opened.select("question_id", "unit_id").iter_rows())
        skipped = self._skipped.get(author, {})
        return min(pairs, key=lambda pair: skipped.get(pair, 0), default=None)

    def skip(self, pair: Pair, author: str) -> None:
        """Put a pair at the end of this reviewer's queue, until the next start."""
        self._require(pair)
        with self._lock:
            skipped = self._skipped.setdefault(author, {})
            skipped[pair] = max(skipped.values(), default=0) + 1

    def view(self, pair: Pair, author: str) -> PairView:
        """A pair as this reviewer may see it.

        Raises:
            UnknownName: there is no such pair, or it may not be shown.
        """
        question, page = self._require(pair)
        with self._lock:
            voices = voices_of(self._labels, *pair)
            mine = next((voice for voice in voices if self._is_of(voice, author)), None)
            shows = not self.settings.is_blind or (mine is not None and (author, pair) in self._seen)
            others = tuple(voice for voice in voices if mine is not None and not self._is_of(voice, author))
            if not self.settings.is_blind:
                self._seen.add((author, pair))
            return PairView(
                question=question,
                page=page,
                queue=self._queue_of.get(pair, ""),
                state=state_of_pair(self._labels, *pair),
                mine=mine,
                others=others,
                answers=self._basis.answers.get(pair, ()) if shows else None,
                is_contested=bool(others) and is_contested(self._labels, *pair),
                is_urgent_for=self._urgency.get(pair) if shows else None,
            )

    def reveal(self, pair: Pair, author: str) -> tuple[ModelAnswer, ...]:
        """The model's answer, to whoever has decided; from then on a changed mind about the pair is not blind.

        Raises:
            InputError: the reviewer has not decided yet, and review is blind.
        """
        self._require(pair)
        with self._lock:
            decided = any(self._is_of(voice, author) for voice in voices_of(self._labels, *pair))
            if self.settings.is_blind and not decided:
                message = "the model's answer is hidden until you have decided"
                raise InputError(message)
            self._seen.add((author, pair))
            return self._basis.answers.get(pair, ())

    def decide(self, pair: Pair, grade: str, *, author: str, state: str, reason: str = "") -> Outcome:
        """Record a decision at once. The same decision again adds nothing.

        Args:
            pair: the pair.
            grade: sufficient, supporting or irrelevant.
            author: the reviewer.
            state: as `PairView.state` was when the reviewer looked.
            reason: in their words.

        Raises:
            LedgerBusy: another process holds the ledger; nothing was recorded, and asking again is safe.
            UnknownName: there is no such pair, or it may not be shown.
        """
        question, _ = self._require(pair)
        before: list[Voice] = []

        def judge(existing: pl.DataFrame) -> list[Judgment]:
            before.extend(voice for voice in voices_of(existing, *pair) if voice.label_id not in state.split())
            return decide(
                Decision(
                    question_id=pair[0],
                    unit_id=pair[1],
                    relation=question.relation,
                    grade=grade,
                    author=author,
                    author_kind=self.settings.author_kind,
                    is_blind=self._is_blind(pair, author, existing),
                    decided_at_utc=self._now(),
                    reason=reason,
                ),
                existing=existing,
            )

        added = self._record(pair[0], judge)
        with self._lock:
            mine = next(voice for voice in voices_of(self._labels, *pair) if self._is_of(voice, author))
            self._skipped.get(author, {}).pop(pair, None)
            news = tuple(v for v in before if not self._is_of(v, author) or (added and v.grade != grade))
            return Outcome(
                label_id=mine.label_id,
                is_new=bool(added),
                changed_by=news,
                is_contested=is_contested(self._labels, *pair),
            )

    def undo(self, label_id: str, *, author: str) -> tuple[Pair, Outcome]:
        """Take back one's own label: both rows remain. What does not stand any more is left as it is.

        Raises:
            LedgerBusy: see `decide`.
            UnknownName: there is no such label of this reviewer.
        """
        pair = self.pair_of_label(label_id, author=author)

        def judge(existing: pl.DataFrame) -> list[Judgment]:
            blind = self._is_blind(pair, author, existing)
            return take_back(label_id, existing=existing, author=author, is_blind=blind, now=self._now())

        added = self._record(pair[0], judge)
        with self._lock:
            return pair, Outcome(label_id=None, is_new=bool(added), is_contested=is_contested(self._labels, *pair))

    def pair_of_label(self, label_id: str, *, author: str | None = None) -> Pair:
        """The pair of a label, of this author where one is named.

        Raises:
            UnknownName: there is none.
        """
        with self._lock:
            rows = self._labels.filter(pl.col("label_id") == label_id)
        if author is not None:
            rows = rows.filter((pl.col("author") == author) & (pl.col("author_kind") == self.settings.author_kind))
        if rows.is_empty():
            message = f"no label {label_id!r}{f' of {author}' if author else ''}"
            raise UnknownName(message, name=label_id)
        return rows.item(0, "question_id"), rows.item(0, "unit_id")

    def last_of(self, author: str) -> tuple[Pair, Voice] | None:
        """The reviewer's latest decision since the start that still stands: what undo takes back."""
        with self._lock:
            rows = standing_of(self.labels, author=author, author_kind=self.settings.author_kind).filter(
                pl.col("label_id").is_in(sorted(self._made_here))
            )
            if rows.is_empty():
                return None
            row = rows.sort("decided_at_utc", "label_id").row(-1, named=True)
            pair = (row["question_id"], row["unit_id"])
            return pair, next(voice for voice in voices_of(self._labels, *pair) if voice.label_id == row["label_id"])

    def question_of(self, receipt_id: str) -> str:
        """The question of a receipt.

        Raises:
            UnknownName: there is no such receipt.
        """
        found = self._ledger.question_of(receipt_id)
        if found is None:
            message = f"no receipt {receipt_id!r}"
            raise UnknownName(message, name=receipt_id)
        return found

    def _record(self, question_id: str, judge: Callable[[pl.DataFrame], list[Judgment]]) -> Sequence[Judgment]:
        """Record in one short session; labels of the question in memory are then those of the ledger."""
        made: list[Judgment] = []

        def note(existing: pl.DataFrame) -> list[Judgment]:
            made[:] = judge(existing)
            return made

        after = self._ledger.record_label(question_id, note)
        with self._lock:
            rest = self._labels.filter(pl.col("question_id") != question_id)
            self._labels = pl.concat([rest, after]).sort("label_id")
            self._made_here.update(judgment.label_id for judgment in made)
        return made

    def _require(self, pair: Pair) -> tuple[ReviewQuestion, ReviewPage]:
        with self._lock:
            question, page = self._basis.questions.get(pair[0]), self._basis.pages.get(pair[1])
        if question is None or page is None:
            message = f"the pair {pair[0]} on {pair[1]} is not up for review here"
            raise UnknownName(message, name=pair[0] if question is None else pair[1])
        return question, page

    def _is_blind(self, pair: Pair, author: str, existing: pl.DataFrame) -> bool:
        if not self.settings.is_blind or (author, pair) in self._seen:
            return False
        of_pair = (pl.col("question_id") == pair[0]) & (pl.col("unit_id") == pair[1]) & (pl.col("author") == author)
        return set(existing.filter(of_pair)["label_id"].to_list()) <= self._made_here

    def _is_of(self, voice: Voice, author: str) -> bool:
        return voice.author == author and voice.author_kind == self.settings.author_kind

    def _open_for(self, author: str) -> pl.DataFrame:
        with self._lock:
            return open_pairs(
                self._basis.queued,
                labels=self._labels,
                author=author,
                author_kind=self.settings.author_kind,
                people_per_pair=self.settings.people_per_pair,
            )
