"""Numbers and reasons as they are spelled."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval_pipeline.report.wording import (
    explain_author,
    explain_funnel,
    explain_measure,
    explain_reason,
    join_words,
    write_count,
    write_number,
    write_percent,
)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0.00"),
        (1.0, "1.00"),
        (0.425, "0.42"),
        (0.998, "0.998"),
        (0.99999, ">0.999"),
        (1e-9, "<0.001"),
        (0.004, "0.004"),
        (-0.2, "-0.20"),
    ],
)
def test_numbers_have_two_decimals_unless_that_would_lie(value, text):
    assert write_number(value) == text


@given(st.floats(0, 1, exclude_min=True, exclude_max=True))
def test_only_nought_and_one_are_printed_as_such(value):
    assert write_number(value) not in ("0.00", "1.00")
    assert write_percent(value) not in ("0%", "100%")


def test_percent_of_the_ends():
    assert [write_percent(value) for value in (0.0, 0.001, 0.43, 0.999, 1.0)] == [
        "0%",
        "under 1%",
        "43%",
        "over 99%",
        "100%",
    ]


def test_a_percentage_has_no_blank_that_could_break_or_be_lost_in_a_copy():
    assert all(write_percent(value).replace("under ", "").replace("over ", "").isascii() for value in (0.0, 0.31, 1.0))
    assert " " not in write_percent(0.31)
    assert "\N{NO-BREAK SPACE}" not in write_percent(0.31)


def test_authors_are_named_by_kind():
    assert [explain_author(kind) for kind in ("human", "generator-truth", "judge", "robot")] == [
        "person",
        "stand-in reviewer (generator-truth)",
        "model judge",
        "robot",
    ]


def test_counts_agree_with_their_noun():
    assert [write_count(n, "page") for n in (0, 1, 1087)] == ["0 pages", "1 page", "1,087 pages"]


def test_words_are_explained_and_unknown_ones_stay():
    assert explain_reason("too_few_clusters") == "fewer than 50 clusters"
    assert explain_reason("well_posed") == "well posed, so asked in the main set instead"
    assert explain_reason("some_new_reason") == "some new reason"
    assert explain_funnel("answerable_axis=period") == "of these, on axis period"
    assert explain_funnel("gold_fails") == "gold does not answer its own question"
    assert explain_measure("sufficient@1") == "a page that suffices in the first place"
    assert explain_measure("neither@5") == "neither in the first 5"
    assert explain_measure("ap@10") == "ap@10"
    assert join_words(["a", "b", "c"]) == "a, b and c"
