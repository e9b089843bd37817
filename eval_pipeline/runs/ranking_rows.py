"""Rankings on their way into the tables: gathered list by list, handed over as frames."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import polars as pl

from eval_pipeline.foundation import ids
from eval_pipeline.foundation.protocols import RankedUnit
from eval_pipeline.foundation.tables import runs as tables
from eval_pipeline.runs.variants import Variant


@dataclass(kw_only=True)
class RankingRows:
    """Rankings of one variant, column by column.

    Attributes:
        variant: whose rankings they are.
        question_ids: question of each list.
        stages: stage of each list.
        ranking_ids: id of each list.
        notes: notes of each list, as JSON.
        lists: the lists, best first.
    """

    variant: Variant
    question_ids: list[str] = field(default_factory=list)
    stages: list[str] = field(default_factory=list)
    ranking_ids: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    lists: list[Sequence[RankedUnit]] = field(default_factory=list)

    def add(self, question_id: str, stage: str, units: Sequence[RankedUnit], notes: Sequence[str]) -> None:
        """Take one list.

        Its id is the hash of variant, question, stage and unit ids in order; for a control, whose scores may tie, of
        the sizes of the groups of equal scores as well.
        """
        content: dict[str, ids.Jsonable] = {
            "variant_id": self.variant.variant_id,
            "question_id": question_id,
            "stage": stage,
            "unit_ids": [unit.unit_id for unit in units],
        }
        if self.variant.is_control:
            content["ties"] = _tie_sizes(units)
        self.question_ids.append(question_id)
        self.stages.append(stage)
        self.ranking_ids.append(ids.content_id("rnk", content))
        self.notes.append(ids.canonical_json(list(notes)))
        self.lists.append(units)

    def question_rankings(self, run_id: str) -> pl.DataFrame:
        """Rows of `runs.question_ranking`, one per list."""
        columns = {
            "retrieval_run_id": [run_id] * len(self.ranking_ids),
            "question_id": self.question_ids,
            "stage": self.stages,
            "ranking_id": self.ranking_ids,
            "n_units": [len(units) for units in self.lists],
            "notes": self.notes,
        }
        return tables.QUESTION_RANKING.validate(pl.DataFrame(columns, schema=tables.QUESTION_RANKING.schema))

    def rankings(self) -> pl.DataFrame:
        """Rows of `runs.ranking`, one per place."""
        columns = {
            "ranking_id": [name for name, units in zip(self.ranking_ids, self.lists, strict=True) for _ in units],
            "rank": [rank for units in self.lists for rank in range(1, len(units) + 1)],
            "unit_id": [unit.unit_id for units in self.lists for unit in units],
            "score": [float(unit.score) for units in self.lists for unit in units],
        }
        return tables.RANKING.validate(pl.DataFrame(columns, schema=tables.RANKING.schema))


def _tie_sizes(units: Sequence[RankedUnit]) -> list[int]:
    sizes: list[int] = []
    for place, unit in enumerate(units):
        if place and units[place - 1].score == unit.score:
            sizes[-1] += 1
        else:
            sizes.append(1)
    return sizes
