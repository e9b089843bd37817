import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from eval_pipeline.runs.retrieval_corpus import RetrievalCorpus
from eval_pipeline.runs.text import TextRetriever
from eval_pipeline.runs.tokens import tokenize


def bm25(texts: dict[str, str], question: str, k1: float = 1.5, b: float = 0.75) -> dict[str, float]:
    """Lucene's BM25, written out."""
    tokens = {unit: tokenize(text) for unit, text in texts.items()}
    mean = sum(map(len, tokens.values())) / len(tokens)
    scores = {}
    for unit, words in tokens.items():
        score = 0.0
        for term in tokenize(question):
            n = sum(term in other for other in tokens.values())
            tf = words.count(term)
            idf = math.log(1 + (len(tokens) - n + 0.5) / (n + 0.5))
            score += idf * tf / (tf + k1 * (1 - b + b * len(words) / mean))
        if score > 0:
            scores[unit] = score
    return scores


def test_scores_are_those_of_bm25_and_pages_without_a_shared_token_do_not_come(corpus: RetrievalCorpus) -> None:
    retriever = TextRetriever(corpus=corpus)
    found = retriever.rank("revenue in 2021", 10).stages["lexical"]
    expected = bm25(dict(corpus.texts), "revenue in 2021")
    assert {unit.unit_id: unit.score for unit in found} == pytest.approx(expected)
    assert sorted(expected) == ["c", "d"]
    assert [unit.unit_id for unit in found] == sorted(expected, key=lambda unit: (-expected[unit], unit))


def test_score_agrees_with_rank_and_leaves_out_what_shares_nothing(corpus: RetrievalCorpus) -> None:
    retriever = TextRetriever(corpus=corpus)
    ranked = {unit.unit_id: unit.score for unit in retriever.rank("revenue 2021", 10).stages["lexical"]}
    assert retriever.score("revenue 2021", ["d", "a", "c", "unknown"]) == ranked


@pytest.mark.parametrize("question", ["", "?!", "zebra"])
def test_a_question_without_a_known_word_gets_an_empty_list(corpus: RetrievalCorpus, question: str) -> None:
    assert TextRetriever(corpus=corpus).rank(question, 5).stages == {"lexical": []}


@pytest.mark.parametrize("texts", [{}, {"a": "", "b": " "}])
def test_a_corpus_without_text_gets_an_empty_list(corpus: RetrievalCorpus, texts: dict[str, str]) -> None:
    assert TextRetriever(corpus=replace(corpus, texts=texts)).rank("revenue", 5).stages == {"lexical": []}


def test_the_order_of_arrival_does_not_matter(corpus: RetrievalCorpus) -> None:
    turned = replace(corpus, units=corpus.units.reverse(), texts=dict(reversed(corpus.texts.items())))
    assert TextRetriever(corpus=turned).rank("revenue 2021 1204", 9) == TextRetriever(corpus=corpus).rank(
        "revenue 2021 1,204", 9
    )


def test_ties_stand_in_order_of_unit_ids(make_units: Callable[..., pl.DataFrame]) -> None:
    units = make_units("z", "m", "k")
    corpus = RetrievalCorpus(
        units=units, texts={"z": "cash", "m": "cash", "k": "cash"}, vectors=None, encoder=None, home=Path()
    )
    found = TextRetriever(corpus=corpus).rank("cash", 2).stages["lexical"]
    assert [unit.unit_id for unit in found] == ["k", "m"]
