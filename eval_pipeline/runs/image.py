"""The image retriever: a question's vector against the vectors of pictures, searched exactly."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from eval_pipeline.embeddings import index
from eval_pipeline.foundation.protocols import Encoder, RankedUnit, StagedRanking, UnitVectors, Vectors
from eval_pipeline.runs.stage_names import IMAGE_EXACT


@dataclass(frozen=True, kw_only=True)
class ImageRetriever:
    """Ranks pictures by cosine similarity to the encoded question.

    Questions are encoded one at a time: a vector then depends on its question alone, whatever else is asked. They are
    searched together where `announce_questions` names them first, as an index costs more than a search; the result is
    the same.

    Attributes:
        vectors: vectors of pictures; units without a vector are never returned.
        encoder: encoder that made them.
    """

    vectors: UnitVectors
    encoder: Encoder
    _encoded: dict[str, tuple[Vectors, bool]] = field(default_factory=dict, repr=False, compare=False)
    _found: dict[tuple[str, int], Sequence[RankedUnit]] = field(default_factory=dict, repr=False, compare=False)

    def announce_questions(self, questions: Sequence[str], depth: int) -> None:
        """Search several questions at once; what was prepared before is forgotten."""
        self._encoded.clear()
        self._found.clear()
        distinct = list(dict.fromkeys(questions))
        if distinct:
            queries = np.stack([self._encode(question)[0] for question in distinct])
            lists = index.search_exact(corpus=self.vectors, queries=queries, depth=depth)
            self._found.update({(question, depth): found for question, found in zip(distinct, lists, strict=True)})

    def rank(self, question: str, depth: int) -> StagedRanking:
        """The `depth` nearest pictures, stage `image.exact`; noted `truncated` where the encoder cut the question."""
        if (question, depth) not in self._found:
            self.announce_questions([question], depth)
        notes = ("truncated",) if self._encode(question)[1] else ()
        return StagedRanking(stages={IMAGE_EXACT: self._found[question, depth]}, notes=notes)

    def score(self, question: str, unit_ids: Sequence[str]) -> Mapping[str, float]:
        """Scores of the given units, equal to those of `rank`; units without a vector are absent."""
        known = [unit_id for unit_id in unit_ids if unit_id in self._places]
        rows = self.vectors.matrix[[self._places[unit_id] for unit_id in known]]
        scores = index.score_pairs(rows, np.broadcast_to(self._encode(question)[0], rows.shape))
        return dict(zip(known, scores.tolist(), strict=True))

    @cached_property
    def _places(self) -> dict[str, int]:
        return {unit_id: row for row, unit_id in enumerate(self.vectors.unit_ids.tolist())}

    def _encode(self, question: str) -> tuple[Vectors, bool]:
        if question not in self._encoded:
            encoded = self.encoder.encode_texts([question])
            vector = np.ascontiguousarray(encoded.matrix[0], dtype=np.float32)
            self._encoded[question] = (vector, bool(encoded.is_truncated[0]))
        return self._encoded[question]
