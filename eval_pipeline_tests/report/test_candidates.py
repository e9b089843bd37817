"""The candidate table in words."""

from typing import Any

import polars as pl
import pytest

from eval_pipeline.receipts.candidate_table import CANDIDATE
from eval_pipeline.report.candidates import lay_candidates, say_contains, say_looks, say_role, write_place

TOLD = {"g": ("revenue", "a.pdf p. 1"), "n": ("costs", "a.pdf p. 2"), "x": ("cover", "b.pdf p. 1")}


def a_candidate(unit_id: str, role: str, **columns: Any) -> dict[str, Any]:
    return {"question_id": "q", "unit_id": unit_id, "role": role, "places": "{}", **columns}


def some_candidates() -> pl.DataFrame:
    return CANDIDATE.frame(
        [
            a_candidate("g", "gold", similarity=1.0, grade="sufficient", author_kind="judge", places='{"image":2}'),
            a_candidate(
                "n", "negative", axis="period", axis_rank=1, similarity=0.98, corpus_rank=3, n_corpus=1499,
                grade="supporting", author_kind="generator-truth", places='{"image":1,"text":12}',
            ),
            a_candidate("secret", "negative", axis="period", axis_rank=2),
            a_candidate("x", "returned"),
        ]
    )  # fmt: skip


def test_what_a_person_asks_of_every_page():
    table = lay_candidates(some_candidates(), variants=("image", "text"), told=TOLD)
    assert table.to_frame().rows() == [
        ("revenue (a.pdf p. 1)", "gold", "the page itself", "yes: sufficient (model judge)", "2", "-"),
        (
            "costs (a.pdf p. 2)", "other period 1", "3rd of 1,499, 0.980",
            "in part: supporting (stand-in reviewer (generator-truth))", "1", "12",
        ),
        ("cover (b.pdf p. 1)", "came back", "not known", "not judged", "-", "-"),
    ]  # fmt: skip
    assert table.to_frame().columns == [
        "page", "role", "looks like the answer?", "contains the answer?", "place in image", "place in text",
    ]  # fmt: skip
    assert [row.kind for row in table.rows] == ["sufficient", "supporting", "unjudged"]


def test_a_page_that_may_not_be_shown_is_left_out_with_all_that_is_known_of_it():
    table = lay_candidates(some_candidates(), variants=("image",), told=TOLD)
    assert "secret" not in {row.unit_id for row in table.rows}
    assert lay_candidates(some_candidates(), variants=("image",), told={}).rows == ()


@pytest.mark.parametrize(
    ("grade", "kind", "told"),
    [
        ("irrelevant", "human", "no: irrelevant (person)"),
        (None, None, "not judged"),
        (None, "human", "contested"),
    ],
)
def test_no_label_is_not_a_no(grade, kind, told):
    assert say_contains(grade, kind) == told


def test_roles_and_places():
    assert say_role({"role": "negative", "axis": "appearance", "axis_rank": 2}) == "nearest by appearance 2"
    assert say_looks({"similarity": 0.5, "corpus_rank": 111, "n_corpus": 200}) == "111th of 200, 0.500"
    assert [write_place(place) for place in (1, 22, 13, 103)] == ["1st", "22nd", "13th", "103rd"]
