"""The text retriever: BM25 over the text of a page."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from eval_pipeline.foundation import ordering
from eval_pipeline.foundation.protocols import RankedUnit, StagedRanking
from eval_pipeline.runs.retrieval_corpus import RetrievalCorpus
from eval_pipeline.runs.stage_names import LEXICAL
from eval_pipeline.runs.tokens import tokenize


@dataclass(frozen=True, kw_only=True)
class TextRetriever:
    """Ranks pages by BM25 (Lucene's form, all weights positive). A page that shares no token is not returned.

    The index is built at the first question. Pages stand in it in order of their ids, so that scores do not depend on
    the order in which pages arrived.

    Attributes:
        corpus: what is searched.
        k1: saturation of term frequency.
        b: weight of text length.
    """

    corpus: RetrievalCorpus
    k1: float = 1.5
    b: float = 0.75
    _last: dict[str, npt.NDArray[np.float64]] = field(default_factory=dict, repr=False, compare=False)

    def rank(self, question: str, depth: int) -> StagedRanking:
        """The best pages with a score above 0, at most `depth`, in the stage `lexical`."""
        started = time.perf_counter()
        scores = self._score_all(question)
        found = np.flatnonzero(scores > 0)
        best = found[ordering.order_of(scores[found], self._unit_ids[found])][:depth]
        listed = [RankedUnit(unit_id=str(self._unit_ids[row]), score=float(scores[row])) for row in best]
        return StagedRanking(stages={LEXICAL: listed}, elapsed_s={LEXICAL: time.perf_counter() - started})

    def score(self, question: str, unit_ids: Sequence[str]) -> Mapping[str, float]:
        """Scores of the given pages; pages that share no token, or are not in the corpus, are absent."""
        scores = self._score_all(question)
        places = self._places
        known = [unit_id for unit_id in unit_ids if unit_id in places and scores[places[unit_id]] > 0]
        return {unit_id: float(scores[places[unit_id]]) for unit_id in known}

    @cached_property
    def _unit_ids(self) -> npt.NDArray[np.str_]:
        return np.array(sorted(self.corpus.units["unit_id"].to_list()), dtype=np.str_)

    @cached_property
    def _places(self) -> dict[str, int]:
        return {unit_id: row for row, unit_id in enumerate(self._unit_ids.tolist())}

    @cached_property
    def _index(self) -> Any:
        import bm25s

        tokens = [tokenize(self.corpus.texts.get(unit_id, "")) for unit_id in self._unit_ids.tolist()]
        if not any(tokens):
            return None
        index = bm25s.BM25(k1=self.k1, b=self.b, method="lucene", dtype="float64", backend="numpy")
        index.index(tokens, show_progress=False)
        return index

    def _score_all(self, question: str) -> npt.NDArray[np.float64]:
        if question not in self._last:
            self._last.clear()  # one question at a time: the arenas of a question follow its ranking
            self._last[question] = self._compute(question)
        return self._last[question]

    def _compute(self, question: str) -> npt.NDArray[np.float64]:
        index = self._index
        tokens = [] if index is None else [token for token in tokenize(question) if token in index.vocab_dict]
        if not tokens:
            return np.zeros(len(self._unit_ids), dtype=np.float64)
        return np.asarray(index.get_scores(tokens), dtype=np.float64)
