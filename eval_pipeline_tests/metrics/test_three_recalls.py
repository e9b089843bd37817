"""Three numbers side by side."""

import polars as pl
import pytest

from eval_pipeline.metrics.three_recalls import NO_INDEX, NO_QUESTION, NO_VECTORS, measure_recalls

SCHEMA = {"question_id": pl.String, "stage": pl.String, "rank": pl.Int64, "unit_id": pl.String}
ASKED = pl.DataFrame({"question_id": ["q", "r", "without"]})
SUFFICIENT = pl.DataFrame({"question_id": ["q", "r"], "unit_id": ["g", "g"]})


def lists(**stages):
    rows = [
        (question, stage.replace("_", "."), rank, unit)
        for stage, of in stages.items()
        for question, units in of.items()
        for rank, unit in enumerate(units, 1)
    ]
    return pl.DataFrame(rows, schema=SCHEMA, orient="row")


def measure(rankings, k=2):
    return measure_recalls(rankings=rankings, sufficient=SUFFICIENT, question_ids=ASKED, k=k)


def test_all_three():
    found = measure(
        lists(
            image_exact={"q": "abcg", "r": "abcd"},
            image_ann={"q": "ab", "r": "abcd"},
            final={"q": "ab", "r": "gb"},
        )
    )
    assert (found.representation.value, found.representation.n) == (0.5, 2)
    assert found.neighbour.value == pytest.approx(0.75)
    assert (found.final.value, found.final.n) == (0.5, 2)
    assert (found.depth, found.k) == (4, 2)


def test_a_number_or_a_reason():
    text = measure(lists(lexical={"q": "g"}, final={"q": "g"}))
    assert (text.representation.value, text.representation.reason) == (None, NO_VECTORS)
    assert (text.neighbour.value, text.neighbour.reason) == (None, NO_VECTORS)
    assert text.final.value == 0.5
    exact = measure(lists(image_exact={"q": "g"}, final={"q": "g"}))
    assert (exact.neighbour.value, exact.neighbour.reason) == (None, NO_INDEX)
    none = measure_recalls(rankings=lists(final={"q": "g"}), sufficient=SUFFICIENT.clear(), question_ids=ASKED, k=1)
    assert (none.final.value, none.final.reason) == (None, NO_QUESTION)


def test_an_index_that_found_nothing_for_a_question_counts_as_nothing():
    found = measure(lists(image_exact={"q": "ab", "r": "ab"}, image_ann={"q": "ab"}, final={"q": "ab"}))
    assert (found.neighbour.value, found.neighbour.n) == (0.5, 2)


def test_only_the_first_k_count_in_the_end():
    assert measure(lists(final={"q": "abg"}), k=2).final.value == 0.0
    assert measure(lists(final={"q": "abg"}), k=3).final.value == 0.5
