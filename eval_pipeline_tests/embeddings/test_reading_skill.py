"""Expectations over draws of negatives, against drawing them all."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from eval_pipeline.embeddings.reading_skill import (
    SkillFigure,
    SkillPage,
    SkillQuestion,
    iterate_rows,
    measure_reading_skill,
)
from eval_pipeline.embeddings.vectors import normalise_rows
from eval_pipeline.foundation.errors import InputError
from eval_pipeline.foundation.protocols import EncodedTexts, Vectors

AXES = ("period", "metric", "entity")


class Tabled:
    """Vectors from two tables, by name."""

    encoder_id, name, dim, is_trained = "enc_t", "tabled", 3, True

    def __init__(self, pictures: Mapping[str, Sequence[float]], texts: Mapping[str, Sequence[float]]) -> None:
        self._pictures, self._texts = pictures, texts

    def describe(self) -> Mapping[str, str | int | float | bool | None]:
        return {}

    def encode_pictures(self, paths: Sequence[Path]) -> Vectors:
        return normalise_rows(np.array([self._pictures[path.name] for path in paths]))

    def encode_texts(self, texts: Sequence[str]) -> EncodedTexts:
        matrix = normalise_rows(np.array([self._texts[text] for text in texts]))
        return EncodedTexts(matrix=matrix, is_truncated=np.zeros(len(texts), dtype=np.bool_))


def a_page(name: str, *, template: str = "t", **facets: str) -> SkillPage:
    values = {"period": "Q1", "metric": "revenue", "entity": "A"} | facets
    return SkillPage(picture=Path(name), template=template, facets=values)


def by_name(figures: Sequence[SkillFigure]) -> dict[str, SkillFigure]:
    return {figure.name: figure for figure in figures}


def test_the_random_figure_is_the_mean_over_every_draw() -> None:
    rng = np.random.default_rng(0)
    pictures = {f"p{row}": rng.normal(size=3).tolist() for row in range(9)}
    encoder = Tabled(pictures, {"q": [1.0, 0.2, 0.0], "r": [0.0, 1.0, 0.0]})
    pages = [a_page(name, template=name) for name in pictures]
    questions = [SkillQuestion(text="q", gold=2, answering=frozenset({5})), SkillQuestion(text="r", gold=0)]
    figure = by_name(measure_reading_skill(encoder=encoder, pages=pages, questions=questions, axes=AXES))["random"]
    vectors = encoder.encode_pictures([page.picture for page in pages])
    wins = []
    for question in questions:
        scores = vectors @ encoder.encode_texts([question.text]).matrix[0]
        others = [row for row in range(9) if row not in {question.gold, *question.answering}]
        draws = list(combinations(others, 4))
        wins.append(sum(all(scores[question.gold] > scores[row] for row in draw) for draw in draws) / len(draws))
    assert figure.top1 == pytest.approx(sum(wins) / 2)
    assert (figure.n_questions, figure.n_negatives, figure.chance) == (2, 4, 0.2)


def test_an_axis_takes_look_alikes_that_differ_there_only() -> None:
    pages = [a_page("gold"), *(a_page(f"m{k}", metric=f"m{k}") for k in range(5))]
    pages += [a_page("both", metric="x", entity="B"), a_page("far", metric="y", template="other")]
    pictures: dict[str, Sequence[float]] = {page.picture.name: [0.0, 1.0, 0.0] for page in pages}
    pictures |= {"gold": [1.0, 0.1, 0.0], "both": [1.0, 0.0, 0.0], "far": [1.0, 0.0, 0.0]}
    encoder = Tabled(pictures, {"q": [1.0, 0.0, 0.0]})
    figures = by_name(
        measure_reading_skill(encoder=encoder, pages=pages, questions=[SkillQuestion(text="q", gold=0)], axes=AXES)
    )
    assert figures["axis:metric"].top1 == 1.0
    assert figures["axis:metric"].chance == pytest.approx(1 / 6)
    assert figures["axis:period"].top1 is None
    assert figures["axis:period"].n_questions == 0
    assert figures["random"].top1 == pytest.approx(5 / 35)


def test_siblings_come_from_the_axes_in_turn_and_nearest_first() -> None:
    near, far = [1.0, 0.05, 0.0], [0.0, 0.0, 1.0]
    pages = [a_page("gold"), *(a_page(f"p{k}", period=f"p{k}") for k in range(4)), a_page("e0", entity="B")]
    pictures: dict[str, Sequence[float]] = {f"p{k}": far for k in range(4)}
    pictures |= {"gold": [1.0, 0.0, 0.0], "e0": far, "p3": near}
    encoder = Tabled(pictures, {"q": [1.0, 0.1, 0.0]})
    asked = [SkillQuestion(text="q", gold=0)]
    figures = by_name(measure_reading_skill(encoder=encoder, pages=pages, questions=asked, axes=AXES))
    assert figures["siblings"].n_questions == 1
    assert figures["siblings"].top1 == 0.0  # p3, nearest of its axis, is among them and scores higher
    spared = [SkillQuestion(text="q", gold=0, answering=frozenset({4}))]
    figures = by_name(measure_reading_skill(encoder=encoder, pages=pages, questions=spared, axes=AXES))
    assert figures["siblings"].top1 == 1.0


def test_a_tie_counts_against_the_page() -> None:
    pages = [a_page(f"p{row}", template=str(row)) for row in range(5)]
    encoder = Tabled({page.picture.name: [1.0, 0.0, 0.0] for page in pages}, {"q": [1.0, 0.0, 0.0]})
    asked = [SkillQuestion(text="q", gold=0)]
    assert measure_reading_skill(encoder=encoder, pages=pages, questions=asked, axes=AXES)[0].top1 == 0.0


def test_nothing_to_ask_and_an_unreadable_picture_are_named() -> None:
    encoder = Tabled({"gold": [np.nan] * 3}, {"q": [1.0, 0.0, 0.0]})
    with pytest.raises(InputError, match="no question"):
        measure_reading_skill(encoder=encoder, pages=[a_page("gold")], questions=[], axes=AXES)
    with pytest.raises(InputError, match="gold cannot be read"):
        measure_reading_skill(
            encoder=encoder, pages=[a_page("gold")], questions=[SkillQuestion(text="q", gold=0)], axes=AXES
        )


def test_rows_are_plain_and_rounded() -> None:
    figure = SkillFigure(name="random", n_negatives=4, n_questions=3, top1=2 / 3)
    assert list(iterate_rows([figure])) == [
        {"arena": "random", "n_negatives": 4, "n_questions": 3, "top1": 0.6667, "chance": 0.2}
    ]
