from collections.abc import Mapping, Sequence

from eval_pipeline.foundation.protocols import RankedUnit, StagedRanking
from eval_pipeline.runs.announcing import announce, announce_scores, close, last_stage


class Plain:
    def rank(self, question: str, depth: int) -> StagedRanking:
        return StagedRanking(stages={})

    def score(self, question: str, unit_ids: Sequence[str]) -> None:
        return None


class Listening(Plain):
    def __init__(self) -> None:
        self.heard: list[object] = []

    def announce_questions(self, questions: Sequence[str], depth: int) -> None:
        self.heard.append((*questions, depth))

    def announce_scores(self, wanted: Mapping[str, Sequence[str]]) -> None:
        self.heard.append(dict(wanted))

    def close(self) -> None:
        self.heard.append("closed")


def test_who_can_use_it_is_told_and_others_are_left_alone() -> None:
    listening = Listening()
    for retriever in (listening, Plain()):
        announce(retriever, ["a", "b"], 3)
        announce_scores(retriever, {"a": ["u"]})
        close(retriever)
    assert listening.heard == [("a", "b", 3), {"a": ["u"]}, "closed"]


def test_the_last_stage_is_the_answer() -> None:
    unit = RankedUnit(unit_id="u", score=1.0)
    assert last_stage(StagedRanking(stages={"lexical": [], "fused": [unit]})) == [unit]
    assert last_stage(StagedRanking(stages={})) == []
