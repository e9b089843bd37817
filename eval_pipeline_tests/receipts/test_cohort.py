"""Who counts in which arena of a contract, and under which slice values."""

import json
from typing import Any

import polars as pl
import pytest

from eval_pipeline.foundation.tables.views import UNIT_IN_FORCE
from eval_pipeline.receipts.cohort import Cohort, choose_cohort
from eval_pipeline.tasks.contracts import Contract, parse_contract

CONTRACT: dict[str, Any] = {
    "task": "small",
    "relation": "evidence",
    "query_form": "question text",
    "answer_unit": "page",
    "questions": {"slice": "main"},
    "judgment": {"grades": ["sufficient", "supporting", "irrelevant"], "judge": "text"},
    "measures": ["top@1"],
    "arenas": ["random", "random@99", "siblings", "corpus"],
    "depth": 10,
    "limit": 5,
    "policies": {
        "unjudged": "irrelevant",
        "no_relevant": "exclude",
        "missing_question": "zero",
        "unretrieved": "below",
        "answerable_distractor": "drop",
    },
    "slices": ["template", "axis"],
    "resampling": {"unit": "question", "level": 0.95, "resamples": 500, "seed": 7},
    "asked_as": {"clearance": "restricted", "groups": []},
}
QUESTIONS = [
    # id, origin, template, outcome, slice
    ("good", "written", "t1", "well_posed", "main"),
    ("parent", "written", "t1", "answerable", "under-specified"),
    ("parent/child", "qualified", "t1", "well_posed", "main"),
    ("parent2", "written", "t2", "answerable", "under-specified"),
    ("parent2/dropped", "qualified", "t2", "answerable", None),
    ("fails", "written", "t2", "gold_fails", None),
    ("open", "written", "t2", "unresolved", None),
    ("later", "written", "t2", None, None),
    ("people", "import", None, "gold_fails", "main"),
    ("ticket", "ticket", "t1", "answerable", "regression"),
]


def a_contract(**changes: Any) -> Contract:
    return parse_contract(CONTRACT | changes, path="contract.yaml")


def a_unit(unit_id: str, entity: str | None) -> dict[str, Any]:
    return dict.fromkeys(UNIT_IN_FORCE.schema, "x") | {
        "unit_id": unit_id,
        "document_id": f"doc-{unit_id}",
        "page_number": 1,
        "facets": json.dumps({"entity": entity} if entity else {}),
    }


def cohort_of(
    contract: Contract, *, short: tuple[str, ...] = (), visible: frozenset[str] = frozenset({"u1", "u2"})
) -> Cohort:
    questions = pl.DataFrame(
        {
            "question_id": [row[0] for row in QUESTIONS],
            "origin": [row[1] for row in QUESTIONS],
            "template_id": [row[2] for row in QUESTIONS],
            "relation": ["evidence"] * len(QUESTIONS),
            "query_form": ["question text"] * len(QUESTIONS),
        }
    )
    posed = [(row[0], row[3], row[4]) for row in QUESTIONS if row[3] is not None]
    gold = [(row[0], place, f"u{place}") for row in QUESTIONS if row[0] != "people" for place in (1, 2)]
    negatives = [("good", axis) for axis in ("period", "entity", "period")]
    return choose_cohort(
        contract=contract,
        questions=questions,
        posed=pl.DataFrame(posed, schema=["question_id", "outcome", "slice"], orient="row"),
        gold=pl.DataFrame(gold, schema=["question_id", "position", "unit_id"], orient="row"),
        units=UNIT_IN_FORCE.frame([a_unit("u1", "acme"), a_unit("u2", None)]),
        negatives=pl.DataFrame(negatives, schema=["question_id", "axis"], orient="row"),
        effective=pl.DataFrame(
            [(name, "pool_too_small") for name in short] + [("good", "enough")] * ("good" not in short),
            schema=["question_id", "status"],
            orient="row",
        ),
        visible=visible,
    )


def reasons(cohort: Cohort, arena: str) -> dict[str, str]:
    return dict(cohort.excluded.filter(pl.col("arena") == arena).select("question_id", "reason").iter_rows())


def test_naive_arenas_ask_every_question_as_it_was_written() -> None:
    cohort = cohort_of(a_contract())
    (naive, asked), (own, rest) = cohort.arenas_of(a_contract())
    assert (naive, own) == (("random", "random@99"), ("siblings", "corpus"))
    written = ["fails", "good", "later", "open", "parent", "parent2", "people"]
    assert asked["question_id"].to_list() == written
    assert rest["question_id"].to_list() == sorted([*written, "parent/child"])
    assert reasons(cohort, "random") == reasons(cohort, "random@99") == {}


def test_other_arenas_count_the_slice_and_say_why_the_rest_is_out() -> None:
    cohort = cohort_of(a_contract())
    expected = {
        "fails": "gold fails",
        "later": "waiting",
        "open": "unresolved",
        "parent": "answerable",
        "parent2": "answerable",
    }
    assert reasons(cohort, "siblings") == reasons(cohort, "corpus") == expected


def test_a_pool_that_is_too_small_counts_in_the_corpus_all_the_same() -> None:
    cohort = cohort_of(a_contract(), short=("good", "fails"))
    assert reasons(cohort, "siblings")["good"] == "pool_too_small"
    assert reasons(cohort, "siblings")["fails"] == "gold fails"
    assert "good" not in reasons(cohort, "corpus")


def test_tickets_are_asked_by_contracts_on_the_regression_slice_and_no_other() -> None:
    main = cohort_of(a_contract())
    assert "ticket" not in main.as_written["question_id"].to_list() + main.questions["question_id"].to_list()
    regression = cohort_of(a_contract(questions={"slice": "regression"}))
    assert regression.as_written["question_id"].to_list() == regression.questions["question_id"].to_list() == ["ticket"]
    assert regression.excluded.height == 0


def test_under_specified_parents_count_under_their_own_contract() -> None:
    cohort = cohort_of(a_contract(questions={"slice": "under-specified"}, measures=["acceptable@1"]))
    assert {"parent", "parent2"} & set(reasons(cohort, "corpus")) == set()
    assert reasons(cohort, "corpus")["good"] == "well_posed"


def test_slice_values_name_what_is_not_there() -> None:
    rows = {row["question_id"]: row for row in cohort_of(a_contract()).questions.to_dicts()}
    assert rows["good"] == {"question_id": "good", "template": "t1", "axis": ["entity", "period"]}
    assert rows["people"] == {"question_id": "people", "template": "no template", "axis": ["no hard negatives"]}


@pytest.mark.parametrize(("unit", "value"), [("document", "doc-u1"), ("entity", "acme")])
def test_the_resampling_unit_is_that_of_the_first_gold_unit(unit: str, value: str) -> None:
    contract = a_contract(resampling=CONTRACT["resampling"] | {"unit": unit}, slices=[])
    frame = cohort_of(contract).questions
    assert frame.columns == ["question_id", unit]
    values = dict(frame.iter_rows())
    assert (values["good"], values["people"]) == (value, None)


def test_a_slice_that_nobody_knows_has_no_column() -> None:
    assert cohort_of(a_contract(slices=["language"])).questions.columns == ["question_id"]


def test_a_question_whose_evidence_the_asker_may_not_see_counts_nowhere() -> None:
    assert "no_eligible_evidence" not in reasons(cohort_of(a_contract(), visible=frozenset({"u2"})), "corpus").values()
    unseen = cohort_of(a_contract(), visible=frozenset())
    for arena in ("random", "siblings", "corpus"):
        assert reasons(unseen, arena)["good"] == "no_eligible_evidence"
    assert "people" not in reasons(unseen, "random")


def test_a_contract_asks_questions_of_its_own_relation_and_form() -> None:
    assert cohort_of(a_contract(relation="semantic")).questions.is_empty()
    assert cohort_of(a_contract(query_form="keywords")).questions.is_empty()
