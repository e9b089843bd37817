import itertools
import shutil

import pytest

from eval_pipeline.demo.stand_in import StandInReviewer
from eval_pipeline.demo.truth import TRUTH_FILE
from eval_pipeline.foundation.errors import InputError

GATESBY = "corpus/gatesby-marine-2024-q{}.pdf"
INCOME, REVENUE, OPERATING = 2, 3, 4


@pytest.fixture(scope="module")
def reviewer(sixty):
    return StandInReviewer(truth=TRUTH_FILE, home=sixty.home)


@pytest.mark.parametrize(
    ("question", "quarter", "page", "grade"),
    [
        ("What was Gatesby Marine's revenue in Q1 2024?", 1, REVENUE, "sufficient"),
        ("What was Gatesby Marine's revenue in Q1 2024?", 1, INCOME, "sufficient"),
        ("What was Gatesby Marine's revenue in Q1 2024?", 2, INCOME, "sufficient"),  # comparative column
        ("What was Gatesby Marine's revenue in Q1 2024?", 2, REVENUE, "supporting"),  # another quarter
        ("What was Gatesby Marine's revenue in Q1 2023?", 1, REVENUE, "supporting"),  # wrong year
        ("What was Gatesby Marine's revenue in Q1 2023?", 1, INCOME, "sufficient"),  # the year before stands there
        ("What was Gatesby Marine's operating income in Q1 2024?", 1, REVENUE, "irrelevant"),  # wrong metric
        ("What was Dunmore Ash Energy's revenue in Q1 2024?", 1, REVENUE, "irrelevant"),  # wrong company
        ("What was Acme Widgets revenue in Q1 2024?", 1, REVENUE, "irrelevant"),
        ("What was total revenue?", 3, REVENUE, "sufficient"),  # nothing else is asked
        ("What was total revenue for the three months ended March 31, 2024?", 1, REVENUE, "sufficient"),
        ("What was Gatesby Marine's revenue for the six months ended June 30, 2024?", 2, REVENUE, "supporting"),
        ("What was revenue of Ferries in Q1 2024?", 1, REVENUE, "sufficient"),
        ("What was revenue of Ferries in Q1 2024?", 1, INCOME, "supporting"),  # consolidated only
        ("What was revenue of Parcel in Q1 2024?", 1, REVENUE, "irrelevant"),  # a segment of another company
        ("How did revenue change from Q1 2024 to Q2 2024 at Gatesby Marine?", 2, INCOME, "sufficient"),
        ("How did revenue change from Q1 2024 to Q2 2024 at Gatesby Marine?", 2, REVENUE, "supporting"),
        ("Which risks does Gatesby Marine see for revenue?", 2, 6, "supporting"),  # mentioned, no value
    ],
)  # fmt: skip
def test_hand_written_decisions(reviewer, question, quarter, page, grade):
    decided = reviewer.adjudicate(question, GATESBY.format(quarter), page)
    assert decided.grade == grade
    assert decided.author_kind == "generator-truth"
    assert decided.reason


@pytest.mark.parametrize(
    ("document", "page", "metric", "company"),
    [
        ("corpus/dunmore-ash-energy-2024-q1.pdf", 5, "capital expenditure", "Dunmore Ash Energy"),  # values missing
        ("corpus/juniper-fold-logistics-2024-q3.pdf", 4, "operating income", "Juniper Fold Logistics"),  # illegible
    ],
)
def test_a_chart_without_readable_values_is_supporting(reviewer, document, page, metric, company):
    assert reviewer.adjudicate(f"What was {company}'s {metric}?", document, page).grade == "supporting"


def test_restatement_holds_either_unless_the_question_says_which(reviewer):
    amended, original = "corpus/gatesby-marine-2024-q2-amended.pdf", GATESBY.format(2)
    plain = "What was Gatesby Marine's revenue in Q2 2024?"
    assert reviewer.adjudicate(plain, amended, 1).grade == "sufficient"
    assert reviewer.adjudicate(plain, original, REVENUE).grade == "sufficient"
    assert reviewer.adjudicate(f"{plain[:-1]}, as restated?", original, REVENUE).grade == "supporting"
    assert reviewer.adjudicate(f"{plain[:-1]}, as restated?", amended, 1).grade == "sufficient"
    assert reviewer.adjudicate(f"{plain[:-1]}, as originally reported?", amended, 1).grade == "supporting"


def test_every_readable_fact_answers_its_own_question_and_no_mutation_of_it(reviewer, truths):
    asked = "What was {0.entity}'s {0.metric} {1}in {0.period}?"
    for (document, page), truth in truths.items():
        held = {(fact.entity, fact.metric, fact.scope, fact.period) for fact in truth.facts if fact.is_readable}
        for fact in truth.facts:
            scope = "" if fact.scope == "consolidated" else f"of {fact.scope} "
            own = asked.format(fact, scope)
            expected = "sufficient" if fact.is_readable else "supporting"
            assert reviewer.adjudicate(own, document, page).grade == expected, own
            wrong = own.replace(fact.period, f"2019-{fact.period[-2:]}")
            assert reviewer.adjudicate(wrong, document, page).grade == "supporting", wrong
        assert len(held) <= len(truth.facts)


def test_another_company_is_never_sufficient(reviewer, truths):
    entities = sorted({truth.entity for truth in truths.values()})
    for ((document, page), truth), other in itertools.product(truths.items(), entities):
        if other != truth.entity:
            assert reviewer.adjudicate(f"What was {other}'s revenue?", document, page).grade == "irrelevant"


def test_what_it_cannot_decide_is_left_to_others(reviewer, sixty, tmp_path):
    assert reviewer.adjudicate("Who signed the report?", GATESBY.format(1), 1) is None
    assert reviewer.adjudicate("What was revenue?", "corpus/unknown.pdf", 1) is None
    assert reviewer.adjudicate("What was revenue?", GATESBY.format(1), 99) is None
    absent = StandInReviewer(truth=TRUTH_FILE, home=tmp_path)
    assert absent.adjudicate("What was Gatesby Marine's revenue?", GATESBY.format(1), REVENUE) is None


def test_truth_outside_the_project_folder_is_refused(tmp_path):
    with pytest.raises(InputError, match="climbs out"):
        StandInReviewer(truth="../facts.jsonl", home=tmp_path)


def test_it_decides_by_the_truth_and_not_by_the_page(sixty, tmp_path):
    """With the truth scrambled the decisions follow it: nothing else is read."""
    (tmp_path / "truth").mkdir()
    scrambled = sixty.truth.read_text(encoding="utf-8").replace("2024-Q1", "2021-Q1")
    (tmp_path / TRUTH_FILE).write_text(scrambled, encoding="utf-8")
    shutil.copytree(sixty.home / "corpus", tmp_path / "corpus")
    reviewer = StandInReviewer(truth=TRUTH_FILE, home=tmp_path)
    question = "What was Gatesby Marine's revenue in Q1 2024?"
    assert reviewer.adjudicate(question, GATESBY.format(1), REVENUE).grade == "supporting"
