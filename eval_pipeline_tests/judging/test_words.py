"""Words as they are compared."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval_pipeline.judging.words import (
    contains_run,
    content_words,
    core_words,
    fold,
    is_plain_heading_word,
    name_words,
    singular,
    split_words,
)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Total net sales", "revenue", True),
        ("Cost of goods sold", "COGS", True),
        ("Cost of sales", "Cost of revenue", True),
        ("Cost of revenue", "Revenue", False),
        ("Net income (loss)", "net income", True),
        ("Net income per share", "Net income", False),
        ("Income from operations", "Operating income", True),
        ("Total current liabilities", "Total liabilities", False),
        ("Inventories", "inventory", True),
        ("Diluted earnings per share", "EPS", False),
        ("Stockholders’ equity", "shareholders' equity", True),
    ],
)
def test_core_words_tell_metrics_apart(one: str, other: str, same: bool) -> None:
    assert (core_words(one) == core_words(other)) is same


def test_order_stays_and_little_words_go() -> None:
    assert content_words("the cost of revenue of Acme's plants") == ("cost_of_sale", "acme", "plant")
    assert split_words("Amazon.com's P&L") == ("amazon", "com", "p&l")


@pytest.mark.parametrize(
    ("word", "expected"),
    [("liabilities", "liability"), ("assets", "asset"), ("loss", "loss"), ("gas", "gas"), ("status", "status")],
)
def test_singular(word: str, expected: str) -> None:
    assert singular(word) == expected


def test_names_lose_legal_suffixes_unless_nothing_is_left() -> None:
    assert name_words("Acme Holdings, Inc.") == ["acme"]
    assert name_words("Group") == ["group"]


def test_runs_stand_together_whatever_kind_of_sequence() -> None:
    assert contains_run(("a", "b", "c"), ["b", "c"])
    assert not contains_run(["a", "b", "c"], ["a", "c"])
    assert not contains_run(["a"], [])


def test_plain_heading_words() -> None:
    assert is_plain_heading_word("statement")
    assert not is_plain_heading_word("acme")


@given(text=st.text())
def test_folding_twice_changes_nothing(text: str) -> None:
    assert fold(fold(text)) == fold(text)
