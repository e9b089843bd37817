"""Lists of a run that was brought as files: its stages, what the asker may see of the answer, and the arenas."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import polars as pl

from eval_pipeline.foundation.ordering import rank_by_score
from eval_pipeline.foundation.protocols import RankedUnit
from eval_pipeline.runs.ranking_rows import RankingRows
from eval_pipeline.runs.run_file import RunFile
from eval_pipeline.runs.run_lines import LookedUp
from eval_pipeline.runs.stage_names import ARENA_PREFIX, ELIGIBLE, FINAL, RETURNED


@dataclass(frozen=True, kw_only=True)
class ImportedLists:
    """Files on their way into the tables.

    Attributes:
        declared: the run file.
        files: its files, looked up, by path.
        units: rows of the view `corpus.unit_in_force`.
        visible: units that the asker may see; with it the stages `returned` and `eligible` are kept as well.
        notes: of every list.
        rows: where the lists go.
    """

    declared: RunFile
    files: Mapping[str, LookedUp]
    units: pl.DataFrame
    visible: frozenset[str] | None
    notes: Sequence[str]
    rows: RankingRows

    def add_stages(self, depth: int) -> None:
        """Take the declared stages, the answer, what of it may be seen, and what the policy leaves, to `depth`."""
        for stage, path in self.declared.stages.items():
            self._add(stage, self._answer, _first(rank_by_score(self.files[path].good), depth))
        if self.visible is not None:
            if self.declared.path not in self.declared.stages.values():
                self._add(RETURNED, self._answer, _first(self._answer, depth))
            self._add(ELIGIBLE, self._answer, _first(self._restrict(self._answer), depth))
        self._add(FINAL, self._answer, self._apply_policy(self._restrict(self._answer), depth))

    def add_arenas(self, arenas: pl.DataFrame) -> None:
        """Order the candidates of arenas by their scores where a file has them, else as the whole answer has them.

        Args:
            arenas: question_id, arena, unit_id; questions without an answer are passed over.
        """
        scores = self.declared.scores
        scored = rank_by_score(self.files[scores].good) if scores else self._answer
        within = self._restrict(scored)
        asked = arenas.join(self._answer.select("question_id").unique(), on="question_id", how="semi")
        for (arena,), members in asked.sort("arena").group_by("arena", maintain_order=True):
            placed = within.join(members.select("question_id", "unit_id"), on=["question_id", "unit_id"], how="semi")
            self._add(f"{ARENA_PREFIX}{arena}", members, placed)

    @cached_property
    def _answer(self) -> pl.DataFrame:
        return rank_by_score(self.files[self.declared.path].good)

    def _add(self, stage: str, asked: pl.DataFrame, placed: pl.DataFrame) -> None:
        """One list for every question asked, an empty one where nothing is placed."""
        grouped = placed.sort("question_id", "rank").group_by("question_id", maintain_order=True)
        lists = asked.select("question_id").unique().join(grouped.agg("unit_id", "score"), on="question_id", how="left")
        for question_id, unit_ids, scores in lists.sort("question_id").iter_rows():
            pairs = zip(unit_ids or (), scores or (), strict=True)
            self.rows.add(
                question_id, stage, [RankedUnit(unit_id=unit, score=score) for unit, score in pairs], self.notes
            )

    def _restrict(self, ranked: pl.DataFrame) -> pl.DataFrame:
        if self.visible is None:
            return ranked
        seen = pl.DataFrame({"unit_id": sorted(self.visible)}, schema={"unit_id": pl.String})
        return rank_by_score(ranked.join(seen, on="unit_id", how="semi").drop("rank"))

    def _apply_policy(self, eligible: pl.DataFrame, depth: int) -> pl.DataFrame:
        policy, kept = self.declared.policy, eligible
        if policy.max_per_document is not None:
            of_document = eligible.join(self.units.select("unit_id", "document_id"), on="unit_id")
            place = pl.int_range(1, pl.len() + 1).over("question_id", "document_id")
            placed = of_document.sort("question_id", "rank").with_columns(place=place)
            kept = placed.filter(pl.col("place") <= policy.max_per_document).drop("document_id", "place")
        return _first(rank_by_score(kept.drop("rank")), min(depth, policy.cut_off or depth))


def _first(ranked: pl.DataFrame, depth: int) -> pl.DataFrame:
    return ranked.filter(pl.col("rank") <= depth)
