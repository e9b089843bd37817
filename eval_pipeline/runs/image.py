"""The image retriever: a question's vector against the vectors of pictures, searched exactly."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from eval_pipeline.embeddings import index
from eval_pipeline.foundation.protocols import Encoder, StagedRanking, UnitVectors, Vectors

STAGE = "image.exact"


@dataclass(frozen=True, kw_only=True)
class ImageRetriever:
    """Ranks pictures by cosine similarity to the encoded question.

    Questions are encoded one at a time: a vector then depends on its question alone, whatever else is asked.

    Attributes:
        vectors: vectors of pictures; units without a vector are never returned.
        encoder: encoder that made them.
    """

    vectors: UnitVectors
    encoder: Encoder
    _encoded: dict[str, tuple[Vectors, bool]] = field(default_factory=dict, repr=False, compare=False)

    def rank(self, question: str, depth: int) -> StagedRanking:
        """The `depth` nearest pictures, stage `image.exact`; noted `truncated` where the encoder cut the question."""
        query, is_truncated = self._encode(question)
        wanted = min(depth, len(self.vectors.unit_ids))
        found = index.search_exact(corpus=self.vectors, queries=query[None, :], depth=wanted)[0] if wanted else []
        return StagedRanking(stages={STAGE: found}, notes=("truncated",) if is_truncated else ())

    def score(self, question: str, unit_ids: Sequence[str]) -> Mapping[str, float]:
        """Scores of the given units; units without a vector are absent."""
        query, _ = self._encode(question)
        known = [unit_id for unit_id in unit_ids if unit_id in self._known]
        return index.score_units(corpus=self.vectors, query=query, unit_ids=known) if known else {}

    @cached_property
    def _known(self) -> frozenset[str]:
        return frozenset(self.vectors.unit_ids.tolist())

    def _encode(self, question: str) -> tuple[Vectors, bool]:
        if question not in self._encoded:
            self._encoded.clear()  # one question at a time: the arenas of a question follow its ranking
            encoded = self.encoder.encode_texts([question])
            vector = np.ascontiguousarray(encoded.matrix[0], dtype=np.float32)
            self._encoded[question] = (vector, bool(encoded.is_truncated[0]))
        return self._encoded[question]
