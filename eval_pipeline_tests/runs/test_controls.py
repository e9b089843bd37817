from collections.abc import Callable
from dataclasses import replace

import polars as pl
import pytest

from eval_pipeline.foundation.errors import InputError
from eval_pipeline.runs.controls import build_control
from eval_pipeline.runs.retrieval_corpus import RetrievalCorpus

CANDIDATES = pl.DataFrame(
    [("q", "siblings", unit, "a") for unit in "abcd"],
    schema=["question_id", "arena", "unit_id", "gold_unit_id"],
    orient="row",
)


def scores(kind: str, corpus: RetrievalCorpus, candidates: pl.DataFrame = CANDIDATES) -> dict[str, float]:
    scored = build_control(kind=kind, corpus=corpus).score_arenas(candidates)
    return dict(scored.select("unit_id", "score").iter_rows())


def test_random_knows_nothing(corpus: RetrievalCorpus) -> None:
    assert scores("control-random", corpus) == dict.fromkeys("abcd", 0.0)


def test_template_knows_the_template_and_nothing_else(corpus: RetrievalCorpus) -> None:
    known = replace(corpus, template_of={"a": "t1", "b": "t1", "c": "t2"})
    assert scores("control-template", known) == {"a": 1.0, "b": 1.0, "c": 0.0, "d": 0.0}


def test_where_gold_has_no_template_nothing_is_known(corpus: RetrievalCorpus) -> None:
    assert scores("control-template", corpus) == dict.fromkeys("abcd", 0.0)
    known = replace(corpus, template_of={"b": "t1"})
    assert scores("control-template", known) == dict.fromkeys("abcd", 0.0)


def test_facets_rank_by_the_share_of_equal_facets(
    corpus: RetrievalCorpus, make_units: Callable[..., pl.DataFrame]
) -> None:
    facets = [
        '{"entity":"x","period":"2021"}',
        '{"entity":"x","period":"2021","revision":"original"}',
        '{"entity":"x","period":"2021","revision":"restated"}',
        '{"entity":"x"}',
    ]
    known = replace(corpus, units=make_units("a", "b", "c", "d", facets=facets))
    assert scores("control-facets", known) == pytest.approx({"a": 1.0, "b": 1.0, "c": 2 / 3, "d": 2 / 3})


def test_appearance_leaves_out_what_has_no_vector_and_says_that_it_reads_all(corpus: RetrievalCorpus) -> None:
    extra = pl.concat([CANDIDATES, CANDIDATES[:1].with_columns(unit_id=pl.lit("no vector"))])
    assert sorted(scores("control-appearance", corpus, extra)) == ["a", "b", "c", "d"]
    assert build_control(kind="control-appearance", corpus=corpus).reads_all_questions
    assert not build_control(kind="control-facets", corpus=corpus).reads_all_questions


def test_no_candidates_no_rows(corpus: RetrievalCorpus) -> None:
    for kind in ("control-random", "control-template", "control-facets", "control-appearance"):
        scored = build_control(kind=kind, corpus=corpus).score_arenas(CANDIDATES.clear())
        assert (scored.height, scored.schema["score"]) == (0, pl.Float64)


@pytest.mark.parametrize("kind", ["control-appearance", "control-template"])
def test_what_a_control_knows_must_be_there(corpus: RetrievalCorpus, kind: str) -> None:
    with pytest.raises(InputError, match="control-template needs template_of, control-appearance vectors"):
        build_control(kind=kind, corpus=replace(corpus, vectors=None, template_of=None))
