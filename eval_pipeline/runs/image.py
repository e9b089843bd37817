"""The image retriever: a question's vector against the vectors of pictures, searched exactly or nearly so."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from eval_pipeline.embeddings import index
from eval_pipeline.embeddings.approximate import ApproximateIndex, Hnsw, IvfPq
from eval_pipeline.foundation.protocols import Encoder, RankedUnit, StagedRanking, UnitVectors, Vectors
from eval_pipeline.runs.stage_names import IMAGE_ANN, IMAGE_EXACT


@dataclass(frozen=True, kw_only=True)
class ImageRetriever:
    """Ranks pictures by cosine similarity to the encoded question.

    Questions are encoded one at a time: a vector then depends on its question alone, whatever else is asked. They are
    searched together where `announce_questions` names them first, as an index costs more than a search; the result is
    the same.

    Attributes:
        vectors: vectors of pictures; units without a vector are never returned.
        encoder: encoder that made them.
        approximate: parameters of the index that answers; None where the exact search does. The exact search runs in
            either case: what an index missed can only be told beside it.
        encoded: vectors of questions that are known, see `RetrievalCorpus.encoded`.
    """

    vectors: UnitVectors
    encoder: Encoder
    approximate: Hnsw | IvfPq | None = None
    encoded: dict[str, tuple[Vectors, bool]] = field(default_factory=dict, repr=False, compare=False)
    _found: dict[tuple[str, int], StagedRanking] = field(default_factory=dict, repr=False, compare=False)

    def announce_questions(self, questions: Sequence[str], depth: int) -> None:
        """Search several questions at once; what was prepared before is forgotten, unless it is the same again."""
        if questions and all((question, depth) in self._found for question in questions):
            return
        self._found.clear()
        distinct = list(dict.fromkeys(questions))
        if not distinct:
            return
        queries = np.stack([self._encode(question)[0] for question in distinct])
        started = time.perf_counter()
        found: dict[str, Sequence[Sequence[RankedUnit]]] = {}
        found[IMAGE_EXACT] = index.search_exact(corpus=self.vectors, queries=queries, depth=depth)
        elapsed = {IMAGE_EXACT: (time.perf_counter() - started) / len(distinct)}
        if self._index is not None:
            started = time.perf_counter()
            found[IMAGE_ANN] = self._index.search(queries, depth)
            elapsed[IMAGE_ANN] = (time.perf_counter() - started) / len(distinct)
        for place, question in enumerate(distinct):
            stages = {stage: lists[place] for stage, lists in found.items()}
            notes = ("truncated",) if self._encode(question)[1] else ()
            self._found[question, depth] = StagedRanking(stages=stages, notes=notes, elapsed_s=elapsed)

    def rank(self, question: str, depth: int) -> StagedRanking:
        """The nearest pictures, `depth` at most: `image.exact`, then `image.ann` where an index answers.

        Noted `truncated` where the encoder cut the question.
        """
        if (question, depth) not in self._found:
            self.announce_questions([question], depth)
        return self._found[question, depth]

    def score(self, question: str, unit_ids: Sequence[str]) -> Mapping[str, float]:
        """Scores of the given units, equal to those of `rank`; units without a vector are absent."""
        known = [unit_id for unit_id in unit_ids if unit_id in self._places]
        rows = self.vectors.matrix[[self._places[unit_id] for unit_id in known]]
        scores = index.score_pairs(rows, np.broadcast_to(self._encode(question)[0], rows.shape))
        return dict(zip(known, scores.tolist(), strict=True))

    @cached_property
    def _index(self) -> ApproximateIndex | None:
        return None if self.approximate is None else ApproximateIndex(self.vectors, self.approximate)

    @cached_property
    def _places(self) -> dict[str, int]:
        return {unit_id: row for row, unit_id in enumerate(self.vectors.unit_ids.tolist())}

    def _encode(self, question: str) -> tuple[Vectors, bool]:
        if question not in self.encoded:
            encoded = self.encoder.encode_texts([question])
            vector = np.ascontiguousarray(encoded.matrix[0], dtype=np.float32)
            self.encoded[question] = (vector, bool(encoded.is_truncated[0]))
        return self.encoded[question]
