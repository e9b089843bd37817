"""What stands between a retriever's list and the list that is handed over: eligibility, then the final policy."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from eval_pipeline.foundation.errors import InputError
from eval_pipeline.foundation.protocols import RankedUnit, Retriever, StagedRanking
from eval_pipeline.runs.announcing import announce, announce_scores, close, last_stage
from eval_pipeline.runs.declared import PolicySettings
from eval_pipeline.runs.fusion import sort_units
from eval_pipeline.runs.retrieval_corpus import RetrievalCorpus
from eval_pipeline.runs.stage_names import ELIGIBLE, FINAL


@dataclass(frozen=True, kw_only=True)
class FinalRetriever:
    """Adds the stages `eligible` and `final` to any retriever, ours or theirs.

    Attributes:
        name: name of the variant, for messages.
        source: the retriever; the last stage it names is its answer.
        corpus: for documents of units and for what the asker may see.
        policy: the final policy.
    """

    name: str
    source: Retriever
    corpus: RetrievalCorpus
    policy: PolicySettings

    def announce_questions(self, questions: Sequence[str], depth: int) -> None:
        """Let a source that can do so search several questions at once."""
        announce(self.source, questions, self._reach(depth))

    def announce_scores(self, wanted: Mapping[str, Sequence[str]]) -> None:
        """Let a source that can do so score for several questions at once."""
        announce_scores(self.source, wanted)

    def close(self) -> None:
        """Let the source go of what it holds open."""
        close(self.source)

    def rank(self, question: str, depth: int) -> StagedRanking:
        """Every stage to `depth`, sorted by score descending, unit id ascending.

        Where eligibility or a bound per document takes units away, the source is asked for the whole corpus, so that
        the final list is as long as it can be.

        Raises:
            InputError: the source returned a unit twice, an unknown unit or a score that is not finite.
        """
        answer = self.source.rank(question, self._reach(depth))
        stages = {stage: self._check(stage, units) for stage, units in answer.stages.items()}
        eligible = [unit for unit in last_stage(StagedRanking(stages=stages)) if self._is_visible(unit.unit_id)]
        named = {stage: units[:depth] for stage, units in stages.items() if stage not in (ELIGIBLE, FINAL)}
        final = self._bound(eligible)[: min(depth, self.policy.cut_off or depth)]
        stages = {**named, ELIGIBLE: eligible[:depth], FINAL: final}
        return StagedRanking(stages=stages, notes=answer.notes, elapsed_s=answer.elapsed_s)

    def score(self, question: str, unit_ids: Sequence[str]) -> Mapping[str, float] | None:
        """Scores before the final policy; units that the asker may not see are absent. None where not offered."""
        scores = self.source.score(question, unit_ids)
        if scores is None:
            return None
        self._check("score", [RankedUnit(unit_id=unit_id, score=score) for unit_id, score in scores.items()])
        wanted = set(unit_ids)
        return {unit: score for unit, score in scores.items() if unit in wanted and self._is_visible(unit)}

    def _reach(self, depth: int) -> int:
        takes_away = self._hides or self.policy.max_per_document is not None
        return max(depth, self.corpus.units.height) if takes_away else depth

    @cached_property
    def _hides(self) -> bool:
        visible = self.corpus.visible
        return visible is not None and not visible.issuperset(self.corpus.units["unit_id"].to_list())

    def _is_visible(self, unit_id: str) -> bool:
        return self.corpus.visible is None or unit_id in self.corpus.visible

    @cached_property
    def _document_of(self) -> dict[str, str]:
        return dict(self.corpus.units.select("unit_id", "document_id").iter_rows())

    def _bound(self, units: Sequence[RankedUnit]) -> list[RankedUnit]:
        most = self.policy.max_per_document
        if most is None:
            return list(units)
        taken: Counter[str] = Counter()
        kept = []
        for unit in units:
            document = self._document_of[unit.unit_id]
            if taken[document] < most:
                kept.append(unit)
            taken[document] += 1
        return kept

    def _check(self, stage: str, units: Sequence[RankedUnit]) -> list[RankedUnit]:
        seen: set[str] = set()
        for unit in units:
            fault = self._fault_of(unit, seen)
            if fault:
                message = f"variant {self.name!r}, stage {stage!r}: {fault}; mend the retriever and run again"
                raise InputError(message)
            seen.add(unit.unit_id)
        return sort_units(units)

    def _fault_of(self, unit: RankedUnit, seen: set[str]) -> str | None:
        if unit.unit_id in seen:
            return f"unit {unit.unit_id!r} is returned twice"
        if unit.unit_id not in self._document_of:
            return f"unit {unit.unit_id!r} is not in the corpus"
        if not math.isfinite(unit.score):
            return f"the score of unit {unit.unit_id!r} is {unit.score}, not a finite number"
        return None
