import pytest

from eval_pipeline.demo.asking import Vocabulary, read_question
from eval_pipeline.demo.spoken_periods import SpokenPeriod


@pytest.fixture(scope="module")
def vocabulary(truths):
    return Vocabulary.of(truths.values())


def test_vocabulary_is_what_the_truth_names(vocabulary):
    assert vocabulary.entities == ("Dunmore Ash Energy", "Gatesby Marine", "Juniper Fold Logistics")
    assert vocabulary.scopes["Gatesby Marine"] == {"Ferries", "Ports", "Shipbuilding", "Towage"}
    assert {"Revenue", "Cost of revenue", "Customer retention"} <= set(vocabulary.metrics)


@pytest.mark.parametrize(
    ("question", "entity", "metrics", "scopes"),
    [
        ("What was Gatesby Marine's revenue in Q1 2024?", {"Gatesby Marine"}, {"Revenue"}, set()),
        ("What was the cost of revenue?", set(), {"Cost of revenue"}, set()),
        ("How high was capex of Ferries?", set(), {"Capital expenditure"}, {"Ferries"}),
        ("What was Ferries in 'Revenue by segment'?", set(), {"Revenue"}, {"Ferries"}),
        ("Junpier Fold Logistics: net income?", {"Juniper Fold Logistics"}, {"Net income"}, set()),
        ("DUNMORE ASH ENERGY, INC. R&D?", {"Dunmore Ash Energy"}, {"Research and development"}, set()),
        ("Net cash used in investing activities?", set(), {"Net cash used in investing activities"}, set()),
        ("Who signed the report?", set(), set(), set()),
    ],
)  # fmt: skip
def test_names_in_a_question(vocabulary, question, entity, metrics, scopes):
    asked = read_question(question, vocabulary)
    assert (asked.entities, asked.metrics, asked.scopes) == (entity, metrics, scopes)
    assert not asked.is_foreign


def test_a_company_that_is_not_of_this_world_is_noticed(vocabulary):
    assert read_question("What was Acme Widgets revenue in Q1 2024?", vocabulary).is_foreign
    assert not read_question("What was Revenue for the Three Months ended March 31, 2024?", vocabulary).is_foreign


def test_revision_and_span(vocabulary):
    assert read_question("What was revenue as restated?", vocabulary).revision == "restated"
    assert read_question("What was revenue as originally reported?", vocabulary).revision == "original"
    asked = read_question("What was revenue for the nine months ended September 30, 2024?", vocabulary)
    assert asked.is_longer
    assert asked.periods == {SpokenPeriod(year=2024, quarter=3)}
