import re

import pytest

from eval_pipeline.corpus.proposing.titles import STATEMENT_TITLE, propose_title

PATTERN = re.compile(STATEMENT_TITLE, re.MULTILINE)


@pytest.mark.parametrize(
    ("line", "metric"),
    [
        ("CONSOLIDATED BALANCE SHEETS", "BALANCE SHEETS"),
        ("Condensed Consolidated Statements of Cash Flows (Unaudited)", "Statements of Cash Flows"),
        ("CONSOLIDATED STATEMENTS OF STOCKHOLDERS’ EQUITY", "STATEMENTS OF STOCKHOLDERS’ EQUITY"),
        ("COMPREHENSIVE INCOME STATEMENTS", "COMPREHENSIVE INCOME STATEMENTS"),
        ("STOCKHOLDERS' EQUITY STATEMENTS", "STOCKHOLDERS' EQUITY STATEMENTS"),
        ("STATEMENT OF FINANCIAL POSITION", "STATEMENT OF FINANCIAL POSITION"),
    ],
)
def test_titles_match(line, metric):
    assert PATTERN.search(f"(in millions)\n{line}\n2023")["metric"] == metric


@pytest.mark.parametrize(
    "line",
    [
        "consolidated statements of operations and",
        "Consolidated Balance Sheets 39",
        "STATEMENT OF MANAGEMENT’S RESPONSIBILITY FOR FINANCIAL STATEMENTS",
        "See the balance sheets",
    ],
)
def test_sentences_and_tables_of_contents_do_not(line):
    assert PATTERN.search(line) is None


def test_the_facet_is_a_pattern_on_text():
    assert propose_title().config.pattern.text == STATEMENT_TITLE
