import numpy as np
import pytest

from eval_pipeline.foundation.protocols import Encoder, UnitVectors
from eval_pipeline.runs.image import ImageRetriever
from eval_pipeline.runs.retrieval_corpus import RetrievalCorpus


@pytest.fixture
def retriever(corpus: RetrievalCorpus, encoder: Encoder) -> ImageRetriever:
    assert corpus.vectors is not None
    return ImageRetriever(vectors=corpus.vectors, encoder=encoder)


def test_nearest_pictures_first_with_cosine_as_score(retriever: ImageRetriever) -> None:
    found = retriever.rank("alpha", 3).stages["image.exact"]
    assert [unit.unit_id for unit in found] == ["a", "b", "c"]
    assert [unit.score for unit in found] == pytest.approx([4 / 17**0.5, 3 / 10**0.5, 2 / 5**0.5])


def test_score_is_exactly_that_of_rank_and_unknown_units_are_absent(retriever: ImageRetriever) -> None:
    ranked = {unit.unit_id: unit.score for unit in retriever.rank("beta", 4).stages["image.exact"]}
    assert retriever.score("beta", ["d", "no vector", "a"]) == {unit: ranked[unit] for unit in ("d", "a")}
    assert retriever.score("beta", []) == {}


def test_questions_asked_together_or_alone_get_the_same_bytes(retriever: ImageRetriever, encoder: Encoder) -> None:
    questions = [f"question {number}" for number in range(20)]
    alone = [ImageRetriever(vectors=retriever.vectors, encoder=encoder).rank(text, 3) for text in questions]
    retriever.announce_questions([*questions, questions[0]], 3)
    assert [retriever.rank(text, 3) for text in questions] == alone


def test_a_question_that_the_encoder_cut_says_so(retriever: ImageRetriever) -> None:
    assert retriever.rank("one two three four five six seven eight nine", 1).notes == ("truncated",)
    assert retriever.rank("alpha", 1).notes == ()


def test_an_empty_corpus_gives_an_empty_list(encoder: Encoder) -> None:
    nothing = UnitVectors(
        unit_ids=np.array([], dtype=np.str_), matrix=np.zeros((0, 4), dtype=np.float32), encoder_id="e"
    )
    assert ImageRetriever(vectors=nothing, encoder=encoder).rank("alpha", 3).stages == {"image.exact": []}
