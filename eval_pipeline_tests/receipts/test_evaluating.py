"""One call from a task, questions, a run and judgments to receipts and figures."""

import subprocess
import sys

import polars as pl
import pytest

from eval_pipeline.foundation.errors import ConfigError, InputError, MeasureUndefined
from eval_pipeline.receipts.evaluating import Judgments, Run, evaluate_run
from eval_pipeline.tasks.contracts import parse_contract

TASK = {
    "task": "evidence pages",
    "relation": "evidence",
    "query_form": "question text",
    "answer_unit": "page",
    "questions": {"slice": "main"},
    "judgment": {"grades": ["sufficient", "supporting", "irrelevant"], "judge": "people"},
    "measures": ["sufficient@1", "sufficient@3", "supporting_only@1", "neither@1", "ap@3", "judged@3"],
    "arenas": ["corpus"],
    "depth": 10,
    "limit": 5,
    "policies": {
        "unjudged": "irrelevant",
        "no_relevant": "exclude",
        "missing_question": "zero",
        "unretrieved": "below",
        "answerable_distractor": "drop",
    },
    "slices": ["language"],
    "resampling": {"unit": "question", "level": 0.95, "resamples": 500, "seed": 7},
    "asked_as": {"clearance": "public", "groups": []},
}


def rows(columns, *values):
    return pl.DataFrame(list(values), schema=columns.split(), orient="row")


QUESTIONS = rows("question_id language", ("q1", "en"), ("q2", "en"), ("q3", "de"))
LABELS = rows(
    "question_id unit_id grade",
    ("q1", "a", "sufficient"),
    ("q1", "b", "irrelevant"),
    ("q2", "a", "supporting"),
    ("q2", "c", "sufficient"),
    ("q3", "d", "sufficient"),
)
RUN = Run(
    name="ours",
    rankings=rows(
        "question_id unit_id score",
        ("q1", "a", 3.0),
        ("q1", "b", 2.0),
        ("q2", "a", 5.0),
        ("q2", "c", 4.0),
        ("q3", "b", 1.0),
    ),
)


def evaluated(**changes):
    given = {"task": TASK, "questions": QUESTIONS, "run": RUN, "judgments": Judgments(labels=LABELS)}
    return evaluate_run(**{**given, **changes})


def test_receipts_of_single_questions():
    found = evaluated().receipts
    values = {(row["question_id"], row["measure"]): row["value"] for row in found.iter_rows(named=True)}
    assert [values[(q, "sufficient@1")] for q in ("q1", "q2", "q3")] == [1.0, 0.0, 0.0]
    assert [values[(q, "supporting_only@1")] for q in ("q1", "q2", "q3")] == [0.0, 1.0, 0.0]
    assert [values[(q, "ap@3")] for q in ("q1", "q2", "q3")] == [1.0, 0.5, 0.0]
    assert found["receipt_id"].n_unique() == found.height == 3 * 6


def test_figures_of_slices_with_uncertainty_and_denominator():
    found = evaluated()
    whole = found.figure("sufficient@1", arena="corpus")
    assert (whole["estimate"], whole["n_scored"], whole["interval"]) == (pytest.approx(1 / 3), 3, "wilson")
    assert 0 < whole["low"] < 1 / 3 < whole["high"] < 1
    english = found.figure("sufficient@1", arena="corpus", slice_name="language", value="en")
    assert (english["estimate"], english["n_scored"]) == (0.5, 2)
    assert english["denominator_id"] != whole["denominator_id"]
    assert found.figure("ap@3", arena="corpus")["interval"] == "bca"


def test_undeclared_slices_are_refused():
    with pytest.raises(ConfigError, match="slice 'template' is not declared by evidence pages"):
        evaluated().figure("sufficient@1", arena="corpus", slice_name="template")
    with pytest.raises(InputError, match="no figure top@1 in arena corpus"):
        evaluated().figure("top@1", arena="corpus")


@pytest.mark.parametrize("field", ["relation", "answer_unit"])
def test_a_relation_and_an_answer_unit_must_be_named(field):
    task = {key: value for key, value in TASK.items() if key != field}
    with pytest.raises(ConfigError, match=field):
        evaluated(task=task)


def test_a_limit_is_part_of_the_task():
    contract = parse_contract(TASK, path="t.yaml")
    as_declared, same = evaluated(task=contract), evaluated()
    assert as_declared.receipts.equals(same.receipts)
    shorter = evaluated(limit=3)
    assert shorter.contract.limit == 3
    assert shorter.contract.contract_id != contract.contract_id
    with pytest.raises(ConfigError, match="limit 2 must be at least the largest k, 3"):
        evaluated(limit=2)


def test_gold_and_arenas_open_the_restricted_tests():
    task = {**TASK, "measures": ["top@1", "sufficient@1"], "arenas": ["siblings", "corpus"]}
    found = evaluated(
        task=task,
        gold=rows("question_id unit_id", ("q1", "a"), ("q2", "c"), ("q3", "d")),
        arenas=rows("question_id arena unit_id", ("q1", "siblings", "b"), ("q2", "siblings", "a")),
    )
    assert found.figure("top@1", arena="siblings")["estimate"] == 0.5
    assert found.figure("top@1", arena="siblings")["n_scored"] == 2
    assert found.figure("top@1", arena="corpus")["estimate"] == pytest.approx(1 / 3)


def test_the_same_inputs_give_the_same_ids_in_any_order():
    turned = evaluated(
        questions=QUESTIONS.reverse(),
        run=Run(name="ours", rankings=RUN.rankings.reverse()),
        judgments=Judgments(labels=LABELS.reverse()),
    )
    assert turned.receipts.equals(evaluated().receipts)
    assert turned.figures.equals(evaluated().figures)


def test_an_empty_answer_is_not_a_question_that_was_not_run():
    excluding = {**TASK, "policies": {**TASK["policies"], "missing_question": "exclude"}}
    run = Run(name="ours", rankings=RUN.rankings.filter(pl.col("question_id") != "q3"))
    assert evaluated(task=excluding, run=run).figure("sufficient@1", arena="corpus")["n_scored"] == 2
    answered = Run(name="ours", rankings=run.rankings, answered=rows("question_id", ("q1",), ("q2",), ("q3",)))
    assert evaluated(task=excluding, run=answered).figure("sufficient@1", arena="corpus")["n_scored"] == 3
    failing = {**TASK, "policies": {**TASK["policies"], "missing_question": "error"}}
    with pytest.raises(MeasureUndefined, match="policy missing_question: error, first q3"):
        evaluated(task=failing, run=run)


def test_bad_judgments_are_named():
    twice = pl.concat([LABELS, LABELS.head(1)])
    with pytest.raises(InputError, match="question q1 and unit a are judged more than once"):
        evaluated(judgments=Judgments(labels=twice))
    odd = LABELS.with_columns(grade=pl.lit("good"))
    with pytest.raises(InputError, match="grade 'good' is none of sufficient, supporting, irrelevant"):
        evaluated(judgments=Judgments(labels=odd))


def test_joint_sets_and_waiting_pairs_are_read():
    task = {**TASK, "measures": ["sufficient_set@3", "sufficient@3"]}
    joint = rows("question_id joint_set_id unit_id", ("q2", "set", "a"), ("q2", "set", "c"))
    labels = LABELS.filter(pl.col("question_id") != "q3").with_columns(
        grade=pl.when(pl.col("question_id") == "q2").then(pl.lit("supporting")).otherwise("grade")
    )
    found = evaluated(
        task=task,
        judgments=Judgments(labels=labels, joint_sets=joint, waiting=rows("question_id unit_id", ("q3", "b"))),
    ).receipts
    values = {(r["question_id"], r["measure"]): (r["value"], r["reason"]) for r in found.iter_rows(named=True)}
    assert values[("q2", "sufficient_set@3")] == (1.0, "scored")
    assert values[("q3", "sufficient@3")] == (None, "waiting")


def test_it_needs_neither_dagster_nor_a_database():
    code = (
        "import sys; import eval_pipeline.receipts.evaluating; "
        "print([n for n in ('dagster', 'duckdb', 'torch', 'faiss', 'open_clip') if n in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_score_that_is_not_finite_is_named_before_anything_is_hashed():
    run = Run(name="ours", rankings=rows("question_id unit_id score", ("q1", "a", float("nan"))))
    with pytest.raises(InputError, match="question q1: unit a has score nan"):
        evaluated(run=run)
