import sys
import types
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from eval_pipeline.foundation.config import ProjectConfig
from eval_pipeline.foundation.errors import ConfigError, InputError
from eval_pipeline.foundation.protocols import RankedUnit, StagedRanking
from eval_pipeline.runs.building import RetrievalCorpus, build_retriever
from eval_pipeline.runs.policy import FinalRetriever
from eval_pipeline.runs.variants import Variant, declare_variants


class ByLength:
    """A user's retriever: longer texts first."""

    CODE_VERSION = "7"

    def __init__(self, *, corpus: RetrievalCorpus, sign: float = 1.0) -> None:
        self.lengths = {unit: sign * len(corpus.texts.get(unit, "")) for unit in corpus.units["unit_id"].to_list()}

    def rank(self, question: str, depth: int) -> StagedRanking:
        order = sorted(self.lengths, key=lambda unit: (-self.lengths[unit], unit))[:depth]
        return StagedRanking(stages={"final": [RankedUnit(unit_id=unit, score=self.lengths[unit]) for unit in order]})

    def score(self, question: str, unit_ids: Sequence[str]) -> Mapping[str, float] | None:
        return None


class NoRetriever:
    """It cannot rank."""

    def __init__(self, *, corpus: RetrievalCorpus) -> None:
        self.corpus = corpus


@pytest.fixture(autouse=True)
def user_package(monkeypatch: pytest.MonkeyPatch) -> None:
    module = types.ModuleType("users_package")
    module.ByLength, module.NoRetriever = ByLength, NoRetriever  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "users_package", module)


def declare(**variants: dict[str, Any]) -> dict[str, Variant]:
    config = ProjectConfig(variants=variants) if variants else ProjectConfig()
    return {variant.name: variant for variant in declare_variants(config=config, encoder_id="enc")}


def final(variant: Variant, corpus: RetrievalCorpus, question: str) -> str:
    retriever = build_retriever(variant=variant, corpus=corpus)
    assert isinstance(retriever, FinalRetriever)
    return "".join(unit.unit_id for unit in retriever.rank(question, 4).stages["final"])


def test_own_variants(corpus: RetrievalCorpus) -> None:
    declared = declare()
    assert final(declared["image"], corpus, "alpha") == "abcd"
    assert final(declared["text"], corpus, "cover alpha") == "a"
    assert final(declared["hybrid"], corpus, "revenue 2022")[0] == "d"


def test_a_users_class_by_name_with_its_settings(corpus: RetrievalCorpus) -> None:
    declared = declare(
        mine={"type": "users_package:ByLength"},
        turned={"type": "users_package:ByLength", "sign": -1.0, "max_per_document": 1},
    )
    assert final(declared["mine"], corpus, "any") == "dcab"
    assert final(declared["turned"], corpus, "any") == "bc"
    assert declared["mine"].configuration["code_version"] == "7"


def test_a_users_class_as_part_of_a_hybrid(corpus: RetrievalCorpus) -> None:
    declared = declare(
        mine={"type": "users_package:ByLength"}, text={"type": "text"}, both={"type": "hybrid", "of": ["mine", "text"]}
    )
    retriever = build_retriever(variant=declared["both"], corpus=corpus)
    assert isinstance(retriever, FinalRetriever)
    answer = retriever.rank("revenue 2021", 4)
    assert list(answer.stages) == ["mine:final", "lexical", "fused", "eligible", "final"]


@pytest.mark.parametrize(
    ("declared", "words"),
    [
        ({"type": "users_package:ByLength", "size": 3}, "does not take corpus and"),
        ({"type": "users_package:NoRetriever"}, "has no method rank, score"),
    ],
)
def test_a_class_that_does_not_fit_is_named(corpus: RetrievalCorpus, declared: dict[str, Any], words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        build_retriever(variant=declare(v=declared)["v"], corpus=corpus)


def test_pictures_need_vectors_and_an_encoder(corpus: RetrievalCorpus) -> None:
    for bare in (replace(corpus, vectors=None), replace(corpus, encoder=None)):
        with pytest.raises(InputError, match="variant 'image' searches pictures"):
            build_retriever(variant=declare()["image"], corpus=bare)


def test_controls_are_built_as_well(corpus: RetrievalCorpus) -> None:
    for name, variant in declare().items():
        if variant.is_control:
            assert hasattr(build_retriever(variant=variant, corpus=corpus), "score_arenas"), name


def test_variants_of_one_corpus_encode_a_question_once(corpus: RetrievalCorpus) -> None:
    declared = declare()
    first, second = (build_retriever(variant=declared[name], corpus=corpus) for name in ("image", "hybrid"))
    alone = first.rank("alpha", 4)  # type: ignore[union-attr]
    vector, _ = corpus.encoded["alpha"]
    assert second.rank("alpha", 4).stages["image.exact"] == alone.stages["image.exact"]  # type: ignore[union-attr]
    assert corpus.encoded["alpha"][0] is vector
