"""The hybrid retriever: named variants, fused."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from eval_pipeline.foundation.protocols import RankedUnit, Retriever, StagedRanking
from eval_pipeline.runs.announcing import announce, close, last_stage
from eval_pipeline.runs.declared import FusionSettings
from eval_pipeline.runs.fusion import Fused, fuse_ranks, fuse_scores
from eval_pipeline.runs.stage_names import ELIGIBLE, FINAL, FUSED


@dataclass(frozen=True, kw_only=True)
class HybridRetriever:
    """Fuses the lists of its parts, each taken before its own eligibility and final policy.

    Every list is fused to `pool` places whatever depth is asked for, so a shorter answer is the beginning of a longer
    one and `score` agrees with `rank`: a unit in no list has neither rank nor score.

    Attributes:
        parts: retrievers by name, in declared order.
        fusion: how.
        pool: places of each list that are fused.
    """

    parts: Mapping[str, Retriever]
    fusion: FusionSettings
    pool: int
    _last: dict[str, StagedRanking] = field(default_factory=dict, repr=False, compare=False)

    def announce_questions(self, questions: Sequence[str], depth: int) -> None:
        """Let parts that can do so search several questions at once."""
        for part in self.parts.values():
            announce(part, questions, self.pool)

    def close(self) -> None:
        """Let the parts go of what they hold open."""
        for part in self.parts.values():
            close(part)

    def rank(self, question: str, depth: int) -> StagedRanking:
        """The stages of the parts, then `fused`, each to `depth`; `single-source` is noted where one part answered."""
        whole = self._fuse(question)
        stages = {stage: list(units[:depth]) for stage, units in whole.stages.items()}
        return StagedRanking(stages=stages, notes=whole.notes, elapsed_s=whole.elapsed_s)

    def score(self, question: str, unit_ids: Sequence[str]) -> Mapping[str, float]:
        """Fused scores of the given units; units in no list are absent."""
        wanted = set(unit_ids)
        return {unit.unit_id: unit.score for unit in self._fuse(question).stages[FUSED] if unit.unit_id in wanted}

    def _fuse(self, question: str) -> StagedRanking:
        if question not in self._last:
            self._last.clear()  # one question at a time: the arenas of a question follow its ranking
            self._last[question] = self._compute(question)
        return self._last[question]

    def _compute(self, question: str) -> StagedRanking:
        answers = {name: part.rank(question, self.pool) for name, part in self.parts.items()}
        stages: dict[str, Sequence[RankedUnit]] = {}
        elapsed: dict[str, float] = {}
        for name, answer in answers.items():
            for stage, units in answer.stages.items():
                is_taken = stage in stages or stage in (ELIGIBLE, FINAL, FUSED)
                own = f"{name}:{stage}" if is_taken else stage
                stages[own] = units
                if stage in answer.elapsed_s:
                    elapsed[own] = answer.elapsed_s[stage]
        started = time.perf_counter()
        fused = self._combine({name: last_stage(answer) for name, answer in answers.items()})
        notes = tuple(dict.fromkeys([note for answer in answers.values() for note in answer.notes] + [*fused.notes]))
        elapsed[FUSED] = time.perf_counter() - started
        return StagedRanking(stages={**stages, FUSED: fused.units}, notes=notes, elapsed_s=elapsed)

    def _combine(self, lists: Mapping[str, Sequence[RankedUnit]]) -> Fused:
        if self.fusion.kind == "rrf":
            return fuse_ranks(lists, k=self.fusion.k, weights=self.fusion.weights)
        return fuse_scores(lists, normalize=self.fusion.normalize, weights=self.fusion.weights)
