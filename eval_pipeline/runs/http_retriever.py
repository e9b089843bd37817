"""A retriever behind an address: questions are posted, several at one time; what is not answered is named."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TypeVar

from eval_pipeline.foundation.errors import RetrievalFailed
from eval_pipeline.foundation.protocols import StagedRanking
from eval_pipeline.runs.http_calls import Address
from eval_pipeline.runs.http_replies import ReplyReader

T = TypeVar("T")
Asked = tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class HttpRetriever:
    """Posts `{"question": ..., "depth": ...}` and, where scores are offered, `{"question": ..., "units": [...]}`.

    Questions that are announced are asked several at one time; the answers are kept until the next announcement.

    Attributes:
        address: where questions go.
        scoring: where units go to be scored; None where that is not offered.
        reader: reads replies.
        max_depth: places asked for, at most.
    """

    address: Address
    scoring: Address | None
    reader: ReplyReader
    max_depth: int
    _ranked: dict[Asked, "StagedRanking | RetrievalFailed"] = field(default_factory=dict, repr=False, compare=False)
    _scored: dict[Asked, "Mapping[str, float] | RetrievalFailed"] = field(
        default_factory=dict, repr=False, compare=False
    )

    def announce_questions(self, questions: Sequence[str], depth: int) -> None:
        """Ask several questions at one time; what was kept before is forgotten."""
        self._ranked.clear()
        self._scored.clear()
        wanted = [(question, str(min(depth, self.max_depth))) for question in dict.fromkeys(questions)]
        self._ranked.update(self._ask_all(wanted, lambda asked: self._ask(asked[0], int(asked[1]))))

    def announce_scores(self, wanted: Mapping[str, Sequence[str]]) -> None:
        """Have units of several questions scored at one time."""
        if self.scoring is None:
            return
        asked = [(question, *sorted(set(unit_ids))) for question, unit_ids in wanted.items()]
        self._scored.update(self._ask_all(asked, lambda item: self._ask_scores(item[0], item[1:])))

    def close(self) -> None:
        """Close connections."""
        for address in (self.address, self.scoring):
            if address is not None:
                address.close()

    def rank(self, question: str, depth: int) -> StagedRanking:
        """The stages that came back.

        Raises:
            RetrievalFailed: there is no answer; named by its reason.
        """
        key = (question, str(min(depth, self.max_depth)))
        if key not in self._ranked:
            self._ranked.update(self._ask_all([key], lambda asked: self._ask(asked[0], int(asked[1]))))
        return _given(self._ranked[key])

    def score(self, question: str, unit_ids: Sequence[str]) -> Mapping[str, float] | None:
        """Scores that came back; None where none are offered.

        Raises:
            RetrievalFailed: they are offered, and there is no answer.
        """
        if self.scoring is None:
            return None
        wanted = set(unit_ids)
        for asked, found in self._scored.items():
            if asked[0] == question and wanted.issubset(asked[1:]):
                return {unit_id: score for unit_id, score in _given(found).items() if unit_id in wanted}
        self.announce_scores({question: unit_ids})
        return _given(self._scored[question, *sorted(wanted)])

    def _ask(self, question: str, depth: int) -> StagedRanking:
        reply = self.address.post({"question": question, "depth": depth})
        answer = self.reader.read_ranking(reply.content, depth)
        last = list(answer.stages)[-1]
        return StagedRanking(
            stages=answer.stages, notes=answer.notes, elapsed_s={last: reply.elapsed_s, **answer.elapsed_s}
        )

    def _ask_scores(self, question: str, unit_ids: Sequence[str]) -> Mapping[str, float]:
        assert self.scoring is not None
        names = self.reader.names.name_of
        units = [names[unit_id] for unit_id in unit_ids if unit_id in names]
        if not units:
            return {}
        return self.reader.read_scores(self.scoring.post({"question": question, "units": units}).content)

    def _ask_all(self, wanted: Iterable[Asked], ask: Callable[[Asked], T]) -> list[tuple[Asked, "T | RetrievalFailed"]]:
        asked = list(wanted)
        with ThreadPoolExecutor(max_workers=self.address.calling.concurrency) as pool:
            return list(zip(asked, pool.map(lambda item: _try(ask, item), asked), strict=True))


def _try(ask: Callable[[Asked], T], asked: Asked) -> "T | RetrievalFailed":
    try:
        return ask(asked)
    except RetrievalFailed as error:
        return error


def _given(found: "T | RetrievalFailed") -> T:
    if isinstance(found, RetrievalFailed):
        raise found
    return found
