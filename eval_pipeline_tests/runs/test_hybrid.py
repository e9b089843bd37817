from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pytest

from eval_pipeline.foundation.protocols import RankedUnit, StagedRanking
from eval_pipeline.runs.declared import FusionSettings
from eval_pipeline.runs.hybrid import HybridRetriever, last_stage


@dataclass(frozen=True)
class Fixed:
    """Always the same list, best first by descending score from its length."""

    units: str
    stage: str = "lexical"

    def rank(self, question: str, depth: int) -> StagedRanking:
        listed = [RankedUnit(unit_id=name, score=float(len(self.units) - at)) for at, name in enumerate(self.units)]
        return StagedRanking(stages={self.stage: listed[:depth]})

    def score(self, question: str, unit_ids: Sequence[str]) -> Mapping[str, float] | None:
        return None


def hybrid(pool: int = 100, **parts: Fixed) -> HybridRetriever:
    return HybridRetriever(parts=parts, fusion=FusionSettings(), pool=pool)


def test_stages_of_the_parts_then_the_fused_one() -> None:
    answer = hybrid(image=Fixed("XaY", "image.exact"), text=Fixed("bcY")).rank("q", 10)
    assert list(answer.stages) == ["image.exact", "lexical", "fused"]
    assert "".join(unit.unit_id for unit in last_stage(answer)) == "YXbac"


def test_equal_stage_names_are_told_apart_by_the_part() -> None:
    answer = hybrid(one=Fixed("ab"), two=Fixed("ba"), three=Fixed("a", "final")).rank("q", 2)
    assert list(answer.stages) == ["lexical", "two:lexical", "three:final", "fused"]


@pytest.mark.parametrize("depth", range(7))
def test_a_shorter_answer_is_the_beginning_of_a_longer_one(depth: int) -> None:
    retriever = hybrid(pool=3, image=Fixed("abcdef", "image.exact"), text=Fixed("fedcba"))
    whole = last_stage(retriever.rank("q", 100))
    assert last_stage(retriever.rank("q", depth)) == whole[:depth]


def test_units_in_no_list_have_no_score_and_scores_are_those_of_the_ranking() -> None:
    retriever = hybrid(pool=2, image=Fixed("abc", "image.exact"), text=Fixed("bd"))
    scores = {unit.unit_id: unit.score for unit in last_stage(retriever.rank("q", 10))}
    assert retriever.score("q", ["a", "b", "c", "zzz"]) == {"a": scores["a"], "b": scores["b"]}


def test_one_part_that_answered_alone_is_flagged() -> None:
    assert hybrid(image=Fixed("ab", "image.exact"), text=Fixed("")).rank("q", 5).notes == ("single-source",)
