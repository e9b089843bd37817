"""Controls: what a ranking is worth that knows nothing, the template, every facet, or appearance alone.

Controls read no question text. They score the candidates of an arena; equal scores stay equal, and measures on them are
expectations over ties.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
import polars as pl

from eval_pipeline.foundation.errors import InputError
from eval_pipeline.foundation.protocols import UnitVectors
from eval_pipeline.runs.appearance import score_appearance
from eval_pipeline.runs.retrieval_corpus import RetrievalCorpus

CODE_VERSION = "1"


class Control(Protocol):
    """Scores candidates of arenas."""

    @property
    def reads_all_questions(self) -> bool:
        """Whether the score of one question depends on the others."""
        ...

    def score_arenas(self, candidates: pl.DataFrame) -> pl.DataFrame:
        """Add `score` (Float64, finite) to rows of `question_id`, `arena`, `unit_id`, `gold_unit_id`.

        Rows keep their order; a candidate that cannot be scored gets no row.
        """
        ...


@dataclass(frozen=True, kw_only=True)
class RandomControl:
    """Knows nothing: every candidate has the same score, so its expectation over ties is chance."""

    reads_all_questions: bool = False

    def score_arenas(self, candidates: pl.DataFrame) -> pl.DataFrame:
        """Score 0 for every candidate."""
        return candidates.with_columns(score=pl.lit(0.0))


@dataclass(frozen=True, kw_only=True)
class TemplateControl:
    """Knows the gold unit's template and nothing else: 1 for a candidate of that template, 0 otherwise.

    Where the gold unit has no template it knows nothing, and all candidates tie.

    Attributes:
        template_of: template id by unit id.
        reads_all_questions: False.
    """

    template_of: Mapping[str, str]
    reads_all_questions: bool = False

    def score_arenas(self, candidates: pl.DataFrame) -> pl.DataFrame:
        """Score 1 or 0."""
        rows = candidates.select("unit_id", "gold_unit_id").iter_rows()
        return candidates.with_columns(score=pl.Series([self._score(*row) for row in rows], dtype=pl.Float64))

    def _score(self, unit_id: str, gold_unit_id: str) -> float:
        template = self.template_of.get(gold_unit_id)
        return float(template is not None and self.template_of.get(unit_id) == template)


@dataclass(frozen=True, kw_only=True)
class FacetsControl:
    """Knows every facet of the gold unit: the share of facets, of either, on which a candidate equals it.

    A missing `revision` reads `original`; any other missing facet equals nothing. Two units without any facet are
    not told apart.

    Attributes:
        units: columns `unit_id` and `facets` (JSON object).
        reads_all_questions: False.
    """

    units: pl.DataFrame
    reads_all_questions: bool = False

    def score_arenas(self, candidates: pl.DataFrame) -> pl.DataFrame:
        """Score from 0 to 1."""
        rows = candidates.select("unit_id", "gold_unit_id").iter_rows()
        return candidates.with_columns(score=pl.Series([self._score(*row) for row in rows], dtype=pl.Float64))

    @cached_property
    def _facets_of(self) -> dict[str, dict[str, str]]:
        rows = self.units.select("unit_id", "facets").iter_rows()
        return {unit_id: {"revision": "original", **json.loads(facets)} for unit_id, facets in rows}

    def _score(self, unit_id: str, gold_unit_id: str) -> float:
        mine, gold = self._facets_of.get(unit_id, {}), self._facets_of.get(gold_unit_id, {})
        names = sorted({*mine, *gold})
        same = sum(1 for name in names if name in mine and name in gold and mine[name] == gold[name])
        return same / len(names) if names else 0.0


@dataclass(frozen=True, kw_only=True)
class AppearanceControl:
    """Sees pictures and no question: a classifier of gold against negatives on each candidate's own vector.

    Attributes:
        vectors: vectors of pictures.
        copy_group_of: by unit id, what is equal for copies (the picture hash).
        reads_all_questions: True: the classifier of one fold is trained on the questions of the others.
    """

    vectors: UnitVectors
    copy_group_of: Mapping[str, str]
    reads_all_questions: bool = True

    def score_arenas(self, candidates: pl.DataFrame) -> pl.DataFrame:
        """Score by cross-validation, arena by arena; candidates without a vector get no row."""
        known = candidates.filter(pl.col("unit_id").is_in(self.vectors.unit_ids.tolist()))
        if known.is_empty():
            return known.with_columns(score=pl.lit(0.0))
        scores = np.zeros(known.height)
        for arena in known["arena"].unique().sort().to_list():
            rows = np.flatnonzero((known["arena"] == arena).to_numpy())
            scores[rows] = score_appearance(candidates=known[rows], vectors=self.vectors, group_of=self.copy_group_of)
        return known.with_columns(score=pl.Series(scores, dtype=pl.Float64))


def build_control(*, kind: str, corpus: RetrievalCorpus) -> Control:
    """Make a control.

    Raises:
        InputError: the corpus lacks what the control needs.
    """
    match kind:
        case "control-random":
            return RandomControl()
        case "control-template" if corpus.template_of is not None:
            return TemplateControl(template_of=corpus.template_of)
        case "control-facets":
            return FacetsControl(units=corpus.units)
        case "control-appearance" if corpus.vectors is not None:
            groups = dict(corpus.units.select("unit_id", "picture_hash").iter_rows())
            return AppearanceControl(vectors=corpus.vectors, copy_group_of=groups)
    message = f"{kind} cannot be built from this corpus; control-template needs template_of, control-appearance vectors"
    raise InputError(message)
