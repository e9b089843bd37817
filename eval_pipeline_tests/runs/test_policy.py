from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import pytest

from eval_pipeline.foundation.errors import InputError
from eval_pipeline.foundation.protocols import RankedUnit, StagedRanking
from eval_pipeline.runs.declared import PolicySettings
from eval_pipeline.runs.policy import FinalRetriever
from eval_pipeline.runs.retrieval_corpus import RetrievalCorpus


@dataclass(frozen=True)
class Given:
    pairs: Sequence[tuple[str, float]]

    def rank(self, question: str, depth: int) -> StagedRanking:
        return StagedRanking(
            stages={"own": [RankedUnit(unit_id=name, score=score) for name, score in self.pairs][:depth]}
        )

    def score(self, question: str, unit_ids: Sequence[str]) -> Mapping[str, float] | None:
        return dict(self.pairs)


ALL = (("a", 4.0), ("b", 3.0), ("c", 2.0), ("d", 1.0))


def names(units: Sequence[RankedUnit]) -> str:
    return "".join(unit.unit_id for unit in units)


@pytest.fixture
def final(corpus: RetrievalCorpus) -> Callable[..., FinalRetriever]:
    def make(pairs: Sequence[tuple[str, float]] = ALL, visible: str | None = None, **policy: int) -> FinalRetriever:
        seen = replace(corpus, visible=None if visible is None else frozenset(visible))
        return FinalRetriever(name="v", source=Given(pairs), corpus=seen, policy=PolicySettings(**policy))

    return make


def test_without_a_policy_the_last_stage_is_the_final_one(final: Callable[..., FinalRetriever]) -> None:
    stages = final().rank("q", 3).stages
    assert {stage: names(units) for stage, units in stages.items()} == {"own": "abc", "eligible": "abc", "final": "abc"}


def test_units_that_the_asker_may_not_see_are_gone_and_the_list_is_filled_from_below(
    final: Callable[..., FinalRetriever],
) -> None:
    retriever = final(visible="bd")
    stages = retriever.rank("q", 2).stages
    assert {stage: names(units) for stage, units in stages.items()} == {"own": "ab", "eligible": "bd", "final": "bd"}
    assert retriever.score("q", ["a", "b"]) == {"b": 3.0}


def test_at_most_one_unit_per_document_then_the_cut_off(final: Callable[..., FinalRetriever]) -> None:
    assert names(final(max_per_document=1).rank("q", 4).stages["final"]) == "ac"
    assert names(final(max_per_document=1).rank("q", 4).stages["eligible"]) == "abcd"
    assert names(final(cut_off=2).rank("q", 4).stages["final"]) == "ab"
    assert names(final(cut_off=9).rank("q", 1).stages["final"]) == "a"


def test_scores_rank_whatever_order_they_come_in_and_ties_stand_by_unit_id(
    final: Callable[..., FinalRetriever],
) -> None:
    pairs = (("d", 1.0), ("c", 2.0), ("b", 2.0), ("a", 0.5))
    assert names(final(pairs).rank("q", 4).stages["final"]) == "bcda"


def test_run_07_scores_keep_sixteen_digits(final: Callable[..., FinalRetriever]) -> None:
    pairs = (("a", 0.1234567890123455), ("b", 0.1234567890123456))
    assert names(final(pairs).rank("q", 4).stages["final"]) == "ba"


@pytest.mark.parametrize(
    ("pairs", "words"),
    [
        ((("a", 1.0), ("a", 0.5)), "'a' is returned twice"),
        ((("gone", 1.0),), "'gone' is not in the corpus"),
        ((("a", float("nan")),), "not a finite number"),
        ((("a", float("-inf")),), "not a finite number"),
    ],
)
def test_run_02_05_07_a_bad_answer_is_refused_by_name(
    final: Callable[..., FinalRetriever], pairs: tuple[tuple[str, float], ...], words: str
) -> None:
    with pytest.raises(InputError, match=words):
        final(pairs).rank("q", 4)
