"""A reranker of the user's own behind any retriever: the first units, scored anew."""

import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from eval_pipeline.foundation.errors import InputError
from eval_pipeline.foundation.protocols import RankedUnit, Retriever, StagedRanking
from eval_pipeline.runs.announcing import announce, announce_scores, close, last_stage
from eval_pipeline.runs.fusion import sort_units
from eval_pipeline.runs.stage_names import RERANKED


class Reranker(Protocol):
    """Scores given units for a question."""

    def rerank(self, question: str, unit_ids: Sequence[str]) -> Mapping[str, float]:
        """A finite score for every unit; higher is better."""
        ...


@dataclass(frozen=True, kw_only=True)
class RerankingRetriever:
    """Adds the stage `reranked`: the first `top` units of a retriever, in the reranker's order.

    What stands below them is left out and not appended: it has no score on the reranker's scale.

    Attributes:
        name: name of the variant, for messages.
        source: the retriever.
        reranker: the user's.
        top: units that are scored.
    """

    name: str
    source: Retriever
    reranker: Reranker
    top: int

    def announce_questions(self, questions: Sequence[str], depth: int) -> None:
        """Let a source that can do so search several questions at once."""
        announce(self.source, questions, max(depth, self.top))

    def announce_scores(self, wanted: Mapping[str, Sequence[str]]) -> None:
        """Passed on."""
        announce_scores(self.source, wanted)

    def close(self) -> None:
        """Let source and reranker go of what they hold open."""
        close(self.source)
        close(self.reranker)

    def rank(self, question: str, depth: int) -> StagedRanking:
        """The stages of the source to `depth`, then `reranked`."""
        answer = self.source.rank(question, max(depth, self.top))
        first = [unit.unit_id for unit in last_stage(answer)[: self.top]]
        started = time.perf_counter()
        scored = self._score(question, first)
        elapsed = {**answer.elapsed_s, RERANKED: time.perf_counter() - started}
        stages: dict[str, Sequence[RankedUnit]] = {stage: list(units[:depth]) for stage, units in answer.stages.items()}
        stages[RERANKED] = scored[:depth]
        return StagedRanking(stages=stages, notes=answer.notes, elapsed_s=elapsed)

    def score(self, question: str, unit_ids: Sequence[str]) -> Mapping[str, float]:
        """Scores of the reranker: it can score any unit, whether or not the source found it."""
        return {unit.unit_id: unit.score for unit in self._score(question, unit_ids)}

    def _score(self, question: str, unit_ids: Sequence[str]) -> list[RankedUnit]:
        if not unit_ids:
            return []
        scores = self.reranker.rerank(question, list(unit_ids))
        missing = [unit_id for unit_id in unit_ids if not math.isfinite(scores.get(unit_id, math.nan))]
        if missing:
            message = (
                f"variant {self.name!r}: the reranker gave no finite score to {len(missing)} of {len(unit_ids)} units, "
                f"first {missing[0]!r}; it has to score every unit that it is given"
            )
            raise InputError(message)
        return sort_units([RankedUnit(unit_id=unit_id, score=float(scores[unit_id])) for unit_id in unit_ids])
