import sys
import types
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from eval_pipeline.foundation.config import ProjectConfig
from eval_pipeline.foundation.errors import ConfigError, InputError
from eval_pipeline.runs.building import build_retriever
from eval_pipeline.runs.retrieval_corpus import RetrievalCorpus
from eval_pipeline.runs.variants import Variant, declare_variants


class ByName:
    """Later names first; of some it has nothing to say."""

    CODE_VERSION = "3"

    def __init__(self, *, corpus: RetrievalCorpus, forgets: str = "") -> None:
        self.forgets = forgets

    def rerank(self, question: str, unit_ids: Sequence[str]) -> Mapping[str, float]:
        return {unit: float(ord(unit)) for unit in unit_ids if unit not in self.forgets}


@pytest.fixture(autouse=True)
def user_package(monkeypatch: pytest.MonkeyPatch) -> None:
    module = types.ModuleType("users_reranker")
    module.ByName = ByName  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "users_reranker", module)


def declare(**rerank: Any) -> Variant:
    declared = {"v": {"type": "image", "rerank": {"type": "users_reranker:ByName", **rerank}}}
    return declare_variants(config=ProjectConfig(variants=declared), encoder_id="enc")[0]


def test_the_first_units_are_scored_anew_and_the_rest_is_left_out(corpus: RetrievalCorpus) -> None:
    answer = build_retriever(variant=declare(top=3), corpus=corpus).rank("alpha", 4)  # type: ignore[union-attr]
    found = {stage: "".join(unit.unit_id for unit in units) for stage, units in answer.stages.items()}
    assert found == {"image.exact": "abcd", "reranked": "cba", "eligible": "cba", "final": "cba"}
    assert set(answer.elapsed_s) == {"image.exact", "reranked"}


def test_a_short_answer_is_the_beginning_of_a_longer_one(corpus: RetrievalCorpus) -> None:
    retriever = build_retriever(variant=declare(top=3), corpus=corpus)
    answer = retriever.rank("alpha", 1)  # type: ignore[union-attr]
    assert [unit.unit_id for unit in answer.stages["final"]] == ["c"]
    assert len(answer.stages["image.exact"]) == 1


def test_arenas_are_ordered_by_the_reranker(corpus: RetrievalCorpus) -> None:
    retriever = build_retriever(variant=declare(top=1), corpus=corpus)
    assert retriever.score("alpha", ["b", "d"]) == {"b": 98.0, "d": 100.0}  # type: ignore[union-attr]


def test_a_unit_without_a_score_is_no_silent_loss(corpus: RetrievalCorpus) -> None:
    retriever = build_retriever(variant=declare(forgets="b"), corpus=corpus)
    with pytest.raises(InputError, match="no finite score to 1 of 4 units, first 'b'"):
        retriever.rank("alpha", 4)  # type: ignore[union-attr]


def test_it_is_part_of_the_variant() -> None:
    plain = declare_variants(config=ProjectConfig(variants={"v": {"type": "image"}}), encoder_id="enc")[0]
    assert (
        len({plain.variant_id, declare().variant_id, declare(top=9).variant_id, declare(forgets="a").variant_id}) == 4
    )
    assert declare().configuration["rerank"]["code_version"] == "3"
    assert "rerank" not in plain.configuration


@pytest.mark.parametrize(
    ("rerank", "key", "words"),
    [
        ({"type": "users_reranker:None"}, "variants.v.rerank.type", "cannot load"),
        ({"top": 0}, "variants.v.rerank.top", "whole number from 1"),
        ({"type": None}, "variants.v.rerank.type", "required"),
    ],
)
def test_a_wrong_declaration_names_its_key(rerank: dict[str, Any], key: str, words: str) -> None:
    with pytest.raises(ConfigError, match=words) as caught:
        declare(**rerank)
    assert caught.value.key == key


def test_something_that_cannot_rerank_is_refused(corpus: RetrievalCorpus) -> None:
    declared = {"v": {"type": "text", "rerank": {"type": "json:JSONDecoder"}}}
    variant = declare_variants(config=ProjectConfig(variants=declared), encoder_id="enc")[0]
    with pytest.raises(ConfigError, match="does not take corpus"):
        build_retriever(variant=variant, corpus=corpus)
