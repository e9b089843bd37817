"""Does a page look like the answer, and does it contain it: every page of a question once, under its first role."""

import json
from typing import Any

import polars as pl
from hypothesis import given, settings
from hypothesis import strategies as st

from eval_pipeline.receipts.candidate_table import CANDIDATE, tabulate_candidates

GOLD = pl.DataFrame([("q", 1, "g"), ("q", 2, "g2")], schema=["question_id", "position", "unit_id"], orient="row")
NEGATIVES = pl.DataFrame(
    [("q", "e1", "entity", 1), ("q", "p2", "period", 2), ("q", "p1", "period", 1), ("q", "a1", "appearance", 1)],
    schema=["question_id", "unit_id", "axis", "rank"],
    orient="row",
)
RETURNED = pl.DataFrame(
    [
        ("q", "image", 1, "p1"),
        ("q", "image", 2, "x"),
        ("q", "image", 3, "y"),
        ("q", "text", 1, "g"),
        ("q", "text", 3, "e1"),
    ],
    schema=["question_id", "variant", "rank", "unit_id"],
    orient="row",
)
LABELS = pl.DataFrame(
    [
        ("q", "g", "sufficient", "judge"),
        ("q", "p1", "supporting", "human"),
        ("q", "x", None, "human"),
        ("r", "y", "sufficient", "judge"),
    ],
    schema=["question_id", "unit_id", "grade", "author_kind"],
    orient="row",
)
SIMILAR = pl.DataFrame(
    [("g", "p1", 0.99, 1, 11), ("g", "x", 0.5, 7, 11), ("other", "e1", 0.9, 2, 11)],
    schema=["unit_id", "negative_unit_id", "similarity", "corpus_rank", "n_corpus"],
    orient="row",
)


def tabulate(**changes: Any) -> pl.DataFrame:
    given_ones = {"gold": GOLD, "negatives": NEGATIVES, "returned": RETURNED, "labels": LABELS, "similar": SIMILAR}
    return tabulate_candidates(**{**given_ones, "axes": ("period", "entity"), "n_returned": 2, **changes})


def test_gold_then_negatives_in_declared_order_then_what_came_back() -> None:
    table = tabulate()
    assert table.select("unit_id", "role", "axis", "axis_rank").rows() == [
        ("g", "gold", None, None),
        ("g2", "gold", None, None),
        ("p1", "negative", "period", 1),
        ("p2", "negative", "period", 2),
        ("e1", "negative", "entity", 1),
        ("a1", "negative", "appearance", 1),
        ("x", "returned", None, None),  # y came back third, and two places are shown
    ]
    assert table.select("similarity", "corpus_rank", "n_corpus").rows() == [
        (1.0, None, None),
        (None, None, None),
        (0.99, 1, 11),
        (None, None, None),
        (None, None, None),  # similar to another question's gold page
        (None, None, None),
        (0.5, 7, 11),
    ]
    assert table.select("grade", "author_kind").rows()[0] == ("sufficient", "judge")
    assert table.select("grade", "author_kind").rows()[-1] == (None, "human")
    assert [json.loads(places) for places in table["places"]] == [
        {"text": 1},
        {},
        {"image": 1},
        {},
        {"text": 3},  # beyond what is shown, its place is still told
        {},
        {"image": 2},
    ]


def test_a_question_without_gold_has_what_came_back() -> None:
    table = tabulate(gold=GOLD.clear(), negatives=NEGATIVES.clear())
    assert table.select("unit_id", "role", "similarity").rows() == [
        ("g", "returned", None),
        ("p1", "returned", None),
        ("x", "returned", None),
    ]
    empty = tabulate(gold=GOLD.clear(), negatives=NEGATIVES.clear(), returned=RETURNED.clear())
    assert empty.schema == pl.Schema(CANDIDATE.schema)


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 99))
def test_the_order_of_rows_does_not_matter(seed: int) -> None:
    shuffled = {
        "gold": GOLD.sample(fraction=1, shuffle=True, seed=seed),
        "negatives": NEGATIVES.sample(fraction=1, shuffle=True, seed=seed),
        "returned": RETURNED.sample(fraction=1, shuffle=True, seed=seed),
        "labels": LABELS.sample(fraction=1, shuffle=True, seed=seed),
    }
    assert tabulate(**shuffled).equals(tabulate())
